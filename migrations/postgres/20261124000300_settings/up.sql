-- Settings that a company changes in the browser. A version is never changed: bookings name the one they were made with.
CREATE TABLE settings (
    -- `first_steps` is what somebody of a new company has confirmed.
    area TEXT NOT NULL CHECK (area IN ('company', 'policy', 'scheduling', 'first_steps')),
    version INTEGER NOT NULL CHECK (version > 0),
    -- The fields that were saved; all others follow the defaults.
    saved JSONB NOT NULL,
    changed_at TIMESTAMPTZ NOT NULL,
    -- None: the program itself.
    changed_by UUID,
    PRIMARY KEY (area, version)
);
CREATE TRIGGER settings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON settings
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
