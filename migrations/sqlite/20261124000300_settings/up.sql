-- Settings that a company changes in the browser. A version is never changed: bookings name the one they were made with.
CREATE TABLE settings (
    -- `first_steps` is what somebody of a new company has confirmed.
    area TEXT NOT NULL CHECK (area IN ('company', 'policy', 'scheduling', 'first_steps')),
    version INTEGER NOT NULL CHECK (version > 0),
    -- The fields that were saved, as JSON; all others follow the defaults.
    saved TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    -- None: the program itself.
    changed_by TEXT,
    PRIMARY KEY (area, version)
) STRICT;
CREATE TRIGGER settings_no_update BEFORE UPDATE ON settings
BEGIN SELECT RAISE(ABORT, 'settings is append only'); END;
CREATE TRIGGER settings_no_delete BEFORE DELETE ON settings
BEGIN SELECT RAISE(ABORT, 'settings is append only'); END;
