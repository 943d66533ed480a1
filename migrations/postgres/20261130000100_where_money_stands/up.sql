-- Where the money of a booking stands, for lists, goes by what was waived and written off as well. Bookings that did not change since
-- say it as before: it is worked out anew, with their words, by the program when it brings the schema forward.
UPDATE booking_facts SET words_version = 0;
