-- Which devices lose most?
SELECT device, sum(records) AS records, sum(missing) AS missing, sum(damaged) AS damaged_bytes,
    missing / (missing + records) AS rate
FROM (SELECT device, records, missing, damaged FROM segment FINAL WHERE 1 /* AND days */) AS s
GROUP BY device ORDER BY rate DESC, device LIMIT 20
