DROP TABLE checkouts;
DROP TABLE booking_revisions;
DROP TABLE booking_status_changes;
DROP TABLE bookings;
DROP TABLE discounts;
DROP TABLE rates;
