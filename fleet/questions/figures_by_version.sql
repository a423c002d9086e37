-- How long does it take, by version of the firmware? Percentiles are exact to 1/64: classes add up over any number of devices.
-- marked_share: of the segments, those with a hole; a percentile is that of the whole intervals.
SELECT kind, name, version, intervals,
    arrayElement(arrayMap(c -> if(c < 64, toUInt64(c), bitShiftLeft(toUInt64(64 + c % 64), toUInt8(intDiv(c, 64) - 1))),
        [numbers[arrayFirstIndex(x -> x >= 0.5 * intervals, sums)], numbers[arrayFirstIndex(x -> x >= 0.99 * intervals, sums)]]) AS ns, 1) AS p50_ns,
    ns[2] AS p99_ns, longest_ns, marked_share, cut_by_holes
FROM (SELECT kind, name, version, sum(count) AS intervals, max(most) AS longest_ns, sum(marked) / count() AS marked_share, sum(in_holes) AS cut_by_holes,
        (sumMap(`classes.class`, `classes.n`) AS m).1 AS numbers, arrayCumSum(m.2) AS sums
    FROM figure FINAL WHERE 1 /* AND days */ /* AND kind */ GROUP BY kind, name, version) AS f
WHERE intervals > 0 ORDER BY kind, name, version
