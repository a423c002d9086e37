-- Which devices are the tail? The slowest ones of each figure come first. Percentiles are exact to 1/64.
-- marked_share: of the segments, those with a hole; a percentile is that of the whole intervals.
SELECT kind, name, device, intervals,
    arrayElement(arrayMap(c -> if(c < 64, toUInt64(c), bitShiftLeft(toUInt64(64 + c % 64), toUInt8(intDiv(c, 64) - 1))),
        [numbers[arrayFirstIndex(x -> x >= 0.5 * intervals, sums)], numbers[arrayFirstIndex(x -> x >= 0.99 * intervals, sums)]]) AS ns, 1) AS p50_ns,
    ns[2] AS p99_ns, longest_ns, marked_share, cut_by_holes
FROM (SELECT kind, name, device, sum(count) AS intervals, max(most) AS longest_ns, sum(marked) / count() AS marked_share, sum(in_holes) AS cut_by_holes,
        (sumMap(`classes.class`, `classes.n`) AS m).1 AS numbers, arrayCumSum(m.2) AS sums
    FROM figure FINAL WHERE 1 /* AND days */ /* AND kind */ /* AND name */ /* AND device */ GROUP BY kind, name, device) AS f
WHERE intervals > 0 ORDER BY kind, name, p99_ns DESC, device LIMIT 1000
