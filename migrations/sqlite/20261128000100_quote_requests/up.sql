-- What guests ask a person for, because they could not book it by themselves: who they are, and the draft as it was. Staff
-- take it, and it ends with a booking or without one. A row goes some weeks after it ended, with the address and number in it.
CREATE TABLE quote_requests (
    id TEXT NOT NULL PRIMARY KEY,
    state TEXT NOT NULL CHECK (state IN ('new', 'answering', 'booked', 'closed')),
    name TEXT NOT NULL,
    email TEXT,
    phone TEXT,
    language TEXT NOT NULL CHECK (language IN ('en', 'fr', 'zh')),
    call_at TEXT NOT NULL CHECK (call_at IN ('anytime', 'morning', 'afternoon', 'evening')),
    -- Codes of what stood in the way, as a JSON list.
    obstacles TEXT NOT NULL,
    -- The draft as a booking takes it, as JSON.
    draft TEXT NOT NULL,
    move_date TEXT,
    from_city TEXT NOT NULL,
    to_city TEXT NOT NULL,
    -- Name, address, number and municipalities in the normal form of search.
    found_by TEXT NOT NULL,
    taken_by TEXT REFERENCES accounts (id),
    booking_id TEXT UNIQUE REFERENCES bookings (id),
    made_at TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    CHECK (email IS NOT NULL OR phone IS NOT NULL),
    CHECK ((state = 'booked') = (booking_id IS NOT NULL))
) STRICT;
CREATE INDEX quote_requests_made_at ON quote_requests (made_at);
CREATE INDEX quote_requests_state ON quote_requests (state, made_at);
CREATE INDEX quote_requests_taken_by ON quote_requests (taken_by);
