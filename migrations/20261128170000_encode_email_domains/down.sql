-- The encoded form is one that older versions read as well.
SELECT 1;
