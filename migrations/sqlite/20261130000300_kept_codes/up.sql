-- A mailed quote keeps the terms of its code as well, so that its price holds whatever staff make of the code. Quotes that were
-- mailed before have none: their code is looked up when they are taken up, as it was.
ALTER TABLE saved_quotes ADD COLUMN discount_id TEXT REFERENCES discounts (id);
ALTER TABLE saved_quotes ADD COLUMN discount TEXT;
CREATE INDEX saved_quotes_discount_id ON saved_quotes (discount_id);
-- Uses beyond the most there may be, by quotes that were mailed before: they count, and the limit of all others stays.
ALTER TABLE discounts ADD COLUMN promised_uses INTEGER NOT NULL DEFAULT 0 CHECK (promised_uses >= 0);
