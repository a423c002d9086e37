-- How does the loss rate of each version change from day to day?
SELECT toDateTime(day) AS time, version, sum(missing) / (sum(missing) + sum(records)) AS rate
FROM segment FINAL WHERE 1 /* AND days */ GROUP BY day, version ORDER BY time, version
