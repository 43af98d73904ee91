//! Bounds on size, depth, work and time of all readers and writers.
//!
//! Each constant states the quantity that it bounds, the reason for its value, and the effect on input beyond it. A
//! reader never fails because blocks nest too deeply: it gives up form, not words. Size and work are refused where the
//! input would cost more memory or time than its length explains. The deadline of a conversion is the caller's
//! ([`Meter`](crate::document::Meter)).

pub(crate) mod document;
pub(crate) mod docx;
pub(crate) mod html;
pub(crate) mod markdown;
pub(crate) mod openapi;
pub(crate) mod svg;
