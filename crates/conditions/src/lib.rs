#![doc = include_str!("../README.md")]

mod adaptive;
mod condition;
mod shape;

pub use self::adaptive::{ClaimSource, Problem, visitor_claims};
pub use self::condition::{ConditionError, Visitor, check};
pub use self::shape::schema_problems;
