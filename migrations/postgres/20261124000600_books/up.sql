-- Comparisons of gateway, ledger and histories, with what each found.
CREATE TABLE comparisons (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id UUID NOT NULL UNIQUE,
    from_at TIMESTAMPTZ NOT NULL,
    until_at TIMESTAMPTZ NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    asked_by UUID,
    transactions BIGINT NOT NULL CHECK (transactions >= 0),
    attempts BIGINT NOT NULL CHECK (attempts >= 0),
    bookings BIGINT NOT NULL CHECK (bookings >= 0),
    differences BIGINT NOT NULL CHECK (differences >= 0)
);
CREATE INDEX comparisons_at ON comparisons (at);

CREATE TABLE comparison_differences (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id UUID NOT NULL UNIQUE,
    comparison_id UUID NOT NULL REFERENCES comparisons (id) ON DELETE CASCADE,
    booking_id UUID REFERENCES bookings (id),
    difference JSONB NOT NULL,
    repair JSONB,
    standing TEXT NOT NULL CHECK (standing IN ('open', 'mended', 'repaired', 'gone')),
    changed_at TIMESTAMPTZ NOT NULL,
    changed_by UUID
);
CREATE INDEX comparison_differences_comparison ON comparison_differences (comparison_id, seq);
CREATE INDEX comparison_differences_booking ON comparison_differences (booking_id) WHERE booking_id IS NOT NULL;

-- What a day's comparison goes by, however much lies behind it.
CREATE INDEX bookings_updated_at ON bookings (updated_at);
CREATE INDEX bookings_move_at ON bookings (move_at);
CREATE INDEX payments_next_attempt_at ON payments (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX holds_live_until ON holds (occupied_until) WHERE state IN ('active', 'extended', 'converted');
CREATE INDEX capacity_buckets_date ON capacity_buckets (date);
CREATE INDEX stray_charges_returned_at ON stray_charges (returned_at) WHERE returned_at IS NOT NULL;
-- What is held in trust is a small part of all lines.
CREATE INDEX ledger_lines_trust ON ledger_lines (entry_id, amount_cents) WHERE account = 'trust';
