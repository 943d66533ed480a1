-- Each lane of the worker claims its own kinds of jobs: what is due of the others, and what is queued for later, is not gone
-- through.
CREATE INDEX jobs_due_of_kind ON jobs (kind, run_at, seq) WHERE state = 'queued';
