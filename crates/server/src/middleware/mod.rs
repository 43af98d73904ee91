//! What every request passes on its way in and out, from the outside in.

pub mod browsers;
pub mod observe;
pub mod rate_limit;
pub mod refusals;
pub mod reject;
pub mod scope;
