-- Months whose books are closed: a row is there while its month is closed; the audit trail says who closed and reopened it.
CREATE TABLE closed_months (
    -- `2027-01`
    month TEXT NOT NULL PRIMARY KEY,
    -- Its end on the company's calendar: nothing is dated before it.
    until_at TEXT NOT NULL UNIQUE,
    -- From when on it is over wherever the company works: what would have been dated inside is dated then.
    open_from TEXT NOT NULL,
    closed_at TEXT NOT NULL,
    closed_by TEXT,
    CHECK (open_from >= until_at),
    CHECK (closed_at >= open_from)
) STRICT;

-- Nothing is dated inside a closed month, whoever writes. Each of them says `books_closed`.
CREATE TRIGGER ledger_entries_closed BEFORE INSERT ON ledger_entries
WHEN new.at < (SELECT MAX(until_at) FROM closed_months)
BEGIN SELECT RAISE(ABORT, 'books_closed'); END;
CREATE TRIGGER ledger_lines_closed BEFORE INSERT ON ledger_lines
WHEN (SELECT at FROM ledger_entries WHERE id = new.entry_id) < (SELECT MAX(until_at) FROM closed_months)
BEGIN SELECT RAISE(ABORT, 'books_closed'); END;
CREATE TRIGGER invoices_closed_insert BEFORE INSERT ON invoices
WHEN new.issued_at < (SELECT MAX(until_at) FROM closed_months) OR new.paid_at < (SELECT MAX(until_at) FROM closed_months)
BEGIN SELECT RAISE(ABORT, 'books_closed'); END;
CREATE TRIGGER invoices_closed_update BEFORE UPDATE ON invoices
WHEN (new.issued_at IS NOT old.issued_at AND new.issued_at < (SELECT MAX(until_at) FROM closed_months))
    OR (new.paid_at IS NOT old.paid_at AND new.paid_at < (SELECT MAX(until_at) FROM closed_months))
BEGIN SELECT RAISE(ABORT, 'books_closed'); END;
