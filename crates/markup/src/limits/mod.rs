//! Bounds on size, depth, work and time of all readers and writers.
//!
//! Each constant states the quantity that it bounds, the reason for its value, and the effect on input beyond it. A
//! reader never fails because blocks nest too deeply: it drops formatting, not words. Input is refused if its nodes or
//! work are out of proportion to its length. The caller sets the deadline of a conversion
//! ([`Meter`](crate::document::Meter)).

pub(crate) mod document;
pub(crate) mod docx;
pub(crate) mod html;
pub(crate) mod markdown;
pub(crate) mod openapi;
pub(crate) mod svg;
