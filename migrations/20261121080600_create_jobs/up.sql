-- Work that is done after the answer: written in the transaction that wants it, taken with SKIP LOCKED, safe with many nodes.
CREATE TABLE jobs (
    id uuid PRIMARY KEY,
    kind text NOT NULL,
    payload jsonb NOT NULL,
    key text UNIQUE,
    run_at timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    leased_until timestamptz,
    last_error text,
    given_up_at timestamptz,
    created_at timestamptz NOT NULL
);
CREATE INDEX jobs_due ON jobs (run_at, id) WHERE given_up_at IS NULL;
COMMENT ON COLUMN jobs.key IS 'A job with the same key is not written twice while it waits.';
COMMENT ON COLUMN jobs.given_up_at IS 'When it had failed too often: kept for people to look at, never run again.';
