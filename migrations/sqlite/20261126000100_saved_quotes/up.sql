-- Quotes that somebody had mailed to themselves: what was priced, and the card and the way it was priced with, so that the
-- price holds until it lapses. Of the secret in the link only its hash is kept. A row goes some weeks after it lapsed.
CREATE TABLE saved_quotes (
    id TEXT NOT NULL PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    email TEXT NOT NULL,
    language TEXT NOT NULL CHECK (language IN ('en', 'fr', 'zh')),
    -- The draft as the web app keeps it: only the web app reads it.
    draft TEXT NOT NULL,
    -- A digest of everything that decides about the price.
    digest TEXT NOT NULL,
    rate_id TEXT NOT NULL REFERENCES rates (id),
    -- The loaded leg, as it was when it was priced.
    travel_minutes INTEGER NOT NULL CHECK (travel_minutes > 0),
    distance_km10 INTEGER NOT NULL CHECK (distance_km10 >= 0),
    move_date TEXT NOT NULL,
    move_time TEXT NOT NULL,
    zone TEXT NOT NULL,
    from_city TEXT NOT NULL,
    to_city TEXT NOT NULL,
    total_cents INTEGER NOT NULL CHECK (total_cents >= 0),
    made_at TEXT NOT NULL,
    valid_until TEXT NOT NULL
) STRICT;
CREATE INDEX saved_quotes_rate_id ON saved_quotes (rate_id);
CREATE INDEX saved_quotes_valid_until ON saved_quotes (valid_until);
