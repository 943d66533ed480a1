-- Photos that a crew takes before and after a move. They are apart from the customer's: nobody but the crew and staff sees
-- them. The file is the last column, so that whoever lists photos does not read it.
CREATE TABLE crew_photos (
    id UUID NOT NULL PRIMARY KEY,
    booking_id UUID NOT NULL REFERENCES bookings (id),
    mate_id UUID NOT NULL REFERENCES mates (id),
    stage TEXT NOT NULL CHECK (stage IN ('before', 'after')),
    taken_at TIMESTAMPTZ NOT NULL,
    added_at TIMESTAMPTZ NOT NULL,
    -- SHA-256 of the file as it was sent. A telephone without signal may send a photo again after days.
    digest TEXT NOT NULL CHECK (length(digest) = 64),
    width INTEGER NOT NULL CHECK (width BETWEEN 1 AND 2048),
    height INTEGER NOT NULL CHECK (height BETWEEN 1 AND 2048),
    bytes INTEGER NOT NULL CHECK (bytes BETWEEN 1 AND 8388608),
    jpeg BYTEA NOT NULL,
    CONSTRAINT crew_photos_file CHECK (octet_length(jpeg) = bytes),
    CONSTRAINT crew_photos_once UNIQUE (booking_id, mate_id, stage, digest)
);
-- A JPEG does not become smaller by packing it once more.
ALTER TABLE crew_photos ALTER COLUMN jpeg SET STORAGE EXTERNAL;
CREATE INDEX crew_photos_booking_id ON crew_photos (booking_id, taken_at, id);
CREATE INDEX crew_photos_mate_id ON crew_photos (mate_id);

-- The mate who wrote a note on the job; none: staff wrote it.
ALTER TABLE booking_notes ADD COLUMN mate_id UUID REFERENCES mates (id);
CREATE INDEX booking_notes_mate_id ON booking_notes (mate_id) WHERE mate_id IS NOT NULL;
