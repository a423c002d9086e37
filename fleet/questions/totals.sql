-- How much is there, and how much of it is missing?
SELECT uniqExact(device) AS devices, uniqExact(version) AS versions, uniqExact(device, stream) AS streams, sum(records) AS good_records,
    sum(missing) AS missing_records, missing_records / (missing_records + good_records) AS rate
FROM segment FINAL WHERE 1 /* AND days */ /* AND device */ HAVING devices > 0
