DROP TRIGGER audit_rows_no_delete;
DROP TRIGGER audit_rows_no_update;
DROP TABLE audit_rows;
DROP TABLE idempotency_answers;
DROP TABLE messages;
DROP TABLE jobs;
