//! Reads.

use anyhow::Result;

use crate::ceilings::Route;
use crate::fixture::{Data, Fixture};
use crate::pages;

/// A read case.
pub(crate) struct Read {
    pub(crate) name: &'static str,
    pub(crate) data: Option<Data>,
    pub(crate) request: fn(&Fixture) -> Result<Get>,
}

/// GETs of several paths in turn, and the response that each must have.
pub(crate) struct Get {
    pub(crate) paths: Vec<String>,
    pub(crate) token: bool,
    /// Sends the entity tag of the first path, so that the answer is 304.
    pub(crate) conditional: bool,
    pub(crate) status: u16,
    /// Requires at least one element in `items` or `hits`.
    pub(crate) hits: bool,
    /// The upper bound that the answers are compared with.
    pub(crate) ceiling: Route,
}

impl Get {
    pub(super) fn of(path: String) -> Result<Self> {
        Ok(Self::all(vec![path]))
    }

    pub(super) fn all(paths: Vec<String>) -> Self {
        Self { paths, token: true, conditional: false, status: 200, hits: false, ceiling: Route::Bytes }
    }

    fn search(base: &str, queries: impl Iterator<Item = String>) -> Self {
        let paths = queries.map(|query| format!("{base}/search?query={query}")).collect();
        Self { hits: true, ..Self::all(paths) }
    }
}

/// Queries per search case. A cache of results must not be what is measured.
pub(super) const QUERIES: usize = 200;

/// The table of reads, in the order of the report.
pub(crate) const READS: &[Read] = &[
    Read {
        name: "healthz",
        data: None,
        request: |_| Ok(Get { token: false, ..Get::of("/healthz".to_owned())? }),
    },
    Read { name: "user (one statement)", data: None, request: |_| Get::of("/v1/user".to_owned()) },
    Read {
        name: "space",
        data: Some(Data::Small),
        request: |of| Get::of(format!("/v1/spaces/{}", of.space(Data::Small)?.id)),
    },
    Read {
        name: "page as JSON",
        data: Some(Data::Small),
        request: |of| Get::of(of.space(Data::Small)?.page(7)?),
    },
    Read {
        name: "page as Markdown",
        data: Some(Data::Small),
        request: |of| Get::of(of.space(Data::Small)?.page(7)? + "?format=markdown"),
    },
    Read {
        name: "page of 40 kB as JSON",
        data: Some(Data::Long),
        request: |of| {
            (0..20).map(|page| of.space(Data::Long)?.page(page)).collect::<Result<_>>().map(Get::all)
        },
    },
    Read {
        name: "2,000 of 10,000 pages in turn",
        data: Some(Data::Large),
        request: |of| {
            (0..2_000).map(|page| of.space(Data::Large)?.page(page * 5)).collect::<Result<_>>().map(Get::all)
        },
    },
    Read {
        name: "page, 304",
        data: Some(Data::Small),
        request: |of| Ok(Get { conditional: true, status: 304, ..Get::of(of.space(Data::Small)?.page(7)?)? }),
    },
    Read {
        name: "tree of 200 pages",
        data: Some(Data::Small),
        request: |of| Get::of(format!("/v1/spaces/{}/content/pages", of.space(Data::Small)?.id)),
    },
    Read {
        name: "list of 50 spaces",
        data: Some(Data::Many),
        request: |of| Get::of(format!("/v1/orgs/{}/spaces?limit=50", of.organization)),
    },
    Read { name: "search 200: common words", data: Some(Data::Small), request: |of| common(of, Data::Small) },
    Read { name: "search 200: rare word", data: Some(Data::Small), request: |of| rare(of, Data::Small, 200) },
    Read { name: "search 200: title", data: Some(Data::Small), request: |of| titles(of, Data::Small, 200) },
    Read {
        name: "search 10,000: common words",
        data: Some(Data::Large),
        request: |of| common(of, Data::Large),
    },
    Read {
        name: "search 10,000: rare word",
        data: Some(Data::Large),
        request: |of| rare(of, Data::Large, 10_000),
    },
    Read {
        name: "search 10,000: title",
        data: Some(Data::Large),
        request: |of| titles(of, Data::Large, 10_000),
    },
    Read { name: "search organization: common words", data: Some(Data::Large), request: organization },
    Read {
        name: "unknown path, 404",
        data: None,
        request: |_| {
            Ok(Get { token: false, status: 404, ..Get::of("/v1/spaces/nowhere/at/all".to_owned())? })
        },
    },
    Read {
        name: "no token, 401",
        data: Some(Data::Small),
        request: |of| Ok(Get { token: false, status: 401, ..Get::of(of.space(Data::Small)?.page(7)?)? }),
    },
];

fn base(of: &Fixture, data: Data) -> Result<String> {
    Ok(format!("/v1/spaces/{}", of.space(data)?.id))
}

fn common(of: &Fixture, data: Data) -> Result<Get> {
    Ok(Get::search(&base(of, data)?, (0..QUERIES).map(pages::common_query)))
}

/// Searches of the organization with frequent words.
pub(crate) fn organization(of: &Fixture) -> Result<Get> {
    Ok(Get::search(&format!("/v1/orgs/{}", of.organization), (0..QUERIES).map(pages::common_query)))
}

fn rare(of: &Fixture, data: Data, size: usize) -> Result<Get> {
    Ok(Get::search(&base(of, data)?, numbers(size).map(pages::rare_word)))
}

fn titles(of: &Fixture, data: Data, size: usize) -> Result<Get> {
    Ok(Get::search(&base(of, data)?, numbers(size).map(|number| pages::title(number).replace(' ', "%20"))))
}

/// Numbers of pages from the whole space.
fn numbers(size: usize) -> impl Iterator<Item = usize> {
    (0..QUERIES).map(move |query| query * 37 % size)
}
