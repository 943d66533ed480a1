-- One paper for many bookings of a partner: an invoice belongs to a booking or to a partner, and `invoice_bookings` says
-- which bookings stand on it.
ALTER TABLE partners ADD COLUMN language TEXT CHECK (language IN ('en', 'fr', 'zh'));

ALTER TABLE invoices ALTER COLUMN booking_id DROP NOT NULL;
ALTER TABLE invoices ADD COLUMN partner_id UUID REFERENCES partners (id);
ALTER TABLE invoices DROP CONSTRAINT invoices_purpose_check;
ALTER TABLE invoices ADD CONSTRAINT invoices_purpose_check CHECK (purpose IN ('move', 'cancellation', 'batch', 'credit_note'));
ALTER TABLE invoices ADD CONSTRAINT invoices_whose CHECK ((booking_id IS NULL) = (partner_id IS NOT NULL));
ALTER TABLE invoices ADD CONSTRAINT invoices_of_partner CHECK (purpose = 'credit_note' OR (purpose = 'batch') = (partner_id IS NOT NULL));
CREATE INDEX invoices_partner ON invoices (partner_id) WHERE partner_id IS NOT NULL;
CREATE OR REPLACE FUNCTION invoices_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'an invoice is kept';
    END IF;
    IF old.series IS NOT NULL AND (new.series, new.place, new.number, new.paper, new.total_cents, new.issued_at, new.booking_id, new.partner_id)
        IS DISTINCT FROM (old.series, old.place, old.number, old.paper, old.total_cents, old.issued_at, old.booking_id, old.partner_id) THEN
        RAISE EXCEPTION 'an issued invoice is frozen';
    END IF;
    RETURN new;
END $$;

-- The bookings of an invoice for moves, and of the credit notes of a partner's.
CREATE TABLE invoice_bookings (
    invoice_id UUID NOT NULL REFERENCES invoices (id),
    booking_id UUID NOT NULL REFERENCES bookings (id),
    -- Its invoice is a draft, or stands.
    live BOOLEAN NOT NULL,
    PRIMARY KEY (invoice_id, booking_id)
);
-- A booking is on one such invoice only, its own or its partner's.
CREATE UNIQUE INDEX invoice_bookings_live ON invoice_bookings (booking_id) WHERE live;
CREATE INDEX invoice_bookings_booking ON invoice_bookings (booking_id);
INSERT INTO invoice_bookings (invoice_id, booking_id, live)
SELECT id, booking_id, state NOT IN ('void', 'deleted') FROM invoices WHERE purpose = 'move';

CREATE FUNCTION invoices_bookings_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF new.purpose = 'move' THEN
            INSERT INTO invoice_bookings (invoice_id, booking_id, live) VALUES (new.id, new.booking_id, new.state NOT IN ('void', 'deleted'));
        END IF;
    ELSIF new.state <> old.state AND new.purpose IN ('move', 'batch') THEN
        UPDATE invoice_bookings SET live = new.state NOT IN ('void', 'deleted') WHERE invoice_id = new.id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER invoices_bookings_follow AFTER INSERT OR UPDATE ON invoices FOR EACH ROW EXECUTE FUNCTION invoices_bookings_follow();

CREATE FUNCTION invoice_bookings_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    of RECORD;
BEGIN
    SELECT purpose, state, series INTO of FROM invoices WHERE id = (CASE WHEN TG_OP = 'INSERT' THEN new.invoice_id ELSE old.invoice_id END);
    IF TG_OP = 'INSERT' AND of.purpose = 'batch' AND of.state <> 'draft' OR TG_OP = 'DELETE' AND of.series IS NOT NULL THEN
        RAISE EXCEPTION 'an issued invoice is frozen';
    END IF;
    IF TG_OP = 'UPDATE' AND (new.invoice_id, new.booking_id) IS DISTINCT FROM (old.invoice_id, old.booking_id) THEN
        RAISE EXCEPTION 'an issued invoice is frozen';
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN old;
    END IF;
    RETURN new;
END $$;
CREATE TRIGGER invoice_bookings_frozen BEFORE INSERT OR UPDATE OR DELETE ON invoice_bookings FOR EACH ROW EXECUTE FUNCTION invoice_bookings_frozen();
