-- Room for the back office: people without a password, records of mates and partners, accounts and kinds of money
-- that are not charged to a card, more kinds of links, what became of each message, versions to check edits by.

-- Mates and partners ----------------------------------------------------------------------------
-- `seq` is what people read: M-0042, P-0007. Rows are archived, never deleted.
CREATE TABLE mates (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id UUID NOT NULL UNIQUE,
    name TEXT NOT NULL,
    address JSONB,
    phone TEXT NOT NULL DEFAULT '',
    email TEXT NOT NULL DEFAULT '',
    neq TEXT,
    tps TEXT,
    tvq TEXT,
    state TEXT NOT NULL CHECK (state IN ('invited', 'active', 'paused', 'archived')),
    skills JSONB NOT NULL DEFAULT '[]',
    languages JSONB NOT NULL DEFAULT '[]',
    hubs JSONB NOT NULL DEFAULT '[]',
    documents JSONB NOT NULL DEFAULT '[]',
    -- An hour.
    pay_rate_cents BIGINT CHECK (pay_rate_cents >= 0),
    version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0),
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE partners (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id UUID NOT NULL UNIQUE,
    name TEXT NOT NULL,
    addresses JSONB NOT NULL DEFAULT '[]',
    contacts JSONB NOT NULL DEFAULT '[]',
    -- The rate card by name; none = the company's own.
    rate_name TEXT,
    net_days INTEGER NOT NULL DEFAULT 30 CHECK (net_days >= 0),
    state TEXT NOT NULL CHECK (state IN ('active', 'suspended', 'archived')),
    version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0),
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);

-- A mate who left is known by the crews he was in, and by the name he had there last.
INSERT INTO mates (id, name, email, state, created_at, updated_at)
SELECT id, name, email, state, at, at FROM (
    SELECT mate_id AS id, first_name || ' ' || last_name AS name, email, 'active' AS state, created_at AS at
    FROM members WHERE mate_id IS NOT NULL
    UNION ALL
    SELECT c.mate_id, c.name, '', 'archived', (SELECT MIN(o.since) FROM booking_crews o WHERE o.mate_id = c.mate_id)
    FROM booking_crews c
    WHERE NOT EXISTS (SELECT 1 FROM members m WHERE m.mate_id = c.mate_id)
        AND c.booking_id = (
            SELECT o.booking_id FROM booking_crews o WHERE o.mate_id = c.mate_id ORDER BY o.since DESC, o.booking_id LIMIT 1
        )
) known
ORDER BY at, id;

-- A partner's name was only said with a machine of his; else it is empty until somebody says it.
INSERT INTO partners (id, name, state, created_at, updated_at)
SELECT id,
    COALESCE((SELECT c.name FROM machine_clients c WHERE c.partner_id = known.id ORDER BY c.created_at, c.client_id LIMIT 1), ''),
    'active', MIN(at), MIN(at)
FROM (
    SELECT partner_id AS id, created_at AS at FROM members
    UNION ALL SELECT partner_id, created_at FROM machine_clients
    UNION ALL SELECT partner_id, created_at FROM bookings
) known
WHERE id IS NOT NULL
GROUP BY id
ORDER BY MIN(at), id;

ALTER TABLE members ADD COLUMN version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0);
ALTER TABLE members ADD FOREIGN KEY (partner_id) REFERENCES partners (id);
ALTER TABLE members ADD FOREIGN KEY (mate_id) REFERENCES mates (id);
CREATE INDEX members_partner_id ON members (partner_id) WHERE partner_id IS NOT NULL;
ALTER TABLE machine_clients ADD FOREIGN KEY (partner_id) REFERENCES partners (id);
ALTER TABLE booking_crews ADD FOREIGN KEY (mate_id) REFERENCES mates (id);

-- Money -----------------------------------------------------------------------------------------
ALTER TABLE payments DROP CONSTRAINT payments_kind_check;
ALTER TABLE payments ADD CONSTRAINT payments_kind_check CHECK (kind IN (
    'deposit', 'balance', 'full', 'difference', 'tip', 'overtime', 'cancellation_fee', 'refund', 'goodwill', 'claim'
));
ALTER TABLE ledger_lines DROP CONSTRAINT ledger_lines_account_check;
ALTER TABLE ledger_lines ADD CONSTRAINT ledger_lines_account_check CHECK (account IN (
    'gateway', 'customer', 'trust', 'revenue', 'cancellation_revenue', 'gst', 'qst', 'hst', 'tips_payable', 'write_off',
    'bank', 'cash', 'receivable', 'disputes', 'fees', 'claims', 'mate_payable'
));

ALTER TABLE discounts ADD COLUMN version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0);

-- Links by mail ---------------------------------------------------------------------------------
ALTER TABLE one_time_tokens DROP CONSTRAINT one_time_tokens_purpose_check;
ALTER TABLE one_time_tokens ADD CONSTRAINT one_time_tokens_purpose_check
    CHECK (purpose IN ('verify_email', 'reset_password', 'invite', 'pay', 'move_page'));
ALTER TABLE one_time_tokens ADD COLUMN booking_id UUID REFERENCES bookings (id);
-- What is paid or shown without signing in is one booking.
ALTER TABLE one_time_tokens ADD CONSTRAINT one_time_tokens_booking
    CHECK ((purpose IN ('pay', 'move_page')) = (booking_id IS NOT NULL));
CREATE INDEX one_time_tokens_booking_id ON one_time_tokens (booking_id) WHERE booking_id IS NOT NULL;

-- Messages --------------------------------------------------------------------------------------
ALTER TABLE messages ADD COLUMN channel TEXT NOT NULL DEFAULT 'email' CHECK (channel IN ('email', 'sms'));
-- How often it was handed over, what was said the last time, and under which name it is known there.
ALTER TABLE messages ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0);
ALTER TABLE messages ADD COLUMN last_error TEXT;
ALTER TABLE messages ADD COLUMN provider_id TEXT;
-- As it was sent, without the links that open accounts.
ALTER TABLE messages ADD COLUMN subject TEXT;
ALTER TABLE messages ADD COLUMN body TEXT;
-- What is known of those before: they were taken over by somebody once.
UPDATE messages SET attempts = 1 WHERE state = 'sent';
CREATE INDEX messages_provider_id ON messages (provider_id) WHERE provider_id IS NOT NULL;

-- People the desk wrote down --------------------------------------------------------------------
-- An account of the issuer `desk` has no credential. It becomes somebody's when an account with the same address,
-- verified, takes it over; that is not taken back.
ALTER TABLE accounts ADD COLUMN merged_into UUID REFERENCES accounts (id)
    CHECK (merged_into IS NULL OR (issuer = 'desk' AND merged_into <> id));
ALTER TABLE accounts ADD COLUMN merged_at TIMESTAMPTZ CHECK ((merged_into IS NULL) = (merged_at IS NULL));
CREATE INDEX accounts_merged_into ON accounts (merged_into) WHERE merged_into IS NOT NULL;
CREATE FUNCTION refuse_merge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.merged_into IS NULL AND EXISTS (
        SELECT 1 FROM accounts a
        WHERE a.id = NEW.merged_into AND a.issuer <> 'desk' AND a.email_verified AND lower(a.email) = lower(NEW.email)
    ) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a desk account is merged by a verified e-mail only' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER accounts_not_made_merged BEFORE INSERT ON accounts
FOR EACH ROW WHEN (NEW.merged_into IS NOT NULL) EXECUTE FUNCTION refuse_merge();
CREATE TRIGGER accounts_merged_by_email BEFORE UPDATE OF merged_into ON accounts
FOR EACH ROW WHEN (NEW.merged_into IS DISTINCT FROM OLD.merged_into) EXECUTE FUNCTION refuse_merge();
CREATE FUNCTION refuse_credential() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM accounts a WHERE a.id = NEW.user_id AND a.issuer = 'desk') THEN
        RAISE EXCEPTION 'a desk account has no credential' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER credentials_not_of_the_desk BEFORE INSERT ON credentials
FOR EACH ROW EXECUTE FUNCTION refuse_credential();
