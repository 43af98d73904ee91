//! Bound on the memory for request bodies.

use std::sync::Arc;

use quire_domain::error::Reason;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{ApiError, ApiResult};

/// Memory budget for the bodies of all requests of this node, in bytes. Bodies without a verified token can use a
/// quarter of it, so that unauthenticated clients cannot exhaust it.
pub struct BodyBudget {
    all: Arc<Semaphore>,
    unvouched: Arc<Semaphore>,
}

impl BodyBudget {
    /// Creates a budget of this many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let bytes = bytes.min(Semaphore::MAX_PERMITS);
        Self {
            all: Arc::new(Semaphore::new(bytes)),
            unvouched: Arc::new(Semaphore::new(bytes.div_euclid(4))),
        }
    }

    /// Returns an empty reservation for the body of a request with a valid token.
    #[must_use]
    pub fn of_body(&self) -> BodyReservation {
        BodyReservation { all: Reservation::of(&self.all), unvouched: None }
    }

    /// Returns an empty reservation for the body of a request without a verified token.
    #[must_use]
    pub fn of_unvouched_body(&self) -> BodyReservation {
        BodyReservation { unvouched: Some(Reservation::of(&self.unvouched)), ..self.of_body() }
    }
}

/// Reservation for one body, released on drop: when the request ends or is cancelled.
pub struct BodyReservation {
    all: Reservation,
    unvouched: Option<Reservation>,
}

impl BodyReservation {
    /// Reserves memory for a received chunk.
    ///
    /// 503 if there is not enough memory. Waiting for memory could deadlock, because partly received bodies would wait
    /// for each other.
    pub fn take(&mut self, bytes: usize) -> ApiResult<()> {
        let share = self.unvouched.as_mut().map_or(Some(()), |share| share.take(bytes));
        share.and_then(|()| self.all.take(bytes)).ok_or_else(|| {
            ApiError::new(Reason::Unavailable)
                .with_message("Too many request bodies are being received. Retry later.")
        })
    }

    /// Releases the share of unverified bodies, once the token is verified.
    pub fn vouch(&mut self) {
        self.unvouched = None;
    }
}

struct Reservation {
    of: Arc<Semaphore>,
    taken: Option<OwnedSemaphorePermit>,
}

impl Reservation {
    fn of(semaphore: &Arc<Semaphore>) -> Self {
        Self { of: Arc::clone(semaphore), taken: None }
    }

    fn take(&mut self, bytes: usize) -> Option<()> {
        let more = Arc::clone(&self.of).try_acquire_many_owned(u32::try_from(bytes).ok()?).ok()?;
        match &mut self.taken {
            Some(taken) => taken.merge(more),
            nothing => *nothing = Some(more),
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::BodyBudget;

    #[test]
    fn bodies_share_the_memory_and_release_it() {
        let budget = BodyBudget::new(10);
        let (mut one, mut other) = (budget.of_body(), budget.of_body());
        assert!(one.take(4).is_ok() && other.take(3).is_ok() && one.take(3).is_ok());
        assert_eq!(other.take(1).unwrap_err().reason().status(), 503);
        drop(one);
        assert!(other.take(7).is_ok() && other.take(1).is_err());
        drop(other);
        assert!(budget.of_body().take(10).is_ok());
        assert!(BodyBudget::new(usize::MAX).of_body().take(1).is_ok());
    }

    #[test]
    fn unvouched_bodies_have_a_quarter() {
        let budget = BodyBudget::new(40);
        let (mut one, mut other) = (budget.of_unvouched_body(), budget.of_unvouched_body());
        assert!(one.take(10).is_ok() && other.take(1).is_err());
        one.vouch();
        assert!(one.take(20).is_ok() && other.take(10).is_ok());
        assert!(budget.of_body().take(1).is_err());
    }
}
