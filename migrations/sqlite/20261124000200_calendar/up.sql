-- The calendar of a company, kept in the browser.

-- Why a date differs from its weekday.
ALTER TABLE capacity_overrides ADD COLUMN reason TEXT NOT NULL DEFAULT '';

-- How often the week of a hub was written: two who change it at once see each other.
CREATE TABLE calendar_weeks (
    hub TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL CHECK (version > 0)
) STRICT;

-- Days on which a mate or a truck is not there. Each takes one from what its hub has planned.
CREATE TABLE absences (
    id TEXT NOT NULL PRIMARY KEY,
    hub TEXT NOT NULL,
    mate_id TEXT REFERENCES mates (id),
    truck_id TEXT REFERENCES trucks (id),
    -- The class the truck had then: what was taken is what is given back.
    truck_feet INTEGER CHECK (truck_feet IN (10, 20, 26)),
    first_day TEXT NOT NULL,
    last_day TEXT NOT NULL,
    reason TEXT NOT NULL,
    created_at TEXT NOT NULL,
    CHECK ((mate_id IS NULL) <> (truck_id IS NULL)),
    CHECK ((truck_id IS NULL) = (truck_feet IS NULL)),
    CHECK (first_day <= last_day)
) STRICT;
CREATE INDEX absences_hub ON absences (hub, last_day, first_day);
CREATE INDEX absences_mate_id ON absences (mate_id, last_day);
CREATE INDEX absences_truck_id ON absences (truck_id, last_day);
CREATE INDEX absences_last_day ON absences (last_day);
