//! Bodies of repeated requests, which are read only to compare their digests.

use actix_web::dev::Payload;
use quire_domain::error::Reason;
use quire_storage::operations::idempotency::KeptOutcome;

use super::body::SharedDigest;
use crate::error::{ApiError, ApiResult};
use crate::extract::BodyDeadline;
use crate::state::State;

/// Reads the body of a repeated request through its digest, and discards it. A body that is longer than the first one
/// is not read to its end.
///
/// # Errors
/// 408 if it does not arrive in time, 400 if it is malformed.
pub(super) async fn read(
    state: &State,
    payload: &mut Payload,
    digest: &SharedDigest,
    kept: &KeptOutcome,
) -> ApiResult<()> {
    // A form may have bytes after its last boundary, which the digest ignores.
    const MARGIN: u64 = 1 << 10;
    if kept.outcome.body.is_none() {
        return Ok(());
    }
    let limit = kept.outcome.body_size.saturating_add(MARGIN);
    let arrival = BodyDeadline::of(&state.settings, limit);
    while let Some(chunk) = arrival.next(payload).await? {
        chunk.map_err(|error| {
            ApiError::new(Reason::InvalidBody).with_message(format!("The body could not be read: {error}."))
        })?;
        if digest.size() > limit {
            return Err(ApiError::new(Reason::IdempotencyKeyReused));
        }
    }
    Ok(())
}
