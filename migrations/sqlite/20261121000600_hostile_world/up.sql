-- What a slow and hostile world needs: one owner of a booking's money at a time, sends that are
-- never repeated, sessions that end at once, bounds on what a stranger may take.

-- Money --------------------------------------------------------------------------------------
-- Who works on a booking's money. Instants are real time, whatever the business clock says.
CREATE TABLE money_leases (
    booking_id TEXT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    held_until TEXT NOT NULL
) STRICT;

-- `held_until` counts real time: what waits for a network must not wait for a date.
ALTER TABLE jobs ADD COLUMN held_until TEXT;

-- Attempts know when they were sent, and may be lost (looked for and never seen).
CREATE TABLE payment_attempts_new (
    order_id TEXT NOT NULL PRIMARY KEY,
    payment_id TEXT NOT NULL REFERENCES payments (id),
    number INTEGER NOT NULL CHECK (number > 0),
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
    method_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('sent', 'applied', 'declined', 'not_applied', 'lost')),
    transaction_id TEXT,
    code TEXT,
    created_at TEXT NOT NULL,
    sent_at TEXT NOT NULL,
    resolved_at TEXT
) STRICT;
INSERT INTO payment_attempts_new
SELECT order_id, payment_id, number, amount_cents, method_id, state, transaction_id, code, created_at, created_at, resolved_at
FROM payment_attempts;
DROP TABLE payment_attempts;
ALTER TABLE payment_attempts_new RENAME TO payment_attempts;
CREATE INDEX payment_attempts_payment_id ON payment_attempts (payment_id, number);
CREATE INDEX payment_attempts_created_at ON payment_attempts (created_at);
-- One send of a payment at a time.
CREATE UNIQUE INDEX payment_attempts_sent_once ON payment_attempts (payment_id) WHERE state = 'sent';

-- A checkout names the booking whose money it moves; one at a time.
CREATE TABLE checkouts_new (
    booking_id TEXT NOT NULL PRIMARY KEY,
    subject TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES accounts (id),
    order_id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('charging', 'booked', 'declined', 'abandoned')),
    plan TEXT NOT NULL CHECK (json_valid(plan)),
    idempotency_scope TEXT,
    idempotency_key TEXT,
    created_at TEXT NOT NULL,
    sent_at TEXT NOT NULL,
    CONSTRAINT checkouts_idempotency CHECK ((idempotency_scope IS NULL) = (idempotency_key IS NULL))
) STRICT;
INSERT INTO checkouts_new
SELECT booking_id, coalesce(json_extract(plan, '$.effect.old.id'), booking_id), user_id, order_id, state, plan,
    idempotency_scope, idempotency_key, created_at, created_at
FROM checkouts;
DROP TABLE checkouts;
ALTER TABLE checkouts_new RENAME TO checkouts;
CREATE INDEX checkouts_state ON checkouts (state, created_at);
CREATE INDEX checkouts_user_id ON checkouts (user_id);
CREATE INDEX checkouts_idempotency_key ON checkouts (idempotency_scope, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX checkouts_subject ON checkouts (subject) WHERE state = 'charging';

-- One tip charge that has not ended well a booking.
UPDATE payments SET state = 'skipped', version = version + 1
WHERE kind = 'tip' AND state = 'failed' AND EXISTS (
    SELECT 1 FROM payments o
    WHERE o.booking_id = payments.booking_id AND o.kind = 'tip' AND o.seq > payments.seq
);
CREATE UNIQUE INDEX payments_one_open_tip ON payments (booking_id)
WHERE kind = 'tip' AND state IN ('scheduled', 'processing', 'unknown', 'soft_declined', 'hard_declined', 'failed');

-- Charges that were applied after their checkout was given up; they go back.
CREATE TABLE stray_charges (
    seq INTEGER PRIMARY KEY,
    order_id TEXT NOT NULL UNIQUE,
    checkout_id TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    found_at TEXT NOT NULL,
    returned_at TEXT,
    return_id TEXT,
    CONSTRAINT stray_charges_return CHECK ((returned_at IS NULL) = (return_id IS NULL))
) STRICT;
-- Columns of JSON that may be empty ------------------------------------------------------------
-- A CHECK on json_valid(NULL) is NULL, which SQLite takes for a yes and older tools for damage. A
-- constraint cannot be changed: the table is made anew, with its indexes and triggers.
CREATE TABLE audit_rows_anew (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,
    actor TEXT,
    role TEXT NOT NULL,
    action TEXT NOT NULL,
    subject_kind TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    state_before TEXT CHECK (state_before IS NULL OR json_valid(state_before)),
    state_after TEXT CHECK (state_after IS NULL OR json_valid(state_after)),
    request_id TEXT
) STRICT;
INSERT INTO audit_rows_anew SELECT * FROM audit_rows ORDER BY seq;
DROP TABLE audit_rows;
ALTER TABLE audit_rows_anew RENAME TO audit_rows;
CREATE INDEX audit_rows_subject ON audit_rows (subject_kind, subject_id, at);
CREATE INDEX audit_rows_request_id ON audit_rows (request_id) WHERE request_id IS NOT NULL;
CREATE TRIGGER audit_rows_no_update BEFORE UPDATE ON audit_rows
BEGIN SELECT RAISE(ABORT, 'audit_rows is append only'); END;
CREATE TRIGGER audit_rows_no_delete BEFORE DELETE ON audit_rows
BEGIN SELECT RAISE(ABORT, 'audit_rows is append only'); END;
-- Times kept by guests -----------------------------------------------------------------------
-- Pseudonyms of the browser and of the address that keep a time, so that neither keeps much more
-- than an honest visitor. They are forgotten when the time is given back or booked.
ALTER TABLE holds ADD COLUMN browser TEXT;
ALTER TABLE holds ADD COLUMN origin TEXT;
CREATE INDEX holds_browser ON holds (browser) WHERE state IN ('active', 'extended') AND browser IS NOT NULL;
CREATE INDEX holds_origin ON holds (origin) WHERE state IN ('active', 'extended') AND origin IS NOT NULL;
-- Tallies ------------------------------------------------------------------------------------
-- What one account or one network may only do so often: refused cards, and cards being tried.
-- Instants of the business clock, oldest first.
CREATE TABLE tallies (
    counted_by TEXT NOT NULL PRIMARY KEY,
    instants TEXT NOT NULL CHECK (json_valid(instants)),
    last_at TEXT NOT NULL
) STRICT;
CREATE INDEX tallies_by_last ON tallies (last_at);
-- Sessions -----------------------------------------------------------------------------------
-- A session ends once, at an instant and for a reason. Its row stays until it would have expired:
-- what was issued from it is looked up here.
ALTER TABLE sessions ADD COLUMN ended_at TEXT;
ALTER TABLE sessions ADD COLUMN end_reason TEXT CHECK (end_reason IN (
    'signed_out', 'replaced', 'password_changed', 'password_reset', 'account_disabled', 'role_removed', 'token_reused',
    'address_claimed'
)) CHECK ((ended_at IS NULL) = (end_reason IS NULL));
-- Whose accounts an operator means by an address.
CREATE INDEX accounts_email ON accounts (lower(email));
