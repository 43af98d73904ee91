//! Streams of events, and presence.

pub mod presence;
pub mod stream;
