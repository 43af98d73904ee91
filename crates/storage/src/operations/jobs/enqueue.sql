-- Writes a job, unless one with its key is queued or running.
-- $1 id, $2 kind, $3 payload, $4 key, $5 time (null for the time of the database), $6 milliseconds until it can run.
INSERT INTO jobs (id, kind, payload, key, run_at, created_at)
VALUES ($1, $2, $3, $4, coalesce($5, now()) + $6 * interval '1 millisecond', coalesce($5, now()))
    ON CONFLICT (key) DO NOTHING
