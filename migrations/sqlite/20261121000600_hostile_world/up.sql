-- What a slow and hostile world needs: one owner of a booking's money at a time, sends that are
-- never repeated, sessions that end at once, bounds on what a stranger may take.

-- Money --------------------------------------------------------------------------------------
-- Who works on a booking's money. Instants are real time, whatever the business clock says.
CREATE TABLE money_leases (
    booking_id TEXT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    held_until TEXT NOT NULL
) STRICT;

-- Columns of JSON that may be empty ------------------------------------------------------------
-- A CHECK on json_valid(NULL) is NULL, which SQLite takes for a yes and older tools for damage. A
-- constraint cannot be changed: the table is made anew, with its indexes and triggers.
CREATE TABLE audit_rows_anew (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,
    actor TEXT,
    role TEXT NOT NULL,
    action TEXT NOT NULL,
    subject_kind TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    state_before TEXT CHECK (state_before IS NULL OR json_valid(state_before)),
    state_after TEXT CHECK (state_after IS NULL OR json_valid(state_after)),
    request_id TEXT
) STRICT;
INSERT INTO audit_rows_anew SELECT * FROM audit_rows ORDER BY seq;
DROP TABLE audit_rows;
ALTER TABLE audit_rows_anew RENAME TO audit_rows;
CREATE INDEX audit_rows_subject ON audit_rows (subject_kind, subject_id, at);
CREATE INDEX audit_rows_request_id ON audit_rows (request_id) WHERE request_id IS NOT NULL;
CREATE TRIGGER audit_rows_no_update BEFORE UPDATE ON audit_rows
BEGIN SELECT RAISE(ABORT, 'audit_rows is append only'); END;
CREATE TRIGGER audit_rows_no_delete BEFORE DELETE ON audit_rows
BEGIN SELECT RAISE(ABORT, 'audit_rows is append only'); END;
