-- Who can sign in, and the profile behind each account.
CREATE TABLE accounts (
    id UUID NOT NULL PRIMARY KEY,
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    email TEXT,
    email_verified BOOLEAN NOT NULL,
    terms_accepted_at TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    disabled_at TIMESTAMPTZ,
    UNIQUE (issuer, subject)
);

CREATE TABLE credentials (
    user_id UUID NOT NULL PRIMARY KEY REFERENCES accounts (id),
    email_key TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    password_changed_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE sessions (
    id UUID NOT NULL PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    user_id UUID NOT NULL REFERENCES accounts (id),
    authenticated_at TIMESTAMPTZ NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    last_seen_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX sessions_user_id ON sessions (user_id);
CREATE INDEX sessions_expires_at ON sessions (expires_at);

-- grant_id and session_id have no foreign key: the grant is written at redemption, and sessions
-- are deleted at sign-out while what came from them stays, revoked.
CREATE TABLE authorization_codes (
    code_hash TEXT NOT NULL PRIMARY KEY,
    grant_id UUID NOT NULL,
    client_id TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    user_id UUID NOT NULL REFERENCES accounts (id),
    session_id UUID NOT NULL,
    scope TEXT NOT NULL,
    nonce TEXT,
    code_challenge TEXT NOT NULL,
    authenticated_at TIMESTAMPTZ NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    redeemed_at TIMESTAMPTZ
);
CREATE INDEX authorization_codes_user_id ON authorization_codes (user_id);
CREATE INDEX authorization_codes_expires_at ON authorization_codes (expires_at);

CREATE TABLE grants (
    id UUID NOT NULL PRIMARY KEY,
    client_id TEXT NOT NULL,
    user_id UUID NOT NULL REFERENCES accounts (id),
    session_id UUID NOT NULL,
    scope TEXT NOT NULL,
    authenticated_at TIMESTAMPTZ NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    revoked_at TIMESTAMPTZ
);
CREATE INDEX grants_user_id ON grants (user_id);
CREATE INDEX grants_session_id ON grants (session_id);
CREATE INDEX grants_expires_at ON grants (expires_at);

CREATE TABLE refresh_tokens (
    token_hash TEXT NOT NULL PRIMARY KEY,
    grant_id UUID NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
    created_at TIMESTAMPTZ NOT NULL,
    spent_at TIMESTAMPTZ
);
CREATE INDEX refresh_tokens_grant_id ON refresh_tokens (grant_id);

CREATE TABLE one_time_tokens (
    token_hash TEXT NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES accounts (id),
    purpose TEXT NOT NULL CHECK (purpose IN ('verify_email', 'reset_password')),
    email_key TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    spent_at TIMESTAMPTZ
);
CREATE INDEX one_time_tokens_user_id ON one_time_tokens (user_id, purpose);
CREATE INDEX one_time_tokens_expires_at ON one_time_tokens (expires_at);

CREATE TABLE sign_in_throttles (
    key_hash TEXT NOT NULL PRIMARY KEY,
    failures INTEGER NOT NULL CHECK (failures >= 0),
    last_attempt_at TIMESTAMPTZ NOT NULL,
    locked_until TIMESTAMPTZ
);
CREATE INDEX sign_in_throttles_last_attempt_at ON sign_in_throttles (last_attempt_at);

CREATE TABLE machine_clients (
    client_id TEXT NOT NULL PRIMARY KEY,
    secret_hash TEXT NOT NULL UNIQUE,
    partner_id UUID NOT NULL,
    name TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    disabled_at TIMESTAMPTZ
);
CREATE INDEX machine_clients_partner_id ON machine_clients (partner_id, created_at);

CREATE TABLE profiles (
    user_id UUID NOT NULL PRIMARY KEY REFERENCES accounts (id),
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    email TEXT NOT NULL,
    phone TEXT NOT NULL,
    gender TEXT NOT NULL,
    occupation TEXT NOT NULL,
    language TEXT NOT NULL CHECK (language IN ('en', 'fr', 'zh')),
    billing_address JSONB NOT NULL,
    gateway_customer_id TEXT,
    version INTEGER NOT NULL CHECK (version > 0),
    updated_at TIMESTAMPTZ NOT NULL
);

-- Roles come from here, matched by verified e-mail, never from an identity provider.
CREATE TABLE members (
    id UUID NOT NULL PRIMARY KEY,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('ops', 'admin', 'partner', 'mate')),
    partner_id UUID,
    mate_id UUID,
    created_at TIMESTAMPTZ NOT NULL
);
