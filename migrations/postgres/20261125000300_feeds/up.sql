-- Secret links to the calendar of a mate or of a hub: one each, so that a new one ends the one before. Of the secret only
-- its hash is kept. A row goes when its link is revoked; the audit trail says who did it.
CREATE TABLE calendar_feeds (
    id UUID NOT NULL PRIMARY KEY,
    mate_id UUID UNIQUE REFERENCES mates (id),
    hub TEXT UNIQUE,
    token_hash TEXT NOT NULL UNIQUE,
    language TEXT NOT NULL,
    made_by UUID NOT NULL REFERENCES accounts (id),
    made_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT calendar_feeds_of_one CHECK ((mate_id IS NULL) <> (hub IS NULL))
);
CREATE INDEX calendar_feeds_made_by ON calendar_feeds (made_by);
