DROP TABLE ledger_lines;
DROP TABLE ledger_entries;
DROP TABLE tips;
DROP TABLE payment_attempts;
DROP TABLE payments;
DROP TABLE cards;
DROP FUNCTION refuse_change();
