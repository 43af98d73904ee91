//! Upper bounds from the same run: the same bytes from a bare route, and the same statement from pgbench.

pub(crate) mod bare;
pub(crate) mod pgbench;
mod statement;

pub(crate) use bare::{Bare, Route};
pub(crate) use pgbench::{measure_insert, measure_statement};
