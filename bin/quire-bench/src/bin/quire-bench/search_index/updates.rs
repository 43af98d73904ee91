//! Page updates on two servers of the same binary, of which one keeps no index.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Serialize;

use crate::cases::{self, Bench, Case, WRITES};
use crate::fixture::Data;
use crate::run::Run;

/// Measurements of each server, in alternation.
const ROUNDS: usize = 6;
/// The case of [`WRITES`].
const NAME: &str = "page updates in one space";
/// An index of so little disk space takes in no space.
const WITHOUT: [(&str, &str); 1] = [("QUIRE_SEARCH_DISK", "1")];

/// The same updates with and without the index.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct UpdatesWithIndex {
    pub(crate) with: Case,
    pub(crate) without: Case,
}

/// Measures updates on two servers of this binary.
pub(crate) async fn measure(bench: &Bench, binary: &Path) -> Result<UpdatesWithIndex> {
    let write = WRITES.iter().find(|write| write.name == NAME).context("the case exists")?;
    let mut runs = vec![Run::start(binary).await?, Run::start_with(binary, &WITHOUT).await?];
    for run in &mut runs {
        run.fixture.make(&run.client, &BTreeSet::from([Data::Writes])).await?;
    }
    let mut cases = cases::measure_write_at(bench, &runs, write, &[1, 16], ROUNDS).await?.into_iter();
    let (Some(with), Some(without)) = (cases.next(), cases.next()) else {
        anyhow::bail!("nothing was measured")
    };
    Ok(UpdatesWithIndex { with, without })
}
