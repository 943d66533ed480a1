-- What lists of bookings filter and sort by, in one narrow row a booking, written with the booking, its payments and its
-- crew: the row of a booking itself has as many columns as a statement may bind, and `payment_state` and `crew_size` are
-- in no column of it. Each index ends with the key, for pages that begin after a row.
CREATE TABLE booking_facts (
    booking_id TEXT NOT NULL PRIMARY KEY REFERENCES bookings (id),
    status TEXT NOT NULL
        CHECK (status IN ('pending', 'assigned', 'completed', 'invoiced', 'payed', 'cancelled', 'deleted')),
    move_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    payment_problem INTEGER NOT NULL CHECK (payment_problem IN (0, 1)),
    payment_state TEXT NOT NULL
        CHECK (payment_state IN ('none', 'deposit_paid', 'paid', 'problem', 'refunded', 'partially_refunded')),
    crew_size INTEGER NOT NULL CHECK (crew_size >= 0),
    -- Will take place and has nobody: a column, so that the index of these few is the one that is read.
    unassigned INTEGER NOT NULL GENERATED ALWAYS AS (crew_size = 0 AND status IN ('pending', 'assigned')) STORED
) STRICT;
INSERT INTO booking_facts (booking_id, status, move_at, created_at, payment_problem, payment_state, crew_size)
SELECT id, status, move_at, created_at, problem,
    CASE
        WHEN problem = 1 THEN 'problem'
        WHEN back > 0 AND back >= taken THEN 'refunded'
        WHEN back > 0 THEN 'partially_refunded'
        WHEN taken <= 0 THEN 'none'
        WHEN taken >= total_cents THEN 'paid'
        ELSE 'deposit_paid'
    END,
    crew_size
FROM (
    SELECT b.id, b.status, b.move_at, b.created_at, b.total_cents,
        COALESCE(json_extract(b.details, '$.paymentProblem'), 0) AS problem,
        -- As the ports have it: a charge counts once it was captured, a refund from when it was decided, a tip never.
        COALESCE((
            SELECT SUM(p.amount_cents) FROM payments p
            WHERE p.booking_id = b.id AND p.settled_at IS NOT NULL
                AND p.kind IN ('deposit', 'balance', 'full', 'difference', 'overtime', 'cancellation_fee')
        ), 0) AS taken,
        COALESCE((
            SELECT SUM(p.amount_cents) FROM payments p
            WHERE p.booking_id = b.id AND p.kind = 'refund' AND p.state NOT IN ('failed', 'skipped', 'voided')
                AND NOT EXISTS (SELECT 1 FROM payments t WHERE t.id = p.refund_of AND t.booking_id = b.id AND t.kind = 'tip')
        ), 0) AS back,
        (SELECT COUNT(*) FROM booking_crews c WHERE c.booking_id = b.id) AS crew_size
    FROM bookings b
) known;
CREATE INDEX booking_facts_moves ON booking_facts (move_at, booking_id);
CREATE INDEX booking_facts_created ON booking_facts (created_at, booking_id);
CREATE INDEX booking_facts_status ON booking_facts (status, move_at, booking_id);
CREATE INDEX booking_facts_payment ON booking_facts (payment_state, move_at, booking_id);
CREATE INDEX booking_facts_unassigned ON booking_facts (move_at, booking_id)
WHERE unassigned;

-- The record as it was before each change, so that what somebody saw can be shown. A booking from before this table has
-- the versions from its next change on.
CREATE TABLE booking_records (
    booking_id TEXT NOT NULL REFERENCES bookings (id),
    version INTEGER NOT NULL CHECK (version > 0),
    replaced_at TEXT NOT NULL,
    record TEXT NOT NULL CHECK (json_valid(record)),
    PRIMARY KEY (booking_id, version)
) STRICT;
