#![doc = include_str!("../README.md")]

mod app;
mod app_urls;
mod arrival;
mod assets;
mod bodies;
mod body;
mod errors;
mod hosts;
pub mod reader;
mod ring;
mod site;
mod state;
mod workspace;

pub use app::{Sites, configure, endpoints};
pub use arrival::find_host;
pub use workspace::sign_in::welcome_url;
