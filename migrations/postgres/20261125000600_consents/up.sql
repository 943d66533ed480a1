-- One more kind of link: it asks the customer of a booking for a consent. What was asked and answered stands in the booking's
-- document, with the exact words.
ALTER TABLE one_time_tokens DROP CONSTRAINT one_time_tokens_purpose_check;
ALTER TABLE one_time_tokens ADD CONSTRAINT one_time_tokens_purpose_check
    CHECK (purpose IN ('verify_email', 'reset_password', 'change_email', 'invite', 'pay', 'card', 'consent', 'move_page'));
ALTER TABLE one_time_tokens DROP CONSTRAINT one_time_tokens_booking;
ALTER TABLE one_time_tokens ADD CONSTRAINT one_time_tokens_booking
    CHECK ((purpose IN ('pay', 'card', 'consent', 'move_page')) = (booking_id IS NOT NULL));
