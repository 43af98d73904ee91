-- Addresses stay in their canonical form, which the former release reads, too.
SELECT 1;
