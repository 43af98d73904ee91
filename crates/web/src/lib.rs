#![doc = include_str!("../README.md")]

mod app;
mod arrival;
mod assets;
mod bodies;
mod body;
mod errors;
mod home;
mod hosts;
pub mod reader;
mod ring;
mod site;
mod state;

pub use app::{Sites, configure, endpoints};
pub use arrival::find_host;
