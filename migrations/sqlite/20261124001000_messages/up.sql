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
    attachment INTEGER CHECK (attachment IN (0, 1)),
    changed_at TEXT NOT NULL,
    changed_by TEXT,
    PRIMARY KEY (message_type, language, version),
    CHECK ((subject IS NULL) = (body IS NULL) AND (subject IS NULL) = (html IS NULL) AND (subject IS NULL) = (attachment IS NULL))
) STRICT;
CREATE TRIGGER message_templates_no_update BEFORE UPDATE ON message_templates
BEGIN SELECT RAISE(ABORT, 'message_templates is append only'); END;
CREATE TRIGGER message_templates_no_delete BEFORE DELETE ON message_templates
BEGIN SELECT RAISE(ABORT, 'message_templates is append only'); END;

-- The HTML of a message as it was sent, without the links that open accounts; none for messages from before it was kept.
ALTER TABLE messages ADD COLUMN html TEXT;
-- The list of all messages, the newest first.
CREATE INDEX messages_created_at ON messages (created_at, seq);
