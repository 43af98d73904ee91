ALTER TABLE idempotency_keys
    DROP COLUMN places,
    DROP COLUMN roles;
