DROP TABLE stray_charges;
DROP INDEX payments_one_open_tip;
DROP INDEX checkouts_subject;
ALTER TABLE checkouts DROP COLUMN sent_at;
ALTER TABLE checkouts DROP COLUMN subject;
DROP INDEX payment_attempts_sent_once;
ALTER TABLE payment_attempts DROP COLUMN sent_at;
ALTER TABLE jobs DROP COLUMN held_until;
DROP TABLE money_leases;
