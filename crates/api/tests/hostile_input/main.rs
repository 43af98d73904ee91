//! Growth of CPU time and memory on hostile input; run by `make hostile`.
//!
//! Each case is parsed at a size `n`, chosen so that the time is measurable, and at `4n`. CPU time must grow less than
//! six-fold: linear work grows four-fold, quadratic work sixteen-fold. Allocated memory must return to its start. It is
//! counted in the allocator, because the resident set depends on when the allocator returns pages to the system.

#![allow(
    clippy::unwrap_used,
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "a test that can't go on can only fail"
)]

mod cases;
mod inputs;
mod measure;
mod packages;

use std::io::{self, Write as _};
use std::process::ExitCode;

use self::cases::Case;
use self::measure::{Growth, measure};

/// Counts allocated bytes.
#[global_allocator]
static ALLOCATED: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// Minimum number of cases, so that the list cannot shrink unnoticed.
const LEAST_CASES: usize = 150;

fn main() -> ExitCode {
    // Server threads have 2 MiB of stack; frames of unoptimized builds are several times larger.
    let run = std::thread::Builder::new().stack_size(16 << 20).spawn(run);
    match run.map(|thread| thread.join()) {
        Ok(Ok(Ok(true))) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Runs all cases whose titles contain the argument, if given. Returns whether all pass.
fn run() -> io::Result<bool> {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let all = cases::all();
    let mut out = io::stdout().lock();
    if all.len() < LEAST_CASES {
        writeln!(out, "{} cases, expected at least {LEAST_CASES}", all.len())?;
        return Ok(false);
    }
    let all = all.iter().filter(|case| wanted.as_ref().is_none_or(|wanted| case.title().contains(wanted)));
    writeln!(out, "| case | n | bytes | ms at n | ms at 4n | growth | peak KiB | kept KiB | |")?;
    writeln!(out, "|---|--:|--:|--:|--:|--:|--:|--:|---|")?;
    let (mut cases, mut failed) = (0, Vec::new());
    for case in all {
        // The title is printed before the run, because a stack overflow aborts the process.
        write!(out, "| {} ", case.title())?;
        out.flush()?;
        let growth = measure(case);
        writeln!(out, "{}", row(&growth))?;
        cases += 1;
        if !growth.holds() {
            failed.push(case.title());
        }
    }
    match failed.as_slice() {
        [] => writeln!(out, "\nall {cases} cases hold")?,
        failed => writeln!(out, "\n{} of {cases} cases don't hold: {}", failed.len(), failed.join(", "))?,
    }
    Ok(failed.is_empty())
}

fn row(growth: &Growth) -> String {
    let Growth { size, bytes, small, large, peak, kept, .. } = growth;
    let ms = |time: &std::time::Duration| time.as_secs_f64() * 1_000.0;
    let verdict = if growth.holds() { "" } else { "**no**" };
    format!(
        "| {size} | {bytes} | {:.1} | {:.1} | {:.1} | {} | {} | {verdict} |",
        ms(small),
        ms(large),
        growth.factor(),
        peak / 1024,
        kept / 1024,
    )
}

impl Case {
    fn title(&self) -> String {
        format!("{}: {}", self.group.name(), self.name)
    }
}
