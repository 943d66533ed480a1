-- Crews by name, their trucks, and what mates do on the day.

-- The time a mate is needed to the minute, with the shortest way to anywhere else behind it. Two jobs follow each other
-- more closely than half hours can say.
CREATE TABLE crew_spans (
    booking_id UUID NOT NULL,
    mate_id UUID NOT NULL,
    from_at TIMESTAMPTZ NOT NULL,
    until_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (booking_id, mate_id),
    FOREIGN KEY (booking_id, mate_id) REFERENCES booking_crews (booking_id, mate_id) ON DELETE CASCADE,
    CHECK (from_at < until_at)
);
CREATE INDEX crew_spans_mate_id ON crew_spans (mate_id, until_at);
CREATE INDEX crew_spans_until_at ON crew_spans (until_at);

-- Two at once would not see each other, so one waits for the other. An exclusion constraint would do the same; with a
-- key in it, it needs an extension that not everybody may install.
CREATE FUNCTION crew_spans_apart() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(NEW.mate_id::text, 13));
    IF EXISTS (
        SELECT 1 FROM crew_spans o
        WHERE o.mate_id = NEW.mate_id AND o.booking_id <> NEW.booking_id AND o.from_at < NEW.until_at AND o.until_at > NEW.from_at
    ) THEN
        RAISE EXCEPTION 'crew_spans_overlap' USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'crew_spans_overlap';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER crew_spans_overlap BEFORE INSERT OR UPDATE ON crew_spans
    FOR EACH ROW EXECUTE FUNCTION crew_spans_apart();

-- The truck of a booking, and its time.
CREATE TABLE truck_spans (
    booking_id UUID NOT NULL PRIMARY KEY REFERENCES bookings (id),
    truck_id UUID NOT NULL REFERENCES trucks (id),
    -- The name when it was sent: it stays with the move also when the truck is gone.
    name TEXT NOT NULL,
    from_at TIMESTAMPTZ NOT NULL,
    until_at TIMESTAMPTZ NOT NULL,
    CHECK (from_at < until_at)
);
CREATE INDEX truck_spans_truck_id ON truck_spans (truck_id, until_at);
CREATE INDEX truck_spans_until_at ON truck_spans (until_at);

-- The same of trucks.
CREATE FUNCTION truck_spans_apart() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(NEW.truck_id::text, 13));
    IF EXISTS (
        SELECT 1 FROM truck_spans o
        WHERE o.truck_id = NEW.truck_id AND o.booking_id <> NEW.booking_id AND o.from_at < NEW.until_at AND o.until_at > NEW.from_at
    ) THEN
        RAISE EXCEPTION 'truck_spans_overlap' USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'truck_spans_overlap';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER truck_spans_overlap BEFORE INSERT OR UPDATE ON truck_spans
    FOR EACH ROW EXECUTE FUNCTION truck_spans_apart();

-- The crews there are. Their half hours were apart, so the work inside of them is.
INSERT INTO crew_spans (booking_id, mate_id, from_at, until_at)
SELECT b.id, c.mate_id, b.move_at,
    b.move_at + GREATEST(b.duration_minutes, 1) * INTERVAL '1 minute'
FROM booking_crews c JOIN bookings b ON b.id = c.booking_id
WHERE b.status = 'assigned';

-- What a mate says of a job, with the instant he did it and the one we heard of it.
CREATE TABLE crew_acts (
    booking_id UUID NOT NULL REFERENCES bookings (id),
    mate_id UUID NOT NULL REFERENCES mates (id),
    act TEXT NOT NULL CHECK (act IN ('accept', 'decline', 'start', 'finish')),
    at TIMESTAMPTZ NOT NULL,
    told_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (booking_id, mate_id, act, at)
);
CREATE INDEX crew_acts_mate_id ON crew_acts (mate_id);
