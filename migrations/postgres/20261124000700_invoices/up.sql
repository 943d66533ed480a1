-- Invoices, and the credit notes that take them back.
CREATE TABLE invoices (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id UUID NOT NULL UNIQUE,
    booking_id UUID NOT NULL REFERENCES bookings (id),
    purpose TEXT NOT NULL CHECK (purpose IN ('move', 'cancellation', 'credit_note')),
    state TEXT NOT NULL CHECK (state IN ('draft', 'issued', 'sent', 'overdue', 'paid', 'void', 'deleted')),
    -- Of which sequence, and the how many-th; drawn when it is issued.
    series TEXT,
    place INTEGER CHECK (place > 0),
    -- As people read it: made of both.
    number TEXT UNIQUE,
    -- The invoice a credit note takes back.
    credits UUID REFERENCES invoices (id),
    total_cents BIGINT NOT NULL,
    -- Lower-case words it is found by.
    words TEXT NOT NULL,
    -- What staff wrote into it while it was a draft.
    edits JSONB NOT NULL,
    -- What was frozen when it was issued.
    paper JSONB,
    -- The payments that settled it, frozen with its last one.
    receipt JSONB,
    -- Why it was taken back.
    reason TEXT,
    issued_at TIMESTAMPTZ,
    due_at TIMESTAMPTZ,
    sent_at TIMESTAMPTZ,
    paid_at TIMESTAMPTZ,
    voided_at TIMESTAMPTZ,
    -- How many reminders went out.
    reminders INTEGER NOT NULL CHECK (reminders >= 0),
    version INTEGER NOT NULL CHECK (version > 0),
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    CHECK ((series IS NULL) = (place IS NULL) AND (series IS NULL) = (number IS NULL) AND (series IS NULL) = (paper IS NULL) AND (series IS NULL) = (issued_at IS NULL)),
    CHECK ((state IN ('draft', 'deleted')) = (series IS NULL)),
    CHECK ((purpose = 'credit_note') = (credits IS NOT NULL)),
    UNIQUE (series, place)
);
-- One that stands for a booking, and one for its cancellation.
CREATE UNIQUE INDEX invoices_live ON invoices (booking_id, purpose) WHERE purpose <> 'credit_note' AND state NOT IN ('void', 'deleted');
CREATE INDEX invoices_booking ON invoices (booking_id, seq);
CREATE INDEX invoices_credits ON invoices (credits) WHERE credits IS NOT NULL;
CREATE INDEX invoices_created ON invoices (created_at, id);
CREATE INDEX invoices_open ON invoices (state, due_at) WHERE state IN ('issued', 'sent', 'overdue');
CREATE FUNCTION invoices_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'an invoice is kept';
    END IF;
    IF old.series IS NOT NULL AND (new.series, new.place, new.number, new.paper, new.total_cents, new.issued_at, new.booking_id)
        IS DISTINCT FROM (old.series, old.place, old.number, old.paper, old.total_cents, old.issued_at, old.booking_id) THEN
        RAISE EXCEPTION 'an issued invoice is frozen';
    END IF;
    RETURN new;
END $$;
CREATE TRIGGER invoices_kept BEFORE UPDATE OR DELETE ON invoices FOR EACH ROW EXECUTE FUNCTION invoices_kept();

-- The last number of each sequence. Drawing one locks its row until the invoice is committed, so that none is lost.
CREATE TABLE invoice_series (
    series TEXT NOT NULL PRIMARY KEY,
    last INTEGER NOT NULL CHECK (last > 0)
);
