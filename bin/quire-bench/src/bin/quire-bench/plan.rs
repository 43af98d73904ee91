//! The selected cases and the content that they need.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::cases::{READS, Read, SITE_READS, WRITES, Write, merges, sites};
use crate::fixture::Data;
use crate::growth::SIZES;
use crate::options::Options;

/// Parts of the benchmark that are not rows of the main table, by the names that filters match.
pub(crate) const STATEMENT: &str = "ceiling: statement of a space (pgbench)";
pub(crate) const INSERT: &str = "ceiling: durable insert (pgbench)";
const GROWTH: &str = "growth";
const ROWS: &str = "rows per edit";
const ORGANIZATIONS: &str = "organizations";
const CROWD: &str = "overload";
const DISTURBED: &str = "disturbance";
const IMPORTS: &str = "imports";
const WEIGHTS: &str = "weights of a page";
const LARGE_INDEX: &str = "search index: 100,000 pages in 1,000 spaces";
const UPDATES: &str = "search index: page updates with and without";
const REST: &str = "memory after 30 s";

/// The measurements of one invocation.
pub(crate) struct Plan {
    pub(crate) reads: Vec<&'static Read>,
    pub(crate) writes: Vec<&'static Write>,
    pub(crate) site_reads: Vec<&'static Read>,
    pub(crate) cold: bool,
    pub(crate) weights: bool,
    pub(crate) merges: bool,
    pub(crate) statement: bool,
    pub(crate) insert: bool,
    pub(crate) growth: bool,
    pub(crate) rows: bool,
    pub(crate) organizations: bool,
    pub(crate) crowd: bool,
    pub(crate) disturbed: bool,
    pub(crate) imports: bool,
    pub(crate) large_index: bool,
    pub(crate) updates: bool,
    /// The memory of the server 30 s after the load.
    pub(crate) rest: bool,
}

impl Plan {
    /// Applies the filters.
    pub(crate) fn new(options: &Options) -> Result<Self> {
        let parts = [
            merges::NAME,
            sites::COLD,
            STATEMENT,
            INSERT,
            GROWTH,
            ROWS,
            ORGANIZATIONS,
            CROWD,
            DISTURBED,
            IMPORTS,
            WEIGHTS,
            LARGE_INDEX,
            UPDATES,
            REST,
        ]
        .into_iter();
        let reads = READS.iter().chain(SITE_READS).map(|read| read.name);
        let writes = WRITES.iter().map(|write| write.name);
        options.check(&reads.chain(writes).chain(parts).collect::<Vec<_>>())?;
        let writes: Vec<_> = WRITES.iter().filter(|write| options.selects(write.name)).collect();
        Ok(Self {
            reads: READS.iter().filter(|read| options.selects(read.name)).collect(),
            site_reads: SITE_READS.iter().filter(|read| options.selects(read.name)).collect(),
            cold: options.selects(sites::COLD),
            weights: options.selects(WEIGHTS),
            // Each write is compared with it.
            insert: !writes.is_empty() || options.selects(INSERT),
            writes,
            merges: options.selects(merges::NAME),
            statement: options.selects(STATEMENT),
            growth: options.selects(GROWTH),
            rows: options.selects(ROWS),
            organizations: options.selects(ORGANIZATIONS),
            crowd: options.selects(CROWD),
            disturbed: options.selects(DISTURBED),
            imports: options.selects(IMPORTS),
            large_index: options.selects(LARGE_INDEX),
            updates: options.selects(UPDATES),
            rest: options.selects(REST),
        })
    }

    /// The content that the selected cases need.
    pub(crate) fn data(&self) -> BTreeSet<Data> {
        let mut data: BTreeSet<Data> = self.reads.iter().filter_map(|read| read.data).collect();
        data.extend(self.writes.iter().map(|write| write.data));
        data.extend(self.published());
        if self.merges {
            data.insert(Data::Writes);
        }
        if self.statement || self.crowd || self.disturbed {
            data.insert(Data::Small);
        }
        if self.disturbed {
            data.insert(Data::Thousand);
        }
        if self.growth || self.rows {
            data.extend(SIZES.map(|(_, data)| data));
        }
        data
    }

    /// The content among it that needs a site.
    pub(crate) fn published(&self) -> BTreeSet<Data> {
        let mut data: BTreeSet<Data> = self.site_reads.iter().filter_map(|read| read.data).collect();
        if self.cold {
            data.insert(Data::Words);
        }
        if self.growth {
            data.extend(SIZES.map(|(_, data)| data));
        }
        data
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    fn plan(filter: &[&str]) -> Plan {
        Plan::new(&Options::parse_from([&["quire-bench", "quire"], filter].concat())).unwrap()
    }

    #[test]
    fn a_filter_makes_only_the_content_of_its_cases() {
        assert_eq!(plan(&["comments in one"]).data(), BTreeSet::from([Data::Writes]));
        assert_eq!(plan(&["healthz"]).data(), BTreeSet::new());
        assert_eq!(plan(&[]).data().len(), 11);
        assert_eq!(plan(&["site: warm page"]).published(), BTreeSet::from([Data::Small, Data::Large]));
    }

    #[test]
    fn writes_bring_their_ceiling() {
        assert!(plan(&["comments"]).insert);
        assert!(!plan(&["page as JSON"]).insert);
    }
}
