DROP TABLE holds;
DROP TABLE capacity_buckets;
DROP TABLE capacity_overrides;
DROP TABLE capacity_defaults;
