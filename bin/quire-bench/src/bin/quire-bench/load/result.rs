//! The line that the Lua programs print at the end.

use anyhow::{Context, Result};

/// Counts and latencies of one run of wrk.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct WrkResult {
    /// Responses of any status.
    pub(crate) requests: f64,
    pub(crate) seconds: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    /// Responses of status 400 and above.
    pub(crate) over_399: f64,
    /// Requests that took longer than the timeout.
    pub(crate) timeouts: f64,
    /// Failures to connect, read or write.
    pub(crate) broken: f64,
    /// Writes answered 2xx.
    pub(crate) done: f64,
    /// Writes answered 409 or 412.
    pub(crate) refused: f64,
    /// Writes answered with another status.
    pub(crate) failed: f64,
    /// Status and start of the body of one failed write.
    pub(crate) sample: Option<String>,
}

/// Reads the result from wrk's standard output.
pub(crate) fn parse(output: &str) -> Result<WrkResult> {
    let line = output.lines().find_map(|line| line.strip_prefix("quire-bench "));
    let line = line.with_context(|| format!("wrk printed no result: {output}"))?;
    let of = |key: &str| -> Result<f64> {
        let value = line.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
        value.and_then(|value| value.parse().ok()).with_context(|| format!("no {key} in {line}"))
    };
    let sample = output.lines().find_map(|line| line.strip_prefix("quire-bench-sample "));
    Ok(WrkResult {
        requests: of("requests")?,
        seconds: of("seconds")?,
        p50_ms: of("p50_ms")?,
        p99_ms: of("p99_ms")?,
        over_399: of("over_399")?,
        timeouts: of("timeouts")?,
        broken: of("broken")?,
        done: of("done")?,
        refused: of("refused")?,
        failed: of("failed")?,
        sample: sample.map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "Running 1s test @ http://127.0.0.1:1\n  2 threads and 16 connections\n\
        quire-bench requests=1200 seconds=1.500000 p50_ms=1.2500 p99_ms=9.0000 over_399=3 timeouts=0 broken=1 done=1190 refused=7 failed=3\n\
        quire-bench-sample 500 {\"message\": \"broken\"}\n";

    #[test]
    fn the_result_is_read_from_the_output() {
        let result = parse(OUTPUT).unwrap();
        assert_eq!(
            (result.requests, result.seconds, result.p50_ms, result.p99_ms),
            (1_200.0, 1.5, 1.25, 9.0)
        );
        assert_eq!((result.over_399, result.timeouts, result.broken), (3.0, 0.0, 1.0));
        assert_eq!((result.done, result.refused, result.failed), (1_190.0, 7.0, 3.0));
        assert_eq!(result.sample.as_deref(), Some("500 {\"message\": \"broken\"}"));
    }

    #[test]
    fn an_output_without_a_result_is_an_error() {
        assert!(parse("unable to connect to 127.0.0.1:1 Connection refused\n").is_err());
        assert!(parse("quire-bench requests=1\n").is_err());
    }
}
