-- Room for the back office: people without a password, records of mates and partners, accounts and kinds of money
-- that are not charged to a card, more kinds of links, what became of each message, versions to check edits by.
-- SQLite cannot change a CHECK or add a foreign key: such tables are made anew, with their indexes and triggers.
-- Foreign keys are off while migrations run, and checked before the commit.

-- Mates and partners ----------------------------------------------------------------------------
-- `seq` is what people read: M-0042, P-0007. Rows are archived, never deleted.
CREATE TABLE mates (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    address TEXT CHECK (address IS NULL OR json_valid(address)),
    phone TEXT NOT NULL DEFAULT '',
    email TEXT NOT NULL DEFAULT '',
    neq TEXT,
    tps TEXT,
    tvq TEXT,
    state TEXT NOT NULL CHECK (state IN ('invited', 'active', 'paused', 'archived')),
    skills TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(skills)),
    languages TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(languages)),
    hubs TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(hubs)),
    documents TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(documents)),
    -- An hour.
    pay_rate_cents INTEGER CHECK (pay_rate_cents >= 0),
    version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE partners (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    addresses TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(addresses)),
    contacts TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(contacts)),
    -- The rate card by name; none = the company's own.
    rate_name TEXT,
    net_days INTEGER NOT NULL DEFAULT 30 CHECK (net_days >= 0),
    state TEXT NOT NULL CHECK (state IN ('active', 'suspended', 'archived')),
    version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

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
)
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

CREATE TABLE members_anew (
    id TEXT NOT NULL PRIMARY KEY,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('ops', 'admin', 'partner', 'mate')),
    partner_id TEXT REFERENCES partners (id),
    mate_id TEXT REFERENCES mates (id),
    created_at TEXT NOT NULL,
    version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0)
) STRICT;
INSERT INTO members_anew (id, email, email_key, first_name, last_name, role, partner_id, mate_id, created_at)
SELECT id, email, email_key, first_name, last_name, role, partner_id, mate_id, created_at FROM members;
DROP TABLE members;
ALTER TABLE members_anew RENAME TO members;
CREATE UNIQUE INDEX members_mate_id ON members (mate_id) WHERE mate_id IS NOT NULL;
CREATE INDEX members_partner_id ON members (partner_id) WHERE partner_id IS NOT NULL;

CREATE TABLE machine_clients_anew (
    client_id TEXT NOT NULL PRIMARY KEY,
    secret_hash TEXT NOT NULL UNIQUE,
    partner_id TEXT NOT NULL REFERENCES partners (id),
    name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    disabled_at TEXT
) STRICT;
INSERT INTO machine_clients_anew (client_id, secret_hash, partner_id, name, created_at, disabled_at)
SELECT client_id, secret_hash, partner_id, name, created_at, disabled_at FROM machine_clients;
DROP TABLE machine_clients;
ALTER TABLE machine_clients_anew RENAME TO machine_clients;
CREATE INDEX machine_clients_partner_id ON machine_clients (partner_id, created_at);

CREATE TABLE booking_crews_anew (
    booking_id TEXT NOT NULL REFERENCES bookings (id),
    mate_id TEXT NOT NULL REFERENCES mates (id),
    -- The name when it was assigned: a member who leaves is deleted, the move keeps its crew.
    name TEXT NOT NULL,
    since TEXT NOT NULL,
    PRIMARY KEY (booking_id, mate_id)
) STRICT;
INSERT INTO booking_crews_anew (booking_id, mate_id, name, since)
SELECT booking_id, mate_id, name, since FROM booking_crews;
DROP TABLE booking_crews;
ALTER TABLE booking_crews_anew RENAME TO booking_crews;
CREATE INDEX booking_crews_mate_id ON booking_crews (mate_id);

-- Money -----------------------------------------------------------------------------------------
CREATE TABLE payments_anew (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    booking_id TEXT NOT NULL REFERENCES bookings (id),
    kind TEXT NOT NULL CHECK (kind IN (
        'deposit', 'balance', 'full', 'difference', 'tip', 'overtime', 'cancellation_fee', 'refund', 'goodwill', 'claim'
    )),
    state TEXT NOT NULL CHECK (state IN (
        'scheduled', 'processing', 'unknown', 'authorized', 'captured', 'settled', 'soft_declined', 'hard_declined',
        'failed', 'voided', 'expired', 'skipped', 'refunded', 'partially_refunded', 'charged_back'
    )),
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
    due_at TEXT NOT NULL,
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    next_attempt_at TEXT,
    refund_of TEXT REFERENCES payments (id),
    transaction_id TEXT,
    card_last4 TEXT,
    last_message TEXT,
    settled_at TEXT,
    version INTEGER NOT NULL CHECK (version > 0),
    created_at TEXT NOT NULL
) STRICT;
INSERT INTO payments_anew (
    seq, id, booking_id, kind, state, amount_cents, due_at, attempts, next_attempt_at, refund_of, transaction_id,
    card_last4, last_message, settled_at, version, created_at
)
SELECT
    seq, id, booking_id, kind, state, amount_cents, due_at, attempts, next_attempt_at, refund_of, transaction_id,
    card_last4, last_message, settled_at, version, created_at
FROM payments ORDER BY seq;
DROP TABLE payments;
ALTER TABLE payments_anew RENAME TO payments;
CREATE INDEX payments_booking_id ON payments (booking_id, created_at);
CREATE INDEX payments_refund_of ON payments (refund_of) WHERE refund_of IS NOT NULL;
CREATE UNIQUE INDEX payments_one_open_tip ON payments (booking_id)
WHERE kind = 'tip' AND state IN ('scheduled', 'processing', 'unknown', 'soft_declined', 'hard_declined', 'failed');

CREATE TABLE ledger_lines_anew (
    entry_id TEXT NOT NULL REFERENCES ledger_entries (id),
    position INTEGER NOT NULL,
    account TEXT NOT NULL CHECK (account IN (
        'gateway', 'customer', 'trust', 'revenue', 'cancellation_revenue', 'gst', 'qst', 'hst', 'tips_payable', 'write_off',
        'bank', 'cash', 'receivable', 'disputes', 'fees', 'claims', 'mate_payable'
    )),
    amount_cents INTEGER NOT NULL CHECK (amount_cents <> 0),
    PRIMARY KEY (entry_id, position)
) STRICT;
INSERT INTO ledger_lines_anew (entry_id, position, account, amount_cents)
SELECT entry_id, position, account, amount_cents FROM ledger_lines ORDER BY rowid;
DROP TABLE ledger_lines;
ALTER TABLE ledger_lines_anew RENAME TO ledger_lines;
CREATE TRIGGER ledger_lines_no_update BEFORE UPDATE ON ledger_lines
BEGIN SELECT RAISE(ABORT, 'ledger_lines is append only'); END;
CREATE TRIGGER ledger_lines_no_delete BEFORE DELETE ON ledger_lines
BEGIN SELECT RAISE(ABORT, 'ledger_lines is append only'); END;

ALTER TABLE discounts ADD COLUMN version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0);

-- Links by mail ---------------------------------------------------------------------------------
CREATE TABLE one_time_tokens_anew (
    token_hash TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES accounts (id),
    purpose TEXT NOT NULL CHECK (purpose IN ('verify_email', 'reset_password', 'invite', 'pay', 'move_page')),
    email_key TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    spent_at TEXT,
    booking_id TEXT REFERENCES bookings (id),
    -- What is paid or shown without signing in is one booking.
    CONSTRAINT one_time_tokens_booking CHECK ((purpose IN ('pay', 'move_page')) = (booking_id IS NOT NULL))
) STRICT;
INSERT INTO one_time_tokens_anew (token_hash, user_id, purpose, email_key, created_at, expires_at, spent_at)
SELECT token_hash, user_id, purpose, email_key, created_at, expires_at, spent_at FROM one_time_tokens;
DROP TABLE one_time_tokens;
ALTER TABLE one_time_tokens_anew RENAME TO one_time_tokens;
CREATE INDEX one_time_tokens_user_id ON one_time_tokens (user_id, purpose);
CREATE INDEX one_time_tokens_expires_at ON one_time_tokens (expires_at);
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
ALTER TABLE accounts ADD COLUMN merged_into TEXT REFERENCES accounts (id)
    CHECK (merged_into IS NULL OR (issuer = 'desk' AND merged_into <> id));
ALTER TABLE accounts ADD COLUMN merged_at TEXT CHECK ((merged_into IS NULL) = (merged_at IS NULL));
CREATE INDEX accounts_merged_into ON accounts (merged_into) WHERE merged_into IS NOT NULL;
CREATE TRIGGER accounts_not_made_merged BEFORE INSERT ON accounts WHEN NEW.merged_into IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a desk account is merged by a verified e-mail only'); END;
CREATE TRIGGER accounts_merged_by_email BEFORE UPDATE OF merged_into ON accounts
WHEN NEW.merged_into IS NOT OLD.merged_into AND (OLD.merged_into IS NOT NULL OR NOT EXISTS (
    SELECT 1 FROM accounts a
    WHERE a.id = NEW.merged_into AND a.issuer <> 'desk' AND a.email_verified = 1 AND lower(a.email) = lower(NEW.email)
))
BEGIN SELECT RAISE(ABORT, 'a desk account is merged by a verified e-mail only'); END;
CREATE TRIGGER credentials_not_of_the_desk BEFORE INSERT ON credentials
WHEN EXISTS (SELECT 1 FROM accounts a WHERE a.id = NEW.user_id AND a.issuer = 'desk')
BEGIN SELECT RAISE(ABORT, 'a desk account has no credential'); END;
