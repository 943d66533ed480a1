-- Stored cards, charges and refunds, tips, and the append-only double-entry ledger.
CREATE TABLE cards (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES accounts (id),
    method_id TEXT NOT NULL,
    brand TEXT NOT NULL,
    last4 TEXT NOT NULL,
    expiry TEXT NOT NULL,
    usable INTEGER NOT NULL CHECK (usable IN (0, 1)),
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX cards_user_id ON cards (user_id, created_at DESC);
CREATE INDEX cards_method_id ON cards (method_id);

CREATE TABLE payments (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    booking_id TEXT NOT NULL REFERENCES bookings (id),
    kind TEXT NOT NULL
        CHECK (kind IN ('deposit', 'balance', 'full', 'difference', 'tip', 'overtime', 'cancellation_fee', 'refund')),
    state TEXT NOT NULL CHECK (state IN (
        'scheduled', 'processing', 'unknown', 'authorized', 'captured', 'settled', 'soft_declined', 'hard_declined',
        'failed', 'voided', 'expired', 'skipped', 'refunded', 'partially_refunded', 'charged_back'
    )),
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
    due_at TEXT NOT NULL,
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    next_attempt_at TEXT,
    refund_of TEXT REFERENCES payments (id),
    transaction_id TEXT,
    card_last4 TEXT,
    last_message TEXT,
    settled_at TEXT,
    version INTEGER NOT NULL CHECK (version > 0),
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX payments_booking_id ON payments (booking_id, created_at);
CREATE INDEX payments_refund_of ON payments (refund_of) WHERE refund_of IS NOT NULL;

CREATE TABLE payment_attempts (
    order_id TEXT NOT NULL PRIMARY KEY,
    payment_id TEXT NOT NULL REFERENCES payments (id),
    number INTEGER NOT NULL CHECK (number > 0),
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
    method_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('sent', 'applied', 'declined', 'not_applied')),
    transaction_id TEXT,
    code TEXT,
    created_at TEXT NOT NULL,
    resolved_at TEXT
) STRICT;
CREATE INDEX payment_attempts_payment_id ON payment_attempts (payment_id, number);
CREATE INDEX payment_attempts_created_at ON payment_attempts (created_at);

CREATE TABLE tips (
    id TEXT NOT NULL PRIMARY KEY,
    booking_id TEXT NOT NULL UNIQUE REFERENCES bookings (id),
    kind TEXT NOT NULL CHECK (kind IN ('amount', 'percent')),
    value TEXT NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
    is_paid INTEGER NOT NULL CHECK (is_paid IN (0, 1)),
    payment_id TEXT REFERENCES payments (id),
    version INTEGER NOT NULL CHECK (version > 0),
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX tips_payment_id ON tips (payment_id) WHERE payment_id IS NOT NULL;

CREATE TABLE ledger_entries (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    booking_id TEXT NOT NULL REFERENCES bookings (id),
    payment_id TEXT REFERENCES payments (id),
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    fact_key TEXT NOT NULL UNIQUE
) STRICT;
CREATE INDEX ledger_entries_booking_id ON ledger_entries (booking_id, at);
CREATE INDEX ledger_entries_payment_id ON ledger_entries (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX ledger_entries_at ON ledger_entries (at);

CREATE TABLE ledger_lines (
    entry_id TEXT NOT NULL REFERENCES ledger_entries (id),
    position INTEGER NOT NULL,
    account TEXT NOT NULL CHECK (account IN (
        'gateway', 'customer', 'trust', 'revenue', 'cancellation_revenue', 'gst', 'qst', 'hst', 'tips_payable', 'write_off'
    )),
    amount_cents INTEGER NOT NULL CHECK (amount_cents <> 0),
    PRIMARY KEY (entry_id, position)
) STRICT;

-- What is posted stays posted: a mistake is corrected by another entry.
CREATE TRIGGER ledger_entries_no_update BEFORE UPDATE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'ledger_entries is append only'); END;
CREATE TRIGGER ledger_entries_no_delete BEFORE DELETE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'ledger_entries is append only'); END;
CREATE TRIGGER ledger_lines_no_update BEFORE UPDATE ON ledger_lines
BEGIN SELECT RAISE(ABORT, 'ledger_lines is append only'); END;
CREATE TRIGGER ledger_lines_no_delete BEFORE DELETE ON ledger_lines
BEGIN SELECT RAISE(ABORT, 'ledger_lines is append only'); END;
