-- Which installation this database belongs to: one row, written when a server or worker first works on it.
-- A copy that is started elsewhere has the row of another place, and neither mails nor charges.
CREATE TABLE installation (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- demo or production
    mode TEXT NOT NULL,
    -- Names this very database.
    place TEXT NOT NULL,
    public_url TEXT NOT NULL,
    adopted_at TIMESTAMPTZ NOT NULL
);
