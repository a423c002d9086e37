-- Which traces does a device have? A stream is all that its recorder has sent since its start.
SELECT device, stream, toDateTime(intDiv(origin_ns, 1000000000)) AS begin, version, source, changed AS loaded
FROM stream FINAL WHERE 1 /* AND device */ ORDER BY begin DESC, device LIMIT 1000
