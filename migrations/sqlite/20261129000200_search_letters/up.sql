-- The normal form of search writes letters out that keyboards elsewhere lack (œ as oe, ł as l), and a name is also found without its
-- apostrophe or hyphen. What is kept in the form of before is brought into this one; the words of bookings are made anew by the
-- program when it brings the schema forward.
UPDATE booking_facts SET words_version = 0;
UPDATE invoices SET words = REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(words, 'œ', 'oe'), 'æ', 'ae'), 'ø', 'o'), 'ł', 'l'), 'đ', 'd'), 'ð', 'd'), 'ß', 'ss'), 'þ', 'th'), 'ħ', 'h'), 'ŧ', 't'), 'ı', 'i');
UPDATE invoices SET words = words || ' ' || REPLACE(REPLACE(words, '''', ''), '-', '') WHERE words LIKE '%''%' OR words LIKE '%-%';
UPDATE quote_requests SET found_by = REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(found_by, 'œ', 'oe'), 'æ', 'ae'), 'ø', 'o'), 'ł', 'l'), 'đ', 'd'), 'ð', 'd'), 'ß', 'ss'), 'þ', 'th'), 'ħ', 'h'), 'ŧ', 't'), 'ı', 'i');
UPDATE quote_requests SET found_by = found_by || ' ' || REPLACE(REPLACE(found_by, '''', ''), '-', '') WHERE found_by LIKE '%''%' OR found_by LIKE '%-%';
