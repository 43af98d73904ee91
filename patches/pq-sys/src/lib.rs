//! The bindings of `pq-sys` for Unix with one function changed: [`PQresultErrorField`] returns the SQLSTATE as the hint.
//!
//! Diesel reads the SQLSTATE of an error and keeps only a kind, which is `Unknown` for most codes. It passes the hint
//! on and does not print it. See `docs/adr/0015-sqlstate.md`.

extern crate pq_src;

/// A copy of `bindings_linux.rs` of pq-sys 0.7.8.
#[allow(non_camel_case_types, non_upper_case_globals, non_snake_case)]
mod bindings;

use std::ffi::{c_char, c_int};

pub use bindings::*;

/// `PG_DIAG_SQLSTATE` of `postgres_ext.h`.
const SQLSTATE: c_int = b'C' as c_int;
/// `PG_DIAG_MESSAGE_HINT` of `postgres_ext.h`.
const HINT: c_int = b'H' as c_int;

/// Returns a field of an error, or null if the error has no such field.
///
/// # Safety
/// As for the function of libpq: `result` is null or points to a result that has not been cleared. The string lives as
/// long as the result.
#[allow(non_snake_case, reason = "the name of libpq")]
#[must_use]
pub unsafe fn PQresultErrorField(result: *const PGresult, field: c_int) -> *mut c_char {
    let field = if field == HINT { SQLSTATE } else { field };
    // SAFETY: the caller's promise is that of libpq, which takes any number for a field.
    unsafe { bindings::PQresultErrorField(result, field) }
}
