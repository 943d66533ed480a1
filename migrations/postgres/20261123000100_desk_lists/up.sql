-- What staff's lists filter by, in the narrow row of each booking, and the words a booking is found by. The columns are
-- copies of those of the booking, written in the same unit of work.
ALTER TABLE booking_facts ADD COLUMN move_date DATE NOT NULL DEFAULT '1970-01-01';
ALTER TABLE booking_facts ADD COLUMN move_time TIME NOT NULL DEFAULT '00:00:00';
ALTER TABLE booking_facts ADD COLUMN hub TEXT NOT NULL DEFAULT '';
ALTER TABLE booking_facts ADD COLUMN province TEXT NOT NULL DEFAULT '';
ALTER TABLE booking_facts ADD COLUMN move_kind TEXT NOT NULL DEFAULT '';
ALTER TABLE booking_facts ADD COLUMN mate_count INTEGER NOT NULL DEFAULT 1;
ALTER TABLE booking_facts ADD COLUMN duration_minutes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE booking_facts ADD COLUMN distance_km10 INTEGER NOT NULL DEFAULT 0;
ALTER TABLE booking_facts ADD COLUMN tier INTEGER NOT NULL DEFAULT 1;
ALTER TABLE booking_facts ADD COLUMN partner_id UUID;
ALTER TABLE booking_facts ADD COLUMN client_as_mate BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE booking_facts ADD COLUMN just_mates BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE booking_facts ADD COLUMN ride_along BOOLEAN NOT NULL DEFAULT false;
-- By which rules its words were made; 0: the program makes them when it brings the schema forward.
ALTER TABLE booking_facts ADD COLUMN words_version INTEGER NOT NULL DEFAULT 0 CHECK (words_version >= 0);
UPDATE booking_facts SET
    move_date = b.move_date, move_time = b.move_time, hub = b.hub, province = b.province, move_kind = b.move_kind,
    mate_count = b.mate_count, duration_minutes = b.duration_minutes, distance_km10 = b.distance_km10, tier = b.tier,
    partner_id = b.partner_id, client_as_mate = b.client_as_mate, just_mates = b.just_mates, ride_along = b.ride_along
FROM bookings b WHERE b.id = booking_facts.booking_id;
CREATE INDEX booking_facts_hub ON booking_facts (hub, move_at, booking_id);
CREATE INDEX booking_facts_partner ON booking_facts (partner_id, move_at, booking_id) WHERE partner_id IS NOT NULL;
CREATE INDEX booking_facts_kind ON booking_facts (move_kind, move_at, booking_id);
CREATE INDEX booking_facts_tier ON booking_facts (tier, move_at, booking_id);
CREATE INDEX booking_facts_wordless ON booking_facts (words_version) WHERE words_version = 0;

CREATE TABLE booking_words (
    -- Prefixes are ranges of bytes.
    word TEXT COLLATE "C" NOT NULL,
    booking_id UUID NOT NULL REFERENCES bookings (id),
    PRIMARY KEY (word, booking_id)
);
CREATE INDEX booking_words_booking_id ON booking_words (booking_id);

-- What staff write about a booking for each other, or for the crew. Append only, like the history it is part of.
CREATE TABLE booking_notes (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id UUID NOT NULL UNIQUE,
    booking_id UUID NOT NULL REFERENCES bookings (id),
    visibility TEXT NOT NULL CHECK (visibility IN ('staff', 'crew')),
    body TEXT NOT NULL,
    author UUID,
    role TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX booking_notes_booking_id ON booking_notes (booking_id, visibility, seq);

-- Lists that somebody of the staff keeps, for themselves or for all.
CREATE TABLE saved_views (
    id UUID NOT NULL PRIMARY KEY,
    owner UUID NOT NULL REFERENCES accounts (id),
    name TEXT NOT NULL,
    shared BOOLEAN NOT NULL,
    filters JSONB NOT NULL,
    sort TEXT,
    value TEXT,
    version INTEGER NOT NULL CHECK (version > 0),
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX saved_views_owner ON saved_views (owner);
-- The audit page reads the trail from its end, of everybody or of one person.
CREATE INDEX audit_rows_actor ON audit_rows (actor, seq) WHERE actor IS NOT NULL;
CREATE INDEX audit_rows_at ON audit_rows (at, seq);
