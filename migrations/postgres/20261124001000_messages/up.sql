-- What staff made of a shipped message. A version is never changed: whoever looks later sees what was sent when.
CREATE TABLE message_templates (
    message_type TEXT NOT NULL,
    language TEXT NOT NULL CHECK (language IN ('en', 'fr', 'zh')),
    version INTEGER NOT NULL CHECK (version > 0),
    -- All four, or none: then the shipped text counts again.
    subject TEXT,
    body TEXT,
    html TEXT,
    -- Whether the document of this message goes along.
    attachment BOOLEAN,
    changed_at TIMESTAMPTZ NOT NULL,
    changed_by UUID,
    PRIMARY KEY (message_type, language, version),
    CHECK ((subject IS NULL) = (body IS NULL) AND (subject IS NULL) = (html IS NULL) AND (subject IS NULL) = (attachment IS NULL))
);
CREATE TRIGGER message_templates_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON message_templates
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The HTML of a message as it was sent, without the links that open accounts; none for messages from before it was kept.
ALTER TABLE messages ADD COLUMN html TEXT;
-- The list of all messages, the newest first.
CREATE INDEX messages_created_at ON messages (created_at, seq);
