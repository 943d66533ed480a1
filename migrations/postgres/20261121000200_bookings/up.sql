-- Rate cards, discount codes, bookings and their history. Money is integer cents.
CREATE TABLE rates (
    id UUID NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    effective_from TIMESTAMPTZ NOT NULL,
    effective_to TIMESTAMPTZ,
    card JSONB NOT NULL,
    UNIQUE (name, version)
);

CREATE TABLE discounts (
    id UUID NOT NULL PRIMARY KEY,
    code TEXT NOT NULL UNIQUE,
    terms_kind TEXT NOT NULL CHECK (terms_kind IN ('percent', 'fixed')),
    share_bp BIGINT,
    amount_cents BIGINT,
    valid_from DATE NOT NULL,
    valid_until DATE NOT NULL,
    max_uses INTEGER,
    uses INTEGER NOT NULL,
    provinces JSONB NOT NULL,
    kinds JSONB NOT NULL,
    disabled BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    -- A percentage may carry a largest amount; a fixed discount has only its amount.
    CONSTRAINT discounts_terms CHECK (
        (terms_kind = 'percent' AND share_bp IS NOT NULL) OR (terms_kind = 'fixed' AND share_bp IS NULL AND amount_cents IS NOT NULL)
    ),
    CONSTRAINT discounts_uses CHECK (uses >= 0 AND (max_uses IS NULL OR uses <= max_uses))
);

CREATE TABLE bookings (
    id UUID NOT NULL PRIMARY KEY,
    short_id TEXT NOT NULL UNIQUE,
    user_id UUID NOT NULL REFERENCES accounts (id),
    partner_id UUID,
    status TEXT NOT NULL
        CHECK (status IN ('pending', 'assigned', 'completed', 'invoiced', 'payed', 'cancelled', 'deleted')),
    version INTEGER NOT NULL CHECK (version > 0),
    language TEXT NOT NULL CHECK (language IN ('en', 'fr', 'zh')),
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    move_at TIMESTAMPTZ NOT NULL,
    move_date DATE NOT NULL,
    move_time TIME NOT NULL,
    zone TEXT NOT NULL,
    hub TEXT NOT NULL,
    province TEXT NOT NULL,
    move_kind TEXT NOT NULL,
    mate_count INTEGER NOT NULL CHECK (mate_count BETWEEN 1 AND 20),
    client_as_mate BOOLEAN NOT NULL,
    just_mates BOOLEAN NOT NULL,
    ride_along BOOLEAN NOT NULL,
    duration_minutes INTEGER NOT NULL CHECK (duration_minutes >= 0),
    distance_km10 INTEGER NOT NULL CHECK (distance_km10 >= 0),
    tier INTEGER NOT NULL,
    amount_cents BIGINT NOT NULL,
    tax_cents BIGINT NOT NULL,
    total_cents BIGINT NOT NULL,
    discount_code TEXT,
    details JSONB NOT NULL,
    completed_at TIMESTAMPTZ,
    cancelled_at TIMESTAMPTZ,
    search TEXT NOT NULL,
    CONSTRAINT bookings_total CHECK (total_cents = amount_cents + tax_cents)
);
CREATE INDEX bookings_of_user ON bookings (user_id, move_at DESC, id DESC);
CREATE INDEX bookings_of_partner ON bookings (partner_id, move_at DESC) WHERE partner_id IS NOT NULL;
CREATE INDEX bookings_live ON bookings (move_at) WHERE status IN ('pending', 'assigned');

CREATE TABLE booking_status_changes (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    booking_id UUID NOT NULL REFERENCES bookings (id),
    from_status TEXT
        CHECK (from_status IN ('pending', 'assigned', 'completed', 'invoiced', 'payed', 'cancelled', 'deleted')),
    to_status TEXT NOT NULL
        CHECK (to_status IN ('pending', 'assigned', 'completed', 'invoiced', 'payed', 'cancelled', 'deleted')),
    actor UUID,
    role TEXT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    reason TEXT
);
CREATE INDEX booking_status_changes_booking_id ON booking_status_changes (booking_id, seq);

CREATE TABLE booking_revisions (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    booking_id UUID NOT NULL REFERENCES bookings (id),
    version INTEGER NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    actor UUID,
    role TEXT NOT NULL,
    changes JSONB NOT NULL
);
CREATE INDEX booking_revisions_booking_id ON booking_revisions (booking_id, seq);

-- The booking does not exist yet while its checkout is charged: no foreign key on booking_id.
CREATE TABLE checkouts (
    booking_id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES accounts (id),
    order_id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('charging', 'booked', 'declined', 'abandoned')),
    plan JSONB NOT NULL,
    idempotency_scope TEXT,
    idempotency_key TEXT,
    created_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT checkouts_idempotency CHECK ((idempotency_scope IS NULL) = (idempotency_key IS NULL))
);
CREATE INDEX checkouts_state ON checkouts (state, created_at);
CREATE INDEX checkouts_user_id ON checkouts (user_id);
CREATE INDEX checkouts_idempotency_key ON checkouts (idempotency_scope, idempotency_key) WHERE idempotency_key IS NOT NULL;
