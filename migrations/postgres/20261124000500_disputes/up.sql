-- Charges that their cardholders dispute, attempts that staff asked for, and links to store another card by.
CREATE TABLE disputes (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id UUID NOT NULL UNIQUE,
    booking_id UUID NOT NULL REFERENCES bookings (id),
    payment_id UUID NOT NULL REFERENCES payments (id),
    gateway_id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('opened', 'won', 'lost')),
    amount_cents BIGINT NOT NULL CHECK (amount_cents > 0),
    -- What the gateway and the bank kept for themselves.
    fee_cents BIGINT NOT NULL CHECK (fee_cents >= 0),
    reason TEXT NOT NULL,
    case_number TEXT,
    reply_by TIMESTAMPTZ,
    opened_at TIMESTAMPTZ NOT NULL,
    decided_at TIMESTAMPTZ,
    -- What staff wrote at the papers that answer it, as JSON.
    evidence JSONB NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0)
);
CREATE INDEX disputes_booking_id ON disputes (booking_id, opened_at);
CREATE INDEX disputes_payment_id ON disputes (payment_id);
CREATE INDEX disputes_state ON disputes (state, opened_at);

-- One more attempt than the ladder has, asked for by somebody of the staff: one press an attempt.
CREATE TABLE payment_presses (
    payment_id UUID NOT NULL REFERENCES payments (id),
    number INTEGER NOT NULL CHECK (number > 0),
    at TIMESTAMPTZ NOT NULL,
    pressed_by UUID,
    PRIMARY KEY (payment_id, number)
);

-- The list of failed charges.
CREATE INDEX payments_failed ON payments (due_at) WHERE state IN ('soft_declined', 'hard_declined', 'failed');

-- One more kind of link: it stores another card for a booking.
ALTER TABLE one_time_tokens DROP CONSTRAINT one_time_tokens_purpose_check;
ALTER TABLE one_time_tokens ADD CONSTRAINT one_time_tokens_purpose_check
    CHECK (purpose IN ('verify_email', 'reset_password', 'change_email', 'invite', 'pay', 'card', 'move_page'));
ALTER TABLE one_time_tokens DROP CONSTRAINT one_time_tokens_booking;
ALTER TABLE one_time_tokens ADD CONSTRAINT one_time_tokens_booking
    CHECK ((purpose IN ('pay', 'card', 'move_page')) = (booking_id IS NOT NULL));
