//! The cases of the main table.

mod measure;
pub(crate) mod merges;
mod reads;
pub(crate) mod sites;
mod writes;

use serde::Serialize;

use crate::load::Figures;

pub(crate) use measure::{Bench, measure_read, measure_read_at, measure_write, measure_write_at};
pub(crate) use reads::{Get, READS, Read, organization};
pub(crate) use sites::SITE_READS;
pub(crate) use writes::{WRITES, Write};

/// A row of the main table.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Case {
    pub(crate) name: String,
    /// One element per number of connections.
    pub(crate) figures: Vec<Figures>,
    /// Length of the body of a response.
    pub(crate) answer_bytes: Option<usize>,
    /// Resident memory of the server after the case.
    pub(crate) resident_mb: Option<f64>,
    pub(crate) ceiling: Option<Ceiling>,
}

/// An upper bound from the same run, at 16 connections.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Ceiling {
    pub(crate) name: &'static str,
    pub(crate) requests_per_second: f64,
}

impl Case {
    /// The figures at a number of connections.
    pub(crate) fn at(&self, connections: u32) -> Option<&Figures> {
        self.figures.iter().find(|figures| figures.connections == connections)
    }

    /// The figures that the columns of one number of connections show: those at 16, or the only ones.
    pub(crate) fn main(&self) -> Option<&Figures> {
        self.at(16).or_else(|| self.figures.first())
    }

    /// Requests per second at 16 connections as share of the ceiling.
    pub(crate) fn share(&self) -> Option<f64> {
        Some(self.main()?.requests_per_second / self.ceiling.as_ref()?.requests_per_second)
    }
}
