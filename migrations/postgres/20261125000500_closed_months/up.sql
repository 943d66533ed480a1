-- Months whose books are closed: a row is there while its month is closed; the audit trail says who closed and reopened it.
CREATE TABLE closed_months (
    -- `2027-01`
    month TEXT NOT NULL PRIMARY KEY,
    -- Its end on the company's calendar: nothing is dated before it.
    until_at TIMESTAMPTZ NOT NULL UNIQUE,
    -- From when on it is over wherever the company works: what would have been dated inside is dated then.
    open_from TIMESTAMPTZ NOT NULL,
    closed_at TIMESTAMPTZ NOT NULL,
    closed_by UUID,
    CONSTRAINT closed_months_everywhere CHECK (open_from >= until_at),
    CONSTRAINT closed_months_ended CHECK (closed_at >= open_from)
);

-- Nothing is dated inside a closed month, whoever writes. Each of them says `books_closed`. The lock is that of
-- `lock_books`: who closes a month waits for everybody who is writing, so that nothing is committed into it afterwards.
CREATE FUNCTION books_closed_until() RETURNS timestamptz LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('books', 0));
    RETURN (SELECT MAX(until_at) FROM closed_months);
END $$;
CREATE FUNCTION ledger_entries_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF new.at < books_closed_until() THEN
        RAISE EXCEPTION 'books_closed';
    END IF;
    RETURN new;
END $$;
CREATE TRIGGER ledger_entries_closed BEFORE INSERT ON ledger_entries FOR EACH ROW EXECUTE FUNCTION ledger_entries_closed();
CREATE FUNCTION ledger_lines_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT at FROM ledger_entries WHERE id = new.entry_id) < books_closed_until() THEN
        RAISE EXCEPTION 'books_closed';
    END IF;
    RETURN new;
END $$;
CREATE TRIGGER ledger_lines_closed BEFORE INSERT ON ledger_lines FOR EACH ROW EXECUTE FUNCTION ledger_lines_closed();
CREATE FUNCTION invoices_closed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    closed timestamptz := books_closed_until();
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF new.issued_at < closed OR new.paid_at < closed THEN
            RAISE EXCEPTION 'books_closed';
        END IF;
    ELSIF (new.issued_at IS DISTINCT FROM old.issued_at AND new.issued_at < closed)
        OR (new.paid_at IS DISTINCT FROM old.paid_at AND new.paid_at < closed) THEN
        RAISE EXCEPTION 'books_closed';
    END IF;
    RETURN new;
END $$;
CREATE TRIGGER invoices_closed BEFORE INSERT OR UPDATE ON invoices FOR EACH ROW EXECUTE FUNCTION invoices_closed();
