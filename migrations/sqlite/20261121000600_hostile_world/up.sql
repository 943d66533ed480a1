-- What a slow and hostile world needs: one owner of a booking's money at a time, sends that are
-- never repeated, sessions that end at once, bounds on what a stranger may take.

-- Money --------------------------------------------------------------------------------------
-- Who works on a booking's money. Instants are real time, whatever the business clock says.
CREATE TABLE money_leases (
    booking_id TEXT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    held_until TEXT NOT NULL
) STRICT;
