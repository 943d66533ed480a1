-- What money of a booking goes by, as the program last wrote it: a row that somebody changed by hand is seen by it, and put back. A
-- booking from before this table has its copy from its next change on. Who changes bookings by hand in a later migration deletes the
-- copies of those.
CREATE TABLE booking_copies (
    booking_id TEXT PRIMARY KEY NOT NULL REFERENCES bookings (id),
    copy TEXT NOT NULL CHECK (json_valid(copy))
) STRICT;
