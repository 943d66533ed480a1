DROP TABLE money_leases;
