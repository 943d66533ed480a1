-- Photos of what is special about a move. The file is the last column, so that whoever lists photos does not read it. It
-- is in the database because a backup, a restored copy and each of several servers must have it.
CREATE TABLE booking_photos (
    id TEXT NOT NULL PRIMARY KEY,
    booking_id TEXT NOT NULL REFERENCES bookings (id),
    added_by TEXT NOT NULL REFERENCES accounts (id),
    added_at TEXT NOT NULL,
    width INTEGER NOT NULL CHECK (width BETWEEN 1 AND 2048),
    height INTEGER NOT NULL CHECK (height BETWEEN 1 AND 2048),
    bytes INTEGER NOT NULL CHECK (bytes BETWEEN 1 AND 8388608),
    jpeg BLOB NOT NULL CHECK (length(jpeg) = bytes)
) STRICT;
CREATE INDEX booking_photos_booking_id ON booking_photos (booking_id, added_at, id);
CREATE INDEX booking_photos_added_by ON booking_photos (added_by);

-- One more kind of link: it changes the address of an account. SQLite cannot change a CHECK, so the table is made anew.
CREATE TABLE one_time_tokens_anew (
    token_hash TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES accounts (id),
    purpose TEXT NOT NULL
        CHECK (purpose IN ('verify_email', 'reset_password', 'change_email', 'invite', 'pay', 'move_page')),
    email_key TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    spent_at TEXT,
    booking_id TEXT REFERENCES bookings (id),
    -- What is paid or shown without signing in is one booking.
    CONSTRAINT one_time_tokens_booking CHECK ((purpose IN ('pay', 'move_page')) = (booking_id IS NOT NULL))
) STRICT;
INSERT INTO one_time_tokens_anew (token_hash, user_id, purpose, email_key, created_at, expires_at, spent_at, booking_id)
SELECT token_hash, user_id, purpose, email_key, created_at, expires_at, spent_at, booking_id FROM one_time_tokens;
DROP TABLE one_time_tokens;
ALTER TABLE one_time_tokens_anew RENAME TO one_time_tokens;
CREATE INDEX one_time_tokens_user_id ON one_time_tokens (user_id, purpose);
CREATE INDEX one_time_tokens_expires_at ON one_time_tokens (expires_at);
CREATE INDEX one_time_tokens_booking_id ON one_time_tokens (booking_id) WHERE booking_id IS NOT NULL;
