-- Charges that their cardholders dispute, attempts that staff asked for, and links to store another card by.
CREATE TABLE disputes (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    booking_id TEXT NOT NULL REFERENCES bookings (id),
    payment_id TEXT NOT NULL REFERENCES payments (id),
    gateway_id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('opened', 'won', 'lost')),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    -- What the gateway and the bank kept for themselves.
    fee_cents INTEGER NOT NULL CHECK (fee_cents >= 0),
    reason TEXT NOT NULL,
    case_number TEXT,
    reply_by TEXT,
    opened_at TEXT NOT NULL,
    decided_at TEXT,
    -- What staff wrote at the papers that answer it, as JSON.
    evidence TEXT NOT NULL CHECK (json_valid(evidence)),
    version INTEGER NOT NULL CHECK (version > 0)
) STRICT;
CREATE INDEX disputes_booking_id ON disputes (booking_id, opened_at);
CREATE INDEX disputes_payment_id ON disputes (payment_id);
CREATE INDEX disputes_state ON disputes (state, opened_at);

-- One more attempt than the ladder has, asked for by somebody of the staff: one press an attempt.
CREATE TABLE payment_presses (
    payment_id TEXT NOT NULL REFERENCES payments (id),
    number INTEGER NOT NULL CHECK (number > 0),
    at TEXT NOT NULL,
    pressed_by TEXT,
    PRIMARY KEY (payment_id, number)
) STRICT;

-- The list of failed charges.
CREATE INDEX payments_failed ON payments (due_at) WHERE state IN ('soft_declined', 'hard_declined', 'failed');

-- One more kind of link: it stores another card for a booking. SQLite cannot change a CHECK, so the table is made anew.
CREATE TABLE one_time_tokens_anew (
    token_hash TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES accounts (id),
    purpose TEXT NOT NULL
        CHECK (purpose IN ('verify_email', 'reset_password', 'change_email', 'invite', 'pay', 'card', 'move_page')),
    email_key TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    spent_at TEXT,
    booking_id TEXT REFERENCES bookings (id),
    -- What is paid or shown without signing in is one booking.
    CONSTRAINT one_time_tokens_booking CHECK ((purpose IN ('pay', 'card', 'move_page')) = (booking_id IS NOT NULL))
) STRICT;
INSERT INTO one_time_tokens_anew (token_hash, user_id, purpose, email_key, created_at, expires_at, spent_at, booking_id)
SELECT token_hash, user_id, purpose, email_key, created_at, expires_at, spent_at, booking_id FROM one_time_tokens;
DROP TABLE one_time_tokens;
ALTER TABLE one_time_tokens_anew RENAME TO one_time_tokens;
CREATE INDEX one_time_tokens_user_id ON one_time_tokens (user_id, purpose);
CREATE INDEX one_time_tokens_expires_at ON one_time_tokens (expires_at);
CREATE INDEX one_time_tokens_booking_id ON one_time_tokens (booking_id) WHERE booking_id IS NOT NULL;
