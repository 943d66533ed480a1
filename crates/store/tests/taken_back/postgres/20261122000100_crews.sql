ALTER TABLE jobs DROP COLUMN failures;
DROP INDEX members_mate_id;
DROP TABLE crew_spans;
DROP TABLE crew_times;
DROP TABLE booking_crews;
