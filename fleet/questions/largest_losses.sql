-- Where was most lost at once? from_ms and until_ms are the second around it, since 1970.
SELECT device, stream, number, ns, kind, records, given_up, exact,
    intDiv(origin_ns + ns, 1000000) - 500 AS from_ms, from_ms + 1000 AS until_ms
FROM (SELECT device, stream, number, ns, kind, records, given_up, exact FROM loss FINAL
    WHERE records > 0 /* AND days */ /* AND device */ ORDER BY records DESC, device, number LIMIT 20) AS l
ALL INNER JOIN (SELECT device, stream, origin_ns FROM stream FINAL) AS o USING (device, stream)
ORDER BY records DESC, device, number
