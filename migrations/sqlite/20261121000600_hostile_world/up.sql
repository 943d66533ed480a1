-- What a slow and hostile world needs: one owner of a booking's money at a time, sends that are
-- never repeated, sessions that end at once, bounds on what a stranger may take.

-- Money --------------------------------------------------------------------------------------
-- Who works on a booking's money. Instants are real time, whatever the business clock says.
CREATE TABLE money_leases (
    booking_id TEXT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    held_until TEXT NOT NULL
) STRICT;

-- Times kept by guests -----------------------------------------------------------------------
-- Pseudonyms of the browser and of the address that keep a time, so that neither keeps much more
-- than an honest visitor. They are forgotten when the time is given back or booked.
ALTER TABLE holds ADD COLUMN browser TEXT;
ALTER TABLE holds ADD COLUMN origin TEXT;
CREATE INDEX holds_browser ON holds (browser) WHERE state IN ('active', 'extended') AND browser IS NOT NULL;
CREATE INDEX holds_origin ON holds (origin) WHERE state IN ('active', 'extended') AND origin IS NOT NULL;
