-- How a booking is paid, beside what else staff's lists filter by. All that were booked before are charged by card.
ALTER TABLE booking_facts ADD COLUMN paid_by TEXT NOT NULL DEFAULT 'card'
    CHECK (paid_by IN ('card', 'link', 'invoice', 'onSite'));
CREATE INDEX booking_facts_paid_by ON booking_facts (paid_by, move_at, booking_id) WHERE paid_by <> 'card';
