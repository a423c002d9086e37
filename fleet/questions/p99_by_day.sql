-- How does the p99 of a figure change from day to day, by version of the firmware?
SELECT toDateTime(day) AS time, concat(name, ' ', version) AS series, ns AS p99_ns
FROM (SELECT day, kind, name, version, sum(count) AS intervals, (sumMap(`classes.class`, `classes.n`) AS m).1 AS numbers,
        arrayElement(numbers, arrayFirstIndex(x -> x >= 0.99 * intervals, arrayCumSum(m.2))) AS place,
        if(place < 64, toUInt64(place), bitShiftLeft(toUInt64(64 + place % 64), toUInt8(intDiv(place, 64) - 1))) AS ns
    FROM figure FINAL WHERE count > 0 /* AND days */ /* AND kind */ /* AND name */ GROUP BY day, kind, name, version) AS f
ORDER BY time, kind, series
