-- Every edit moves the head of its space, and comments and change requests count in its row. An index on
-- `head_revision` made each of them write a new entry into all indexes of the table. The foreign key to the head needs
-- no index of its own: the primary key finds the space that a revision belongs to.
DROP INDEX spaces_head;

-- Room for the next versions of a row on its own page, without which an update can't leave the indexes alone. Present
-- pages get it as their rows are written again.
ALTER TABLE spaces SET (fillfactor = 70);
