//! Time limits for receiving a body, so that a stalled sender uses neither memory nor a permit.

use std::time::Duration;

use futures_util::{Stream, StreamExt as _};
use quire_domain::error::Reason;
use tokio::time::{Instant, timeout_at};

use crate::error::{ApiError, ApiResult};
use crate::settings::Settings;

/// Time limits of one body.
#[derive(Clone, Copy, Debug)]
pub struct BodyDeadline {
    pause: Duration,
    deadline: Instant,
}

impl BodyDeadline {
    /// Starts the time limits of a body of at most `limit` bytes: one for each pause, and one for the whole body at the
    /// minimum rate.
    #[must_use]
    pub fn of(settings: &Settings, limit: u64) -> Self {
        let pause = settings.body_pause;
        let bytes = Duration::from_secs(limit.div_ceil(settings.body_rate.max(1)));
        Self { pause, deadline: Instant::now() + pause + bytes }
    }

    /// Returns the next chunk of a body; `None` at its end.
    ///
    /// # Errors
    /// 408 if it does not arrive in time.
    pub async fn next<S: Stream + Unpin>(&self, body: &mut S) -> ApiResult<Option<S::Item>> {
        let until = self.deadline.min(Instant::now() + self.pause);
        timeout_at(until, body.next()).await.map_err(|_| self.too_slow())
    }

    fn too_slow(&self) -> ApiError {
        let seconds = self.pause.as_secs_f32();
        ApiError::new(Reason::RequestTimeout).with_message(if Instant::now() >= self.deadline {
            "The body was not received in time.".to_owned()
        } else {
            format!("No data was received for {seconds} s.")
        })
    }
}
