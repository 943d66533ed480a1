-- Invoices, and the credit notes that take them back.
CREATE TABLE invoices (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    booking_id TEXT NOT NULL REFERENCES bookings (id),
    purpose TEXT NOT NULL CHECK (purpose IN ('move', 'cancellation', 'credit_note')),
    state TEXT NOT NULL CHECK (state IN ('draft', 'issued', 'sent', 'overdue', 'paid', 'void', 'deleted')),
    -- Of which sequence, and the how many-th; drawn when it is issued.
    series TEXT,
    place INTEGER CHECK (place > 0),
    -- As people read it: made of both.
    number TEXT UNIQUE,
    -- The invoice a credit note takes back.
    credits TEXT REFERENCES invoices (id),
    total_cents INTEGER NOT NULL,
    -- Lower-case words it is found by.
    words TEXT NOT NULL,
    -- What staff wrote into it while it was a draft.
    edits TEXT NOT NULL,
    -- What was frozen when it was issued.
    paper TEXT,
    -- The payments that settled it, frozen with its last one.
    receipt TEXT,
    -- Why it was taken back.
    reason TEXT,
    issued_at TEXT,
    due_at TEXT,
    sent_at TEXT,
    paid_at TEXT,
    voided_at TEXT,
    -- How many reminders went out.
    reminders INTEGER NOT NULL CHECK (reminders >= 0),
    version INTEGER NOT NULL CHECK (version > 0),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK ((series IS NULL) = (place IS NULL) AND (series IS NULL) = (number IS NULL) AND (series IS NULL) = (paper IS NULL) AND (series IS NULL) = (issued_at IS NULL)),
    CHECK ((state IN ('draft', 'deleted')) = (series IS NULL)),
    CHECK ((purpose = 'credit_note') = (credits IS NOT NULL)),
    UNIQUE (series, place)
) STRICT;
-- One that stands for a booking, and one for its cancellation.
CREATE UNIQUE INDEX invoices_live ON invoices (booking_id, purpose) WHERE purpose <> 'credit_note' AND state NOT IN ('void', 'deleted');
CREATE INDEX invoices_booking ON invoices (booking_id, seq);
CREATE INDEX invoices_credits ON invoices (credits) WHERE credits IS NOT NULL;
CREATE INDEX invoices_created ON invoices (created_at, id);
CREATE INDEX invoices_open ON invoices (state, due_at) WHERE state IN ('issued', 'sent', 'overdue');
CREATE TRIGGER invoices_no_delete BEFORE DELETE ON invoices
BEGIN SELECT RAISE(ABORT, 'an invoice is kept'); END;
CREATE TRIGGER invoices_frozen BEFORE UPDATE ON invoices
WHEN old.series IS NOT NULL AND (new.series IS NOT old.series OR new.place IS NOT old.place OR new.number IS NOT old.number OR new.paper IS NOT old.paper OR new.total_cents IS NOT old.total_cents OR new.issued_at IS NOT old.issued_at OR new.booking_id IS NOT old.booking_id)
BEGIN SELECT RAISE(ABORT, 'an issued invoice is frozen'); END;

-- The last number of each sequence. Drawing one locks its row until the invoice is committed, so that none is lost.
CREATE TABLE invoice_series (
    series TEXT NOT NULL PRIMARY KEY,
    last INTEGER NOT NULL CHECK (last > 0)
) STRICT;
