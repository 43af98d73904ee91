//! The eleven sources of imports, each over HTTP from a server on this machine, with an export shaped as its product
//! makes it.

mod files;
mod products;
pub mod support;
mod website;
