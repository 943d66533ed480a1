-- Work that happens later, messages to people, answers already given, and who changed what.
CREATE TABLE jobs (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL CHECK (json_valid(payload)),
    run_at TEXT NOT NULL,
    dedup_key TEXT,
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    max_attempts INTEGER NOT NULL CHECK (max_attempts > 0),
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'dead')),
    locked_by TEXT,
    locked_until TEXT,
    last_error TEXT,
    finished_at TEXT,
    CONSTRAINT jobs_lease CHECK ((state = 'running') = (locked_by IS NOT NULL) AND (locked_by IS NULL) = (locked_until IS NULL))
) STRICT;
CREATE UNIQUE INDEX jobs_queued_once ON jobs (dedup_key) WHERE state = 'queued';
CREATE INDEX jobs_due ON jobs (run_at, seq) WHERE state = 'queued';
CREATE INDEX jobs_leases ON jobs (locked_until) WHERE state = 'running';
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE state = 'done';
CREATE INDEX jobs_dead ON jobs (finished_at DESC) WHERE state = 'dead';

CREATE TABLE messages (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    dedup_key TEXT NOT NULL UNIQUE,
    booking_id TEXT REFERENCES bookings (id),
    user_id TEXT REFERENCES accounts (id),
    message_type TEXT NOT NULL,
    language TEXT NOT NULL CHECK (language IN ('en', 'fr', 'zh')),
    recipient TEXT NOT NULL,
    recipient_name TEXT NOT NULL,
    template_values TEXT NOT NULL CHECK (json_valid(template_values)),
    state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'dead')),
    created_at TEXT NOT NULL,
    sent_at TEXT
) STRICT;
CREATE INDEX messages_booking_id ON messages (booking_id, created_at) WHERE booking_id IS NOT NULL;
CREATE INDEX messages_user_id ON messages (user_id) WHERE user_id IS NOT NULL;

CREATE TABLE idempotency_answers (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    status INTEGER NOT NULL,
    answer TEXT NOT NULL CHECK (json_valid(answer)),
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    PRIMARY KEY (scope, key)
) STRICT;
CREATE INDEX idempotency_answers_expires_at ON idempotency_answers (expires_at);

CREATE TABLE audit_rows (
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
CREATE INDEX audit_rows_subject ON audit_rows (subject_kind, subject_id, at);
CREATE INDEX audit_rows_request_id ON audit_rows (request_id) WHERE request_id IS NOT NULL;
CREATE TRIGGER audit_rows_no_update BEFORE UPDATE ON audit_rows
BEGIN SELECT RAISE(ABORT, 'audit_rows is append only'); END;
CREATE TRIGGER audit_rows_no_delete BEFORE DELETE ON audit_rows
BEGIN SELECT RAISE(ABORT, 'audit_rows is append only'); END;
