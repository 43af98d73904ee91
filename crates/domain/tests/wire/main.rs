//! What travels on the wire, as files that anybody can read.
//!
//! Each golden file is read into its type and must come out as it went in, byte for byte, so that a key that is
//! renamed, lost, added or moved shows. It must also fit the type's OpenAPI schema, so that the two can't part.

mod golden;
mod refused;
mod schema;
