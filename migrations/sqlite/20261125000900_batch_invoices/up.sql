-- One paper for many bookings of a partner: an invoice belongs to a booking or to a partner, and `invoice_bookings` says
-- which bookings stand on it. SQLite cannot change a CHECK: the table is made anew, with its indexes and triggers.
ALTER TABLE partners ADD COLUMN language TEXT CHECK (language IN ('en', 'fr', 'zh'));

CREATE TABLE invoices_anew (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    booking_id TEXT REFERENCES bookings (id),
    -- Whose, where it is one for many bookings.
    partner_id TEXT REFERENCES partners (id),
    purpose TEXT NOT NULL CHECK (purpose IN ('move', 'cancellation', 'batch', 'credit_note')),
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
    CHECK ((booking_id IS NULL) = (partner_id IS NOT NULL)),
    CHECK (purpose = 'credit_note' OR (purpose = 'batch') = (partner_id IS NOT NULL)),
    UNIQUE (series, place)
) STRICT;
INSERT INTO invoices_anew (seq, id, booking_id, purpose, state, series, place, number, credits, total_cents, words, edits, paper, receipt, reason, issued_at, due_at, sent_at, paid_at, voided_at, reminders, version, created_at, updated_at)
SELECT seq, id, booking_id, purpose, state, series, place, number, credits, total_cents, words, edits, paper, receipt, reason, issued_at, due_at, sent_at, paid_at, voided_at, reminders, version, created_at, updated_at FROM invoices;
DROP TABLE invoices;
ALTER TABLE invoices_anew RENAME TO invoices;
-- One that stands for a booking, and one for its cancellation.
CREATE UNIQUE INDEX invoices_live ON invoices (booking_id, purpose) WHERE purpose <> 'credit_note' AND state NOT IN ('void', 'deleted');
CREATE INDEX invoices_booking ON invoices (booking_id, seq);
CREATE INDEX invoices_credits ON invoices (credits) WHERE credits IS NOT NULL;
CREATE INDEX invoices_created ON invoices (created_at, id);
CREATE INDEX invoices_open ON invoices (state, due_at) WHERE state IN ('issued', 'sent', 'overdue');
CREATE INDEX invoices_partner ON invoices (partner_id) WHERE partner_id IS NOT NULL;
CREATE TRIGGER invoices_no_delete BEFORE DELETE ON invoices
BEGIN SELECT RAISE(ABORT, 'an invoice is kept'); END;
CREATE TRIGGER invoices_frozen BEFORE UPDATE ON invoices
WHEN old.series IS NOT NULL AND (new.series IS NOT old.series OR new.place IS NOT old.place OR new.number IS NOT old.number OR new.paper IS NOT old.paper OR new.total_cents IS NOT old.total_cents OR new.issued_at IS NOT old.issued_at OR new.booking_id IS NOT old.booking_id OR new.partner_id IS NOT old.partner_id)
BEGIN SELECT RAISE(ABORT, 'an issued invoice is frozen'); END;
CREATE TRIGGER invoices_closed_insert BEFORE INSERT ON invoices
WHEN new.issued_at < (SELECT MAX(until_at) FROM closed_months) OR new.paid_at < (SELECT MAX(until_at) FROM closed_months)
BEGIN SELECT RAISE(ABORT, 'books_closed'); END;
CREATE TRIGGER invoices_closed_update BEFORE UPDATE ON invoices
WHEN (new.issued_at IS NOT old.issued_at AND new.issued_at < (SELECT MAX(until_at) FROM closed_months))
    OR (new.paid_at IS NOT old.paid_at AND new.paid_at < (SELECT MAX(until_at) FROM closed_months))
BEGIN SELECT RAISE(ABORT, 'books_closed'); END;

-- The bookings of an invoice for moves, and of the credit notes of a partner's.
CREATE TABLE invoice_bookings (
    invoice_id TEXT NOT NULL REFERENCES invoices (id),
    booking_id TEXT NOT NULL REFERENCES bookings (id),
    -- Its invoice is a draft, or stands.
    live INTEGER NOT NULL CHECK (live IN (0, 1)),
    PRIMARY KEY (invoice_id, booking_id)
) STRICT;
-- A booking is on one such invoice only, its own or its partner's.
CREATE UNIQUE INDEX invoice_bookings_live ON invoice_bookings (booking_id) WHERE live = 1;
CREATE INDEX invoice_bookings_booking ON invoice_bookings (booking_id);
INSERT INTO invoice_bookings (invoice_id, booking_id, live)
SELECT id, booking_id, state NOT IN ('void', 'deleted') FROM invoices WHERE purpose = 'move';

CREATE TRIGGER invoices_bookings_begin AFTER INSERT ON invoices
WHEN new.purpose = 'move'
BEGIN INSERT INTO invoice_bookings (invoice_id, booking_id, live) VALUES (new.id, new.booking_id, new.state NOT IN ('void', 'deleted')); END;
CREATE TRIGGER invoices_bookings_follow AFTER UPDATE ON invoices
WHEN new.state IS NOT old.state AND new.purpose IN ('move', 'batch')
BEGIN UPDATE invoice_bookings SET live = new.state NOT IN ('void', 'deleted') WHERE invoice_id = new.id; END;
CREATE TRIGGER invoice_bookings_late BEFORE INSERT ON invoice_bookings
WHEN (SELECT purpose = 'batch' AND state <> 'draft' FROM invoices WHERE id = new.invoice_id)
BEGIN SELECT RAISE(ABORT, 'an issued invoice is frozen'); END;
CREATE TRIGGER invoice_bookings_moved BEFORE UPDATE ON invoice_bookings
WHEN new.invoice_id IS NOT old.invoice_id OR new.booking_id IS NOT old.booking_id
BEGIN SELECT RAISE(ABORT, 'an issued invoice is frozen'); END;
CREATE TRIGGER invoice_bookings_gone BEFORE DELETE ON invoice_bookings
WHEN (SELECT series IS NOT NULL FROM invoices WHERE id = old.invoice_id)
BEGIN SELECT RAISE(ABORT, 'an issued invoice is frozen'); END;
