-- What a slow and hostile world needs: one owner of a booking's money at a time, sends that are
-- never repeated, sessions that end at once, bounds on what a stranger may take.

-- Money --------------------------------------------------------------------------------------
-- Who works on a booking's money. Instants are real time, whatever the business clock says.
CREATE TABLE money_leases (
    booking_id UUID NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    held_until TIMESTAMPTZ NOT NULL
);

-- `held_until` counts real time: what waits for a network must not wait for a date.
ALTER TABLE jobs ADD COLUMN held_until TIMESTAMPTZ;

-- Attempts know when they were sent, and may be lost (looked for and never seen).
ALTER TABLE payment_attempts DROP CONSTRAINT payment_attempts_state_check;
ALTER TABLE payment_attempts
    ADD CONSTRAINT payment_attempts_state_check CHECK (state IN ('sent', 'applied', 'declined', 'not_applied', 'lost'));
ALTER TABLE payment_attempts ADD COLUMN sent_at TIMESTAMPTZ;
UPDATE payment_attempts SET sent_at = created_at;
ALTER TABLE payment_attempts ALTER COLUMN sent_at SET NOT NULL;
-- One send of a payment at a time.
CREATE UNIQUE INDEX payment_attempts_sent_once ON payment_attempts (payment_id) WHERE state = 'sent';

-- A checkout names the booking whose money it moves; one at a time.
ALTER TABLE checkouts ADD COLUMN subject UUID;
UPDATE checkouts SET subject = coalesce((plan #>> '{effect,old,id}')::uuid, booking_id);
ALTER TABLE checkouts ALTER COLUMN subject SET NOT NULL;
ALTER TABLE checkouts ADD COLUMN sent_at TIMESTAMPTZ;
UPDATE checkouts SET sent_at = created_at;
ALTER TABLE checkouts ALTER COLUMN sent_at SET NOT NULL;
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
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id TEXT NOT NULL UNIQUE,
    checkout_id UUID NOT NULL,
    transaction_id TEXT NOT NULL,
    amount_cents BIGINT NOT NULL CHECK (amount_cents > 0),
    found_at TIMESTAMPTZ NOT NULL,
    returned_at TIMESTAMPTZ,
    return_id TEXT,
    CONSTRAINT stray_charges_return CHECK ((returned_at IS NULL) = (return_id IS NULL))
);
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
    instants JSONB NOT NULL,
    last_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX tallies_by_last ON tallies (last_at);
-- Sessions -----------------------------------------------------------------------------------
-- A session ends once, at an instant and for a reason. Its row stays until it would have expired:
-- what was issued from it is looked up here.
ALTER TABLE sessions ADD COLUMN ended_at TIMESTAMPTZ;
ALTER TABLE sessions ADD COLUMN end_reason TEXT CHECK (end_reason IN (
    'signed_out', 'replaced', 'password_changed', 'password_reset', 'account_disabled', 'role_removed', 'token_reused',
    'address_claimed'
)) CHECK ((ended_at IS NULL) = (end_reason IS NULL));
-- Whose accounts an operator means by an address.
CREATE INDEX accounts_email ON accounts (lower(email));
