DROP TABLE presences;
