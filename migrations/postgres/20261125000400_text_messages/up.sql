-- What the service said later of a text message that it took: a state of its own would narrow what older programs may read.
ALTER TABLE messages ADD COLUMN arrival TEXT CHECK (arrival IN ('delivered', 'failed'));
-- Parts it is sent and billed as.
ALTER TABLE messages ADD COLUMN segments INTEGER CHECK (segments > 0);
-- Why it was not sent, or did not arrive.
ALTER TABLE messages ADD COLUMN trouble TEXT;

-- Each handing over of a text message, written before the service is asked: the service knows no key that would make two of them one,
-- so what nobody answered for is looked up by its body before anything is sent again.
CREATE TABLE sms_sends (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id UUID NOT NULL UNIQUE,
    message_id UUID NOT NULL REFERENCES messages (id),
    -- In real time.
    begun_at TIMESTAMPTZ NOT NULL,
    -- By the clock that judges what is due.
    made_at TIMESTAMPTZ NOT NULL,
    body_hash TEXT NOT NULL,
    -- The service's name for it; none as long as nobody knows whether it was taken.
    sid TEXT UNIQUE,
    status TEXT CHECK (status IN ('scheduled', 'accepted', 'queued', 'sending', 'sent', 'partially_delivered', 'delivered',
        'undelivered', 'failed', 'canceled', 'read')),
    error_code INTEGER,
    -- Nothing more will be told of it.
    is_over BOOLEAN NOT NULL,
    CHECK (status IS NULL OR sid IS NOT NULL)
);
CREATE INDEX sms_sends_message_id ON sms_sends (message_id, seq);
CREATE INDEX sms_sends_open ON sms_sends (made_at) WHERE NOT is_over;

-- What people wrote who want no texts, or want them again. The newest of a number counts; the same one counts once.
CREATE TABLE sms_wishes (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sid TEXT NOT NULL UNIQUE,
    phone TEXT NOT NULL,
    stops BOOLEAN NOT NULL,
    at TIMESTAMPTZ NOT NULL
);
CREATE INDEX sms_wishes_phone ON sms_wishes (phone, seq);
CREATE TRIGGER sms_wishes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON sms_wishes
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
