-- How often does each record come? Of traces that were loaded with --records.
SELECT name, count() AS records, uniqExact(device) AS devices FROM record FINAL
WHERE 1 /* AND days */ /* AND device */ GROUP BY name ORDER BY records DESC, name
