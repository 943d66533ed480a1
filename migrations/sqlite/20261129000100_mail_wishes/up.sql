-- Links by which somebody stops commercial e-mail, one for each such mail. Of the secret in it only its hash is kept. A row goes when
-- the law asks for its link no more; what was said with it stays.
CREATE TABLE mail_links (
    id TEXT NOT NULL PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    email TEXT NOT NULL,
    language TEXT NOT NULL CHECK (language IN ('en', 'fr', 'zh')),
    made_at TEXT NOT NULL
) STRICT;
CREATE INDEX mail_links_made_at ON mail_links (made_at);

-- What people said with them: no commercial e-mail, or such mail again. The newest of an address counts.
CREATE TABLE mail_wishes (
    seq INTEGER PRIMARY KEY,
    email_key TEXT NOT NULL,
    stops INTEGER NOT NULL CHECK (stops IN (0, 1)),
    way TEXT NOT NULL CHECK (way IN ('page', 'one_click')),
    at TEXT NOT NULL
) STRICT;
CREATE INDEX mail_wishes_email_key ON mail_wishes (email_key, seq);
CREATE TRIGGER mail_wishes_no_update BEFORE UPDATE ON mail_wishes
BEGIN SELECT RAISE(ABORT, 'mail_wishes is append only'); END;
CREATE TRIGGER mail_wishes_no_delete BEFORE DELETE ON mail_wishes
BEGIN SELECT RAISE(ABORT, 'mail_wishes is append only'); END;
