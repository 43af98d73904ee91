//! Middleware of every request, outermost first.

pub mod browsers;
pub mod observe;
pub mod pace;
pub mod positions;
pub mod rate_limit;
pub mod refusals;
pub mod reject;
pub mod same_origin;
pub mod scope;
