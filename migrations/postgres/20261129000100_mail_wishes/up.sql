-- Links by which somebody stops commercial e-mail, one for each such mail. Of the secret in it only its hash is kept. A row goes when
-- the law asks for its link no more; what was said with it stays.
CREATE TABLE mail_links (
    id UUID NOT NULL PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    email TEXT NOT NULL,
    language TEXT NOT NULL CHECK (language IN ('en', 'fr', 'zh')),
    made_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX mail_links_made_at ON mail_links (made_at);

-- What people said with them: no commercial e-mail, or such mail again. The newest of an address counts.
CREATE TABLE mail_wishes (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email_key TEXT NOT NULL,
    stops BOOLEAN NOT NULL,
    way TEXT NOT NULL CHECK (way IN ('page', 'one_click')),
    at TIMESTAMPTZ NOT NULL
);
CREATE INDEX mail_wishes_email_key ON mail_wishes (email_key, seq);
CREATE TRIGGER mail_wishes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON mail_wishes
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
