//! Options of the program.

use std::path::PathBuf;

use clap::Parser;

/// Injects faults into a deployment of two nodes under a load of writes, and checks after each that nothing is lost.
#[derive(Clone, Debug, Parser)]
pub struct Options {
    /// The `quire` binary.
    pub binary: PathBuf,
    /// Number of faults.
    #[arg(long, default_value_t = 200)]
    pub faults: u32,
    /// Time after which no further fault is injected, in seconds. Each kind is injected at least once.
    #[arg(long, default_value_t = 570)]
    pub seconds: u64,
    /// Seed of all random choices; by default taken from the clock, and printed.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Kinds of faults, by their names in the table; by default all that this machine allows.
    #[arg(long = "kind")]
    pub kinds: Vec<String>,
    /// Concurrent writers.
    #[arg(long, default_value_t = 6)]
    pub writers: u64,
    /// The library of libfaketime, for jumps of the clock; by default that of Debian's package, if it is installed.
    #[arg(long, env = "QUIRE_FAKETIME")]
    pub faketime: Option<PathBuf>,
    /// Keeps the folder with the logs and the database.
    #[arg(long)]
    pub keep: bool,
}
