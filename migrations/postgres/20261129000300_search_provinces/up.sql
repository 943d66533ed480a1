-- A booking is also found by the name of a province, in each language; the words of bookings are made anew by the program when it
-- brings the schema forward. A discount code is also found without its accents: what is kept is the code in the normal form of
-- search, which the program writes from now on.
UPDATE booking_facts SET words_version = 0;
ALTER TABLE discounts ADD COLUMN found_by TEXT NOT NULL DEFAULT '';
UPDATE discounts SET found_by = lower(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(code, 'À', 'a'), 'Á', 'a'), 'Â', 'a'), 'Ã', 'a'), 'Ä', 'a'), 'Å', 'a'), 'Ç', 'c'), 'È', 'e'), 'É', 'e'), 'Ê', 'e'), 'Ë', 'e'), 'Ì', 'i'), 'Í', 'i'), 'Î', 'i'), 'Ï', 'i'), 'Ñ', 'n'), 'Ò', 'o'), 'Ó', 'o'), 'Ô', 'o'), 'Õ', 'o'), 'Ö', 'o'), 'Ø', 'o'), 'Ù', 'u'), 'Ú', 'u'), 'Û', 'u'), 'Ü', 'u'), 'Ý', 'y'), 'Ÿ', 'y'), 'Œ', 'oe'), 'Æ', 'ae'), 'Ł', 'l'), '’', ''''));
