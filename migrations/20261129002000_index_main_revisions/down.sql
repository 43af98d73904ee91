DROP INDEX revisions_main;
