-- What has come last? from_ms and until_ms are the times of the segment, since 1970.
SELECT device, toDateTime(intDiv(origin_ns + begin_ns, 1000000000)) AS begin, stream, version, records, missing, damaged AS damaged_bytes, length AS bytes,
    intDiv(origin_ns + begin_ns, 1000000) AS from_ms, intDiv(origin_ns + end_ns, 1000000) + 1 AS until_ms
FROM (SELECT device, stream, version, begin_ns, end_ns, records, missing, damaged, length FROM segment FINAL WHERE 1 /* AND days */ /* AND device */) AS s
ALL INNER JOIN (SELECT device, stream, origin_ns FROM stream FINAL) AS o USING (device, stream)
ORDER BY from_ms DESC, device LIMIT 1000
