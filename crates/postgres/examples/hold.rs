//! `hold DATA_DIR DATABASE` runs a private cluster until its standard input ends, then stops it.
//!
//! It prints the database's URL when it is ready. The tests start it in order to kill it.

#![allow(clippy::print_stdout, reason = "this is a program, whose output its caller reads")]

use std::env;
use std::error::Error;
use std::io;

use quire_postgres::{Cluster, ClusterConfig};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [data_dir, database] = arguments.as_slice() else {
        return Err("usage: hold DATA_DIR DATABASE".into());
    };
    let config = ClusterConfig::new(data_dir, database).with_setting("fsync", "off");
    let cluster = Cluster::start(&config)?;
    println!("{}", cluster.url());
    io::copy(&mut io::stdin(), &mut io::sink())?;
    cluster.stop()?;
    Ok(())
}
