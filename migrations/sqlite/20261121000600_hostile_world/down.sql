DROP INDEX holds_browser;
DROP INDEX holds_origin;
ALTER TABLE holds DROP COLUMN browser;
ALTER TABLE holds DROP COLUMN origin;
DROP TABLE money_leases;
