-- Catalogues that a company keeps in the browser.

-- Discount codes: when one may book with them, how often a customer may, and who did.
ALTER TABLE discounts ADD COLUMN bookable_from TEXT;
ALTER TABLE discounts ADD COLUMN bookable_until TEXT;
ALTER TABLE discounts ADD COLUMN max_uses_per_customer INTEGER CHECK (max_uses_per_customer > 0);
ALTER TABLE discounts ADD COLUMN first_booking_only INTEGER NOT NULL DEFAULT 0 CHECK (first_booking_only IN (0, 1));
CREATE INDEX discounts_created_at ON discounts (created_at, id);

-- A booking that is being paid for has its use already, and no row of `bookings`.
CREATE TABLE discount_uses (
    discount_id TEXT NOT NULL REFERENCES discounts (id),
    booking_id TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES accounts (id),
    taken_at TEXT NOT NULL,
    returned_at TEXT,
    PRIMARY KEY (discount_id, booking_id)
) STRICT;
CREATE INDEX discount_uses_of_user ON discount_uses (user_id, discount_id);
CREATE INDEX discount_uses_taken_at ON discount_uses (discount_id, taken_at);
INSERT INTO discount_uses (discount_id, booking_id, user_id, taken_at, returned_at)
SELECT d.id, b.id, b.user_id, b.created_at,
    CASE WHEN b.status IN ('cancelled', 'deleted') THEN COALESCE(b.cancelled_at, b.updated_at) END
FROM bookings b JOIN discounts d ON d.code = b.discount_code;

-- Who is nobody's colleague any more is sent nowhere: until now that was seen by the missing member.
UPDATE mates SET state = 'archived'
WHERE state = 'active' AND NOT EXISTS (SELECT 1 FROM members m WHERE m.mate_id = mates.id);

-- Trucks by name. How many work is said by the calendar; these are the ones a crew takes.
CREATE TABLE trucks (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    feet INTEGER NOT NULL CHECK (feet IN (10, 20, 26)),
    hub TEXT NOT NULL,
    plate TEXT NOT NULL,
    inspected_until TEXT,
    insured_until TEXT,
    state TEXT NOT NULL CHECK (state IN ('active', 'paused', 'archived')),
    version INTEGER NOT NULL CHECK (version > 0),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
-- Two trucks of a hub that are called the same would be told apart by nobody.
CREATE UNIQUE INDEX trucks_name ON trucks (hub, lower(name)) WHERE state <> 'archived';
