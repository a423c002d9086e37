-- Which devices restarted while they were recorded? from_ms and until_ms are the ten seconds around the last time, since 1970.
SELECT device, argMax(version, origin_ns + ns) AS newest_version, count() AS restarts, toDateTime(intDiv(max(origin_ns + ns), 1000000000)) AS last,
    intDiv(max(origin_ns + ns), 1000000) - 5000 AS from_ms, from_ms + 10000 AS until_ms
FROM (SELECT device, stream, version, ns FROM loss FINAL WHERE kind = 4 /* AND days */) AS l
ALL INNER JOIN (SELECT device, stream, origin_ns FROM stream FINAL) AS o USING (device, stream)
GROUP BY device ORDER BY restarts DESC, device LIMIT 20
