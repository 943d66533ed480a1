DROP TABLE booking_records;
DROP TABLE booking_facts;
