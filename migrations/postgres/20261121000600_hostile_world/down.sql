DROP TABLE tallies;
DROP TABLE money_leases;
