-- What a slow and hostile world needs: one owner of a booking's money at a time, sends that are
-- never repeated, sessions that end at once, bounds on what a stranger may take.

-- Money --------------------------------------------------------------------------------------
-- Who works on a booking's money. Instants are real time, whatever the business clock says.
CREATE TABLE money_leases (
    booking_id TEXT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    held_until TEXT NOT NULL
) STRICT;

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
