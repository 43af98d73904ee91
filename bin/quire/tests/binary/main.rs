//! The program as a user runs it: real processes on a data folder of their own, with a PostgreSQL of their own.

mod admin;
mod configuration;
mod crash;
mod http;
mod lifecycle;
mod server;
