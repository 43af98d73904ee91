DROP TABLE git_syncs;
