-- Comparisons of gateway, ledger and histories, with what each found.
CREATE TABLE comparisons (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    from_at TEXT NOT NULL,
    until_at TEXT NOT NULL,
    at TEXT NOT NULL,
    asked_by TEXT,
    transactions INTEGER NOT NULL CHECK (transactions >= 0),
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    bookings INTEGER NOT NULL CHECK (bookings >= 0),
    differences INTEGER NOT NULL CHECK (differences >= 0)
) STRICT;
CREATE INDEX comparisons_at ON comparisons (at);

CREATE TABLE comparison_differences (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    comparison_id TEXT NOT NULL REFERENCES comparisons (id) ON DELETE CASCADE,
    booking_id TEXT REFERENCES bookings (id),
    difference TEXT NOT NULL CHECK (json_valid(difference)),
    repair TEXT CHECK (repair IS NULL OR json_valid(repair)),
    standing TEXT NOT NULL CHECK (standing IN ('open', 'mended', 'repaired', 'gone')),
    changed_at TEXT NOT NULL,
    changed_by TEXT
) STRICT;
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
