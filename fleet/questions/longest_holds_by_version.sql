-- How long is each mutex held, by version of the firmware? p99 is exact to 1/64: classes add up over any number of devices.
SELECT name, version, sum(count) AS holds, max(most) AS longest_ns, sum(in_holes) AS cut_by_holes,
    arrayFirstIndex(x -> x >= 0.99 * holds, arrayCumSum((sumMap(`classes.class`, `classes.n`) AS m).2)) AS place,
    arrayElement(m.1, place) AS class,
    if(class < 64, class, bitShiftLeft(toUInt64(64 + class % 64), toUInt8(intDiv(class, 64) - 1))) AS p99_ns
FROM figure FINAL WHERE kind = 'hold' AND count > 0 GROUP BY name, version ORDER BY name, version
