-- Rate cards, discount codes, bookings and their history. Money is integer cents.
CREATE TABLE rates (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    effective_from TEXT NOT NULL,
    effective_to TEXT,
    card TEXT NOT NULL CHECK (json_valid(card)),
    UNIQUE (name, version)
) STRICT;

CREATE TABLE discounts (
    id TEXT NOT NULL PRIMARY KEY,
    code TEXT NOT NULL UNIQUE,
    terms_kind TEXT NOT NULL CHECK (terms_kind IN ('percent', 'fixed')),
    share_bp INTEGER,
    amount_cents INTEGER,
    valid_from TEXT NOT NULL,
    valid_until TEXT NOT NULL,
    max_uses INTEGER,
    uses INTEGER NOT NULL,
    provinces TEXT NOT NULL CHECK (json_valid(provinces)),
    kinds TEXT NOT NULL CHECK (json_valid(kinds)),
    disabled INTEGER NOT NULL CHECK (disabled IN (0, 1)),
    created_at TEXT NOT NULL,
    -- A percentage may carry a largest amount; a fixed discount has only its amount.
    CONSTRAINT discounts_terms CHECK (
        (terms_kind = 'percent' AND share_bp IS NOT NULL) OR (terms_kind = 'fixed' AND share_bp IS NULL AND amount_cents IS NOT NULL)
    ),
    CONSTRAINT discounts_uses CHECK (uses >= 0 AND (max_uses IS NULL OR uses <= max_uses))
) STRICT;

CREATE TABLE bookings (
    id TEXT NOT NULL PRIMARY KEY,
    short_id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES accounts (id),
    partner_id TEXT,
    status TEXT NOT NULL
        CHECK (status IN ('pending', 'assigned', 'completed', 'invoiced', 'payed', 'cancelled', 'deleted')),
    version INTEGER NOT NULL CHECK (version > 0),
    language TEXT NOT NULL CHECK (language IN ('en', 'fr', 'zh')),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    move_at TEXT NOT NULL,
    move_date TEXT NOT NULL,
    move_time TEXT NOT NULL,
    zone TEXT NOT NULL,
    hub TEXT NOT NULL,
    province TEXT NOT NULL,
    move_kind TEXT NOT NULL,
    mate_count INTEGER NOT NULL CHECK (mate_count BETWEEN 1 AND 20),
    client_as_mate INTEGER NOT NULL CHECK (client_as_mate IN (0, 1)),
    just_mates INTEGER NOT NULL CHECK (just_mates IN (0, 1)),
    ride_along INTEGER NOT NULL CHECK (ride_along IN (0, 1)),
    duration_minutes INTEGER NOT NULL CHECK (duration_minutes >= 0),
    distance_km10 INTEGER NOT NULL CHECK (distance_km10 >= 0),
    tier INTEGER NOT NULL,
    amount_cents INTEGER NOT NULL,
    tax_cents INTEGER NOT NULL,
    total_cents INTEGER NOT NULL,
    discount_code TEXT,
    details TEXT NOT NULL CHECK (json_valid(details)),
    completed_at TEXT,
    cancelled_at TEXT,
    search TEXT NOT NULL,
    CONSTRAINT bookings_total CHECK (total_cents = amount_cents + tax_cents)
) STRICT;
CREATE INDEX bookings_of_user ON bookings (user_id, move_at DESC, id DESC);
CREATE INDEX bookings_of_partner ON bookings (partner_id, move_at DESC) WHERE partner_id IS NOT NULL;
CREATE INDEX bookings_live ON bookings (move_at) WHERE status IN ('pending', 'assigned');

CREATE TABLE booking_status_changes (
    seq INTEGER PRIMARY KEY,
    booking_id TEXT NOT NULL REFERENCES bookings (id),
    from_status TEXT
        CHECK (from_status IN ('pending', 'assigned', 'completed', 'invoiced', 'payed', 'cancelled', 'deleted')),
    to_status TEXT NOT NULL
        CHECK (to_status IN ('pending', 'assigned', 'completed', 'invoiced', 'payed', 'cancelled', 'deleted')),
    actor TEXT,
    role TEXT NOT NULL,
    at TEXT NOT NULL,
    reason TEXT
) STRICT;
CREATE INDEX booking_status_changes_booking_id ON booking_status_changes (booking_id, seq);

CREATE TABLE booking_revisions (
    seq INTEGER PRIMARY KEY,
    booking_id TEXT NOT NULL REFERENCES bookings (id),
    version INTEGER NOT NULL,
    at TEXT NOT NULL,
    actor TEXT,
    role TEXT NOT NULL,
    changes TEXT NOT NULL CHECK (json_valid(changes))
) STRICT;
CREATE INDEX booking_revisions_booking_id ON booking_revisions (booking_id, seq);

-- The booking does not exist yet while its checkout is charged: no foreign key on booking_id.
CREATE TABLE checkouts (
    booking_id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES accounts (id),
    order_id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('charging', 'booked', 'declined', 'abandoned')),
    plan TEXT NOT NULL CHECK (json_valid(plan)),
    idempotency_scope TEXT,
    idempotency_key TEXT,
    created_at TEXT NOT NULL,
    CONSTRAINT checkouts_idempotency CHECK ((idempotency_scope IS NULL) = (idempotency_key IS NULL))
) STRICT;
CREATE INDEX checkouts_state ON checkouts (state, created_at);
CREATE INDEX checkouts_user_id ON checkouts (user_id);
CREATE INDEX checkouts_idempotency_key ON checkouts (idempotency_scope, idempotency_key) WHERE idempotency_key IS NOT NULL;
