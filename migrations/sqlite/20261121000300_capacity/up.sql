-- What makes an oversell impossible: people and trucks per hub, local day and half hour.
CREATE TABLE capacity_defaults (
    hub TEXT NOT NULL,
    weekday INTEGER NOT NULL CHECK (weekday BETWEEN 0 AND 6),
    mates INTEGER NOT NULL CHECK (mates >= 0),
    trucks_10 INTEGER NOT NULL CHECK (trucks_10 >= 0),
    trucks_20 INTEGER NOT NULL CHECK (trucks_20 >= 0),
    trucks_26 INTEGER NOT NULL CHECK (trucks_26 >= 0),
    PRIMARY KEY (hub, weekday)
) STRICT;

CREATE TABLE capacity_overrides (
    hub TEXT NOT NULL,
    date TEXT NOT NULL,
    mates INTEGER NOT NULL CHECK (mates >= 0),
    trucks_10 INTEGER NOT NULL CHECK (trucks_10 >= 0),
    trucks_20 INTEGER NOT NULL CHECK (trucks_20 >= 0),
    trucks_26 INTEGER NOT NULL CHECK (trucks_26 >= 0),
    PRIMARY KEY (hub, date)
) STRICT;

-- bucket counts elapsed half hours since the local midnight.
CREATE TABLE capacity_buckets (
    hub TEXT NOT NULL,
    date TEXT NOT NULL,
    bucket INTEGER NOT NULL CHECK (bucket BETWEEN 0 AND 49),
    mates_total INTEGER NOT NULL,
    mates_used INTEGER NOT NULL,
    trucks_10_total INTEGER NOT NULL,
    trucks_10_used INTEGER NOT NULL,
    trucks_20_total INTEGER NOT NULL,
    trucks_20_used INTEGER NOT NULL,
    trucks_26_total INTEGER NOT NULL,
    trucks_26_used INTEGER NOT NULL,
    PRIMARY KEY (hub, date, bucket),
    CONSTRAINT capacity_buckets_mates CHECK (mates_used >= 0 AND mates_used <= mates_total),
    CONSTRAINT capacity_buckets_trucks_10 CHECK (trucks_10_used >= 0 AND trucks_10_used <= trucks_10_total),
    CONSTRAINT capacity_buckets_trucks_20 CHECK (trucks_20_used >= 0 AND trucks_20_used <= trucks_20_total),
    CONSTRAINT capacity_buckets_trucks_26 CHECK (trucks_26_used >= 0 AND trucks_26_used <= trucks_26_total)
) STRICT;

CREATE TABLE holds (
    id TEXT NOT NULL PRIMARY KEY,
    hub TEXT NOT NULL,
    date TEXT NOT NULL,
    time TEXT NOT NULL,
    zone TEXT NOT NULL,
    starts_at TEXT NOT NULL,
    occupied_from TEXT NOT NULL,
    occupied_until TEXT NOT NULL,
    mates INTEGER NOT NULL CHECK (mates >= 0),
    truck_feet INTEGER CHECK (truck_feet IN (10, 20, 26)),
    buckets TEXT NOT NULL CHECK (json_valid(buckets)),
    duration_minutes INTEGER NOT NULL CHECK (duration_minutes >= 0),
    state TEXT NOT NULL CHECK (state IN ('active', 'extended', 'converted', 'expired', 'released')),
    expires_at TEXT NOT NULL,
    rate_id TEXT REFERENCES rates (id),
    booking_id TEXT REFERENCES bookings (id),
    created_at TEXT NOT NULL,
    CONSTRAINT holds_interval CHECK (occupied_from <= occupied_until)
) STRICT;
CREATE INDEX holds_lapsing ON holds (expires_at) WHERE state IN ('active', 'extended');
CREATE INDEX holds_live ON holds (id) WHERE state IN ('active', 'extended', 'converted');
CREATE INDEX holds_booking_id ON holds (booking_id) WHERE booking_id IS NOT NULL;
CREATE INDEX holds_rate_id ON holds (rate_id) WHERE rate_id IS NOT NULL;
