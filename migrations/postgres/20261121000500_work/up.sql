-- Work that happens later, messages to people, answers already given, and who changed what.
CREATE TABLE jobs (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id UUID NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    payload JSONB NOT NULL,
    run_at TIMESTAMPTZ NOT NULL,
    dedup_key TEXT,
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    max_attempts INTEGER NOT NULL CHECK (max_attempts > 0),
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'dead')),
    locked_by TEXT,
    locked_until TIMESTAMPTZ,
    last_error TEXT,
    finished_at TIMESTAMPTZ,
    CONSTRAINT jobs_lease CHECK ((state = 'running') = (locked_by IS NOT NULL) AND (locked_by IS NULL) = (locked_until IS NULL))
);
CREATE UNIQUE INDEX jobs_queued_once ON jobs (dedup_key) WHERE state = 'queued';
CREATE INDEX jobs_due ON jobs (run_at, seq) WHERE state = 'queued';
CREATE INDEX jobs_leases ON jobs (locked_until) WHERE state = 'running';
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE state = 'done';
CREATE INDEX jobs_dead ON jobs (finished_at DESC) WHERE state = 'dead';

CREATE TABLE messages (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id UUID NOT NULL UNIQUE,
    dedup_key TEXT NOT NULL UNIQUE,
    booking_id UUID REFERENCES bookings (id),
    user_id UUID REFERENCES accounts (id),
    message_type TEXT NOT NULL,
    language TEXT NOT NULL CHECK (language IN ('en', 'fr', 'zh')),
    recipient TEXT NOT NULL,
    recipient_name TEXT NOT NULL,
    template_values JSONB NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'dead')),
    created_at TIMESTAMPTZ NOT NULL,
    sent_at TIMESTAMPTZ
);
CREATE INDEX messages_booking_id ON messages (booking_id, created_at) WHERE booking_id IS NOT NULL;
CREATE INDEX messages_user_id ON messages (user_id) WHERE user_id IS NOT NULL;

CREATE TABLE idempotency_answers (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    status INTEGER NOT NULL,
    answer JSONB NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_answers_expires_at ON idempotency_answers (expires_at);

CREATE TABLE audit_rows (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id UUID NOT NULL UNIQUE,
    at TIMESTAMPTZ NOT NULL,
    actor UUID,
    role TEXT NOT NULL,
    action TEXT NOT NULL,
    subject_kind TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    state_before JSONB,
    state_after JSONB,
    request_id TEXT
);
CREATE INDEX audit_rows_subject ON audit_rows (subject_kind, subject_id, at);
CREATE INDEX audit_rows_request_id ON audit_rows (request_id) WHERE request_id IS NOT NULL;
CREATE TRIGGER audit_rows_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_rows
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
