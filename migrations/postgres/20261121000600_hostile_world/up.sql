-- What a slow and hostile world needs: one owner of a booking's money at a time, sends that are
-- never repeated, sessions that end at once, bounds on what a stranger may take.

-- Money --------------------------------------------------------------------------------------
-- Who works on a booking's money. Instants are real time, whatever the business clock says.
CREATE TABLE money_leases (
    booking_id UUID NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    held_until TIMESTAMPTZ NOT NULL
);

-- Tallies ------------------------------------------------------------------------------------
-- What one account or one network may only do so often: refused cards, and cards being tried.
-- Instants of the business clock, oldest first.
CREATE TABLE tallies (
    counted_by TEXT NOT NULL PRIMARY KEY,
    instants JSONB NOT NULL,
    last_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX tallies_by_last ON tallies (last_at);
