-- One more kind of link: it asks the customer of a booking for a consent. SQLite cannot change a CHECK, so the table is made
-- anew. What was asked and answered stands in the booking's document, with the exact words.
CREATE TABLE one_time_tokens_anew (
    token_hash TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES accounts (id),
    purpose TEXT NOT NULL
        CHECK (purpose IN ('verify_email', 'reset_password', 'change_email', 'invite', 'pay', 'card', 'consent', 'move_page')),
    email_key TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    spent_at TEXT,
    booking_id TEXT REFERENCES bookings (id),
    -- What is paid, agreed to or shown without signing in is one booking.
    CONSTRAINT one_time_tokens_booking
        CHECK ((purpose IN ('pay', 'card', 'consent', 'move_page')) = (booking_id IS NOT NULL))
) STRICT;
INSERT INTO one_time_tokens_anew (token_hash, user_id, purpose, email_key, created_at, expires_at, spent_at, booking_id)
SELECT token_hash, user_id, purpose, email_key, created_at, expires_at, spent_at, booking_id FROM one_time_tokens;
DROP TABLE one_time_tokens;
ALTER TABLE one_time_tokens_anew RENAME TO one_time_tokens;
CREATE INDEX one_time_tokens_user_id ON one_time_tokens (user_id, purpose);
CREATE INDEX one_time_tokens_expires_at ON one_time_tokens (expires_at);
CREATE INDEX one_time_tokens_booking_id ON one_time_tokens (booking_id) WHERE booking_id IS NOT NULL;
