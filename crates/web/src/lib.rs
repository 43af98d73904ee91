#![doc = include_str!("../README.md")]

mod app;
mod assets;
mod body;
mod errors;
mod home;
mod hosts;
pub mod reader;
mod site;

pub use app::{Web, WebData, configure, endpoints};
pub use hosts::find_host;
