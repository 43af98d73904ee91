//! Progress of an import on standard error: a bar on a terminal, otherwise a line for each step.

use std::borrow::Cow;
use std::io::{IsTerminal, Write, stderr};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Unit of progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Pages or files.
    Things,
}

/// Display of the steps of an import.
pub struct Display {
    /// Current step.
    step: Cow<'static, str>,
    /// Progress bar. Absent without a terminal.
    bar: Option<ProgressBar>,
}

impl Display {
    /// Returns an empty display.
    pub fn on_stderr() -> Self {
        let bar = stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_millis(100));
            bar
        });
        Self { step: Cow::Borrowed(""), bar }
    }

    /// Shows the progress within a step.
    pub fn show(&mut self, step: &str, done: u64, total: Option<u64>, unit: Unit) {
        let is_new = self.step != step;
        if is_new {
            self.step = Cow::Owned(step.to_owned());
        }
        match &self.bar {
            None if is_new => {
                // A failed write, for example to a closed pipe, is ignored.
                let _ = writeln!(stderr(), "{step}…");
            }
            None => {}
            Some(bar) => {
                bar.set_style(style(total.is_some(), unit));
                bar.set_message(self.step.clone());
                bar.set_length(total.unwrap_or(done));
                bar.set_position(done);
            }
        }
    }

    /// Removes the bar.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn style(has_end: bool, unit: Unit) -> ProgressStyle {
    let template = match (has_end, unit) {
        (true, Unit::Bytes) => "{spinner} {msg:10} [{bar:40}] {bytes} of {total_bytes}",
        (true, Unit::Things) => "{spinner} {msg:10} [{bar:40}] {pos} of {len}",
        (false, Unit::Bytes) => "{spinner} {msg:10} {bytes}",
        (false, Unit::Things) => "{spinner} {msg:10} {pos}",
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use indicatif::ProgressStyle;

    #[test]
    fn the_templates_are_ones() {
        for template in ["{spinner} {msg:10} [{bar:40}] {bytes} of {total_bytes}", "{spinner} {msg:10} {pos}"]
        {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }
}
