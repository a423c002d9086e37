-- What took longest, on which device? from_ms and until_ms are the segment in which it ended, since 1970.
SELECT kind, name, version, device, longest_ns, intDiv(origin_ns + begin_ns, 1000000) AS from_ms, intDiv(origin_ns + end_ns, 1000000) + 1 AS until_ms
FROM (SELECT kind, name, argMax(version, most) AS version, argMax(device, most) AS device, argMax(stream, most) AS stream,
        argMax(offset, most) AS offset, max(most) AS longest_ns
    FROM figure FINAL WHERE count > 0 /* AND days */ GROUP BY kind, name) AS f
ALL INNER JOIN (SELECT device, stream, offset, begin_ns, end_ns, origin_ns
    FROM (SELECT device, stream, offset, begin_ns, end_ns FROM segment FINAL WHERE 1 /* AND days */) AS s
    ALL INNER JOIN (SELECT device, stream, origin_ns FROM stream FINAL) AS o USING (device, stream)) AS t
USING (device, stream, offset)
ORDER BY longest_ns DESC, kind, name LIMIT 50
