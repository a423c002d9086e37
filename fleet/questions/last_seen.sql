-- Which devices are silent, and what is their version? The time is that of the newest record; from_ms and until_ms are the ten seconds before.
SELECT device, toDateTime(intDiv(max(origin_ns + end_ns), 1000000000)) AS seen, argMax(version, origin_ns + end_ns) AS newest_version,
    uniqExact(stream) AS streams, intDiv(max(origin_ns + end_ns), 1000000) + 1 AS until_ms, until_ms - 10000 AS from_ms
FROM (SELECT device, stream, version, end_ns FROM segment FINAL WHERE 1 /* AND device */) AS s
ALL INNER JOIN (SELECT device, stream, origin_ns FROM stream FINAL) AS o USING (device, stream)
GROUP BY device ORDER BY seen, device LIMIT 1000
