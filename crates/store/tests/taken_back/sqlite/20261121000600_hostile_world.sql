DROP INDEX accounts_email;
ALTER TABLE sessions DROP COLUMN end_reason;
ALTER TABLE sessions DROP COLUMN ended_at;
DROP TABLE tallies;
DROP INDEX holds_browser;
DROP INDEX holds_origin;
ALTER TABLE holds DROP COLUMN browser;
ALTER TABLE holds DROP COLUMN origin;
DROP TABLE stray_charges;
DROP INDEX payments_one_open_tip;
DROP INDEX checkouts_subject;
ALTER TABLE checkouts DROP COLUMN sent_at;
ALTER TABLE checkouts DROP COLUMN subject;
DROP INDEX payment_attempts_sent_once;
ALTER TABLE payment_attempts DROP COLUMN sent_at;
ALTER TABLE jobs DROP COLUMN held_until;
-- Columns of JSON that may be empty: the table as it was.
CREATE TABLE audit_rows_anew (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,
    actor TEXT,
    role TEXT NOT NULL,
    action TEXT NOT NULL,
    subject_kind TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    state_before TEXT CHECK (json_valid(state_before)),
    state_after TEXT CHECK (json_valid(state_after)),
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
DROP TABLE money_leases;
