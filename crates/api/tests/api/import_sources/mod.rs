//! Imports of all eleven sources over HTTP from a local server, each with an export in the form of its product.

mod files;
mod products;
pub mod support;
mod website;
