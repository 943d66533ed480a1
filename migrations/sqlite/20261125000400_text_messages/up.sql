-- What the service said later of a text message that it took: a state of its own would narrow what older programs may read.
ALTER TABLE messages ADD COLUMN arrival TEXT CHECK (arrival IN ('delivered', 'failed'));
-- Parts it is sent and billed as.
ALTER TABLE messages ADD COLUMN segments INTEGER CHECK (segments > 0);
-- Why it was not sent, or did not arrive.
ALTER TABLE messages ADD COLUMN trouble TEXT;

-- Each handing over of a text message, written before the service is asked: the service knows no key that would make two of them one,
-- so what nobody answered for is looked up by its body before anything is sent again.
CREATE TABLE sms_sends (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    message_id TEXT NOT NULL REFERENCES messages (id),
    -- In real time.
    begun_at TEXT NOT NULL,
    -- By the clock that judges what is due.
    made_at TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    -- The service's name for it; none as long as nobody knows whether it was taken.
    sid TEXT UNIQUE,
    status TEXT CHECK (status IN ('scheduled', 'accepted', 'queued', 'sending', 'sent', 'partially_delivered', 'delivered',
        'undelivered', 'failed', 'canceled', 'read')),
    error_code INTEGER,
    -- Nothing more will be told of it.
    is_over INTEGER NOT NULL CHECK (is_over IN (0, 1)),
    CHECK (status IS NULL OR sid IS NOT NULL)
) STRICT;
CREATE INDEX sms_sends_message_id ON sms_sends (message_id, seq);
CREATE INDEX sms_sends_open ON sms_sends (made_at) WHERE NOT is_over;

-- What people wrote who want no texts, or want them again. The newest of a number counts; the same one counts once.
CREATE TABLE sms_wishes (
    seq INTEGER PRIMARY KEY,
    sid TEXT NOT NULL UNIQUE,
    phone TEXT NOT NULL,
    stops INTEGER NOT NULL CHECK (stops IN (0, 1)),
    at TEXT NOT NULL
) STRICT;
CREATE INDEX sms_wishes_phone ON sms_wishes (phone, seq);
CREATE TRIGGER sms_wishes_no_update BEFORE UPDATE ON sms_wishes
BEGIN SELECT RAISE(ABORT, 'sms_wishes is append only'); END;
CREATE TRIGGER sms_wishes_no_delete BEFORE DELETE ON sms_wishes
BEGIN SELECT RAISE(ABORT, 'sms_wishes is append only'); END;
