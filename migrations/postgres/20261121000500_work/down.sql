DROP TABLE audit_rows;
DROP TABLE idempotency_answers;
DROP TABLE messages;
DROP TABLE jobs;
