-- Made by `wallfly fleet setup --sql=modern`; do not edit.
ALTER TABLE fleet.segment MODIFY COLUMN `at_begin` String CODEC(ZSTD(3)), MODIFY COLUMN `bytes` String CODEC(ZSTD(3));
ALTER TABLE fleet.record MODIFY COLUMN `device` String CODEC(ZSTD(3)), MODIFY COLUMN `stream` UInt64 CODEC(ZSTD(1)), MODIFY COLUMN `number` UInt64 CODEC(DoubleDelta, ZSTD(1)), MODIFY COLUMN `ns` UInt64 CODEC(Delta, ZSTD(3)), MODIFY COLUMN `second` DateTime CODEC(DoubleDelta, ZSTD(1)), MODIFY COLUMN `id` UInt16 CODEC(ZSTD(3)), MODIFY COLUMN `name` LowCardinality(String) CODEC(ZSTD(3)), MODIFY COLUMN `who` LowCardinality(String) CODEC(ZSTD(3)), MODIFY COLUMN `what` LowCardinality(String) CODEC(ZSTD(3)), MODIFY COLUMN `signal` LowCardinality(String) CODEC(ZSTD(3)), MODIFY COLUMN `state` LowCardinality(String) CODEC(ZSTD(3)), MODIFY COLUMN `text` String CODEC(ZSTD(1)), MODIFY COLUMN `args` Array(Int64) CODEC(ZSTD(5)), MODIFY COLUMN `flags` UInt8 CODEC(ZSTD(1));
ALTER TABLE fleet.segment MODIFY TTL day + INTERVAL 30 DAY;
ALTER TABLE fleet.figure MODIFY TTL day + INTERVAL 400 DAY;
ALTER TABLE fleet.loss MODIFY TTL day + INTERVAL 400 DAY;
ALTER TABLE fleet.hole MODIFY TTL day + INTERVAL 400 DAY;
ALTER TABLE fleet.record MODIFY TTL day + INTERVAL 7 DAY;
ALTER TABLE fleet.stream MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE fleet.segment MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE fleet.figure MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE fleet.loss MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE fleet.hole MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE fleet.record MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE fleet.build MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE fleet.device MODIFY SETTING non_replicated_deduplication_window = 10000;
ALTER TABLE fleet.segment MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
