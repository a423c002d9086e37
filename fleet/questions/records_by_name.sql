-- How often does each record come? Of traces that were loaded with --records.
SELECT name, count() AS records, uniqExact(device) AS devices FROM record FINAL GROUP BY name ORDER BY records DESC, name
