//! Wire forms, as readable files.

mod golden;
mod refused;
mod schema;
