#![doc = include_str!("../README.md")]

mod adaptive;
mod condition;

pub use self::adaptive::{ClaimSource, ClosedShape, Problem, ShapeError, visitor_claims};
pub use self::condition::{ConditionError, Visitor, check};
