-- Crews by name, their trucks, and what mates do on the day.

-- The time a mate is needed to the minute, with the shortest way to anywhere else behind it. Two jobs follow each other
-- more closely than half hours can say.
CREATE TABLE crew_spans (
    booking_id TEXT NOT NULL,
    mate_id TEXT NOT NULL,
    from_at TEXT NOT NULL,
    until_at TEXT NOT NULL,
    PRIMARY KEY (booking_id, mate_id),
    FOREIGN KEY (booking_id, mate_id) REFERENCES booking_crews (booking_id, mate_id) ON DELETE CASCADE,
    CHECK (from_at < until_at)
) STRICT;
CREATE INDEX crew_spans_mate_id ON crew_spans (mate_id, until_at);
CREATE INDEX crew_spans_until_at ON crew_spans (until_at);

-- What an exclusion constraint is on PostgreSQL. Rows are never changed, only written and deleted.
CREATE TRIGGER crew_spans_overlap BEFORE INSERT ON crew_spans
WHEN EXISTS (
    SELECT 1 FROM crew_spans o
    WHERE o.mate_id = NEW.mate_id AND o.from_at < NEW.until_at AND o.until_at > NEW.from_at
)
BEGIN
    SELECT RAISE(ABORT, 'crew_spans_overlap');
END;
CREATE TRIGGER crew_spans_stay BEFORE UPDATE ON crew_spans
BEGIN
    SELECT RAISE(ABORT, 'crew_spans_overlap');
END;

-- The truck of a booking, and its time.
CREATE TABLE truck_spans (
    booking_id TEXT NOT NULL PRIMARY KEY REFERENCES bookings (id),
    truck_id TEXT NOT NULL REFERENCES trucks (id),
    -- The name when it was sent: it stays with the move also when the truck is gone.
    name TEXT NOT NULL,
    from_at TEXT NOT NULL,
    until_at TEXT NOT NULL,
    CHECK (from_at < until_at)
) STRICT;
CREATE INDEX truck_spans_truck_id ON truck_spans (truck_id, until_at);
CREATE INDEX truck_spans_until_at ON truck_spans (until_at);
CREATE TRIGGER truck_spans_overlap BEFORE INSERT ON truck_spans
WHEN EXISTS (
    SELECT 1 FROM truck_spans o
    WHERE o.truck_id = NEW.truck_id AND o.from_at < NEW.until_at AND o.until_at > NEW.from_at
)
BEGIN
    SELECT RAISE(ABORT, 'truck_spans_overlap');
END;
CREATE TRIGGER truck_spans_stay BEFORE UPDATE ON truck_spans
BEGIN
    SELECT RAISE(ABORT, 'truck_spans_overlap');
END;

-- The crews there are. Their half hours were apart, so the work inside of them is.
INSERT INTO crew_spans (booking_id, mate_id, from_at, until_at)
SELECT b.id, c.mate_id, b.move_at,
    strftime('%Y-%m-%d %H:%M:%f', b.move_at, '+' || MAX(b.duration_minutes, 1) || ' minutes') || '000'
FROM booking_crews c JOIN bookings b ON b.id = c.booking_id
WHERE b.status = 'assigned';

-- What a mate says of a job, with the instant he did it and the one we heard of it.
CREATE TABLE crew_acts (
    booking_id TEXT NOT NULL REFERENCES bookings (id),
    mate_id TEXT NOT NULL REFERENCES mates (id),
    act TEXT NOT NULL CHECK (act IN ('accept', 'decline', 'start', 'finish')),
    at TEXT NOT NULL,
    told_at TEXT NOT NULL,
    PRIMARY KEY (booking_id, mate_id, act, at)
) STRICT;
CREATE INDEX crew_acts_mate_id ON crew_acts (mate_id);
