-- Who comes, by name, and for which half hours.
CREATE TABLE booking_crews (
    booking_id TEXT NOT NULL REFERENCES bookings (id),
    mate_id TEXT NOT NULL,
    -- The name when it was assigned: a member who leaves is deleted, the move keeps its crew.
    name TEXT NOT NULL,
    since TEXT NOT NULL,
    PRIMARY KEY (booking_id, mate_id)
) STRICT;
CREATE INDEX booking_crews_mate_id ON booking_crews (mate_id);

-- Half hours by their instant, not by a hub's local day: mates belong to no hub, and the days of two
-- zones are not the same. The key is what refuses a mate on two moves at once.
CREATE TABLE crew_times (
    mate_id TEXT NOT NULL,
    half_hour TEXT NOT NULL,
    booking_id TEXT NOT NULL,
    PRIMARY KEY (mate_id, half_hour),
    FOREIGN KEY (booking_id, mate_id) REFERENCES booking_crews (booking_id, mate_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX crew_times_booking_id ON crew_times (booking_id, mate_id);
CREATE INDEX crew_times_half_hour ON crew_times (half_hour);

CREATE UNIQUE INDEX members_mate_id ON members (mate_id) WHERE mate_id IS NOT NULL;

-- Until now `assigned` was somebody's word. Nobody is on these bookings, so that they say so.
INSERT INTO booking_status_changes (booking_id, from_status, to_status, role, at, reason)
SELECT id, 'assigned', 'pending', 'system', strftime('%Y-%m-%d %H:%M:%f', 'now') || '000', 'crew_missing' FROM bookings WHERE status = 'assigned';
UPDATE bookings SET status = 'pending', version = version + 1 WHERE status = 'assigned';

-- What a job failed by itself, apart from how often it was claimed: a killed worker is not the job's
-- failure.
ALTER TABLE jobs ADD COLUMN failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0);
