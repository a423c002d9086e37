-- What is on which version, and how much of it is missing?
SELECT version, uniqExact(device) AS devices, uniqExact(device, stream) AS streams, sum(records) AS good_records,
    sum(missing) AS missing_records, missing_records / (missing_records + good_records) AS rate
FROM segment FINAL WHERE 1 /* AND days */ GROUP BY version ORDER BY version
