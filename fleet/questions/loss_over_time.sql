-- When was how much lost? Segments count at their ends.
SELECT toDateTime(intDiv(origin_ns + end_ns, 1000000000)) AS time, sum(records) AS good_records, sum(missing) AS missing_records
FROM (SELECT device, stream, end_ns, records, missing FROM segment FINAL WHERE 1 /* AND days */ /* AND device */) AS s
ALL INNER JOIN (SELECT device, stream, origin_ns FROM stream FINAL) AS o USING (device, stream)
GROUP BY time ORDER BY time LIMIT 10000
