DROP INDEX accounts_email;
ALTER TABLE sessions DROP COLUMN end_reason;
ALTER TABLE sessions DROP COLUMN ended_at;
DROP TABLE money_leases;
