-- Photos of what is special about a move. The file is the last column, so that whoever lists photos does not read it. It
-- is in the database because a backup, a restored copy and each of several servers must have it.
CREATE TABLE booking_photos (
    id UUID NOT NULL PRIMARY KEY,
    booking_id UUID NOT NULL REFERENCES bookings (id),
    added_by UUID NOT NULL REFERENCES accounts (id),
    added_at TIMESTAMPTZ NOT NULL,
    width INTEGER NOT NULL CHECK (width BETWEEN 1 AND 2048),
    height INTEGER NOT NULL CHECK (height BETWEEN 1 AND 2048),
    bytes INTEGER NOT NULL CHECK (bytes BETWEEN 1 AND 8388608),
    jpeg BYTEA NOT NULL,
    CONSTRAINT booking_photos_file CHECK (octet_length(jpeg) = bytes)
);
-- A JPEG does not become smaller by packing it once more.
ALTER TABLE booking_photos ALTER COLUMN jpeg SET STORAGE EXTERNAL;
CREATE INDEX booking_photos_booking_id ON booking_photos (booking_id, added_at, id);
CREATE INDEX booking_photos_added_by ON booking_photos (added_by);

-- One more kind of link: it changes the address of an account.
ALTER TABLE one_time_tokens DROP CONSTRAINT one_time_tokens_purpose_check;
ALTER TABLE one_time_tokens ADD CONSTRAINT one_time_tokens_purpose_check
    CHECK (purpose IN ('verify_email', 'reset_password', 'change_email', 'invite', 'pay', 'move_page'));
