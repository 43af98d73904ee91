//! The parts of the benchmark, in the order of the report.

use anyhow::Result;
use serde_json::{Value, json};

use crate::fixture::{Data, Fixture};
use crate::pages;

/// A part: one row of the main table, or a table of its own.
pub(crate) struct Part {
    pub(crate) name: &'static str,
    /// Content that must exist.
    pub(crate) spaces: &'static [Data],
    /// Content among it that needs a published site.
    pub(crate) sites: &'static [Data],
    pub(crate) measure: Measure,
}

/// The kind of a part.
pub(crate) enum Measure {
    Gets(fn(&Fixture) -> Result<Get>),
    Posts(fn(&Fixture) -> Result<Vec<Posts>>),
    ColdPages,
    Merges,
    Growth,
    Crowd,
    Disturbance,
    Rest,
}

impl Part {
    const fn get(name: &'static str, spaces: &'static [Data], get: fn(&Fixture) -> Result<Get>) -> Self {
        Self { name, spaces, sites: &[], measure: Measure::Gets(get) }
    }

    const fn visit(name: &'static str, sites: &'static [Data], get: fn(&Fixture) -> Result<Get>) -> Self {
        Self { name, spaces: sites, sites, measure: Measure::Gets(get) }
    }

    const fn post(
        name: &'static str,
        spaces: &'static [Data],
        posts: fn(&Fixture) -> Result<Vec<Posts>>,
    ) -> Self {
        Self { name, spaces, sites: &[], measure: Measure::Posts(posts) }
    }

    const fn other(name: &'static str, spaces: &'static [Data], measure: Measure) -> Self {
        // Sites are published of what both of these read.
        let sites = if matches!(measure, Measure::ColdPages | Measure::Growth) { spaces } else { &[] };
        Self { name, spaces, sites, measure }
    }
}

/// Requests of one case.
pub(crate) enum Requests {
    /// GETs of any of these paths.
    Gets(Vec<String>),
    /// POSTs to several paths at the same time.
    Posts(Vec<Posts>),
}

/// GETs of several paths, and the response that each must have.
pub(crate) struct Get {
    pub(crate) paths: Vec<String>,
    pub(crate) token: bool,
    /// Sends the entity tag of the first path, so that the answer is 304.
    pub(crate) conditional: bool,
    pub(crate) status: u16,
    /// Requires at least one element in `items` or `hits`.
    pub(crate) hits: bool,
}

impl Get {
    fn all(paths: Vec<String>) -> Result<Self> {
        Ok(Self { paths, token: true, conditional: false, status: 200, hits: false })
    }

    fn one(path: String) -> Result<Self> {
        Self::all(vec![path])
    }

    fn search(base: &str, queries: impl Iterator<Item = String>) -> Result<Self> {
        let paths = queries.map(|query| format!("{base}/search?query={query}")).collect();
        Ok(Self { hits: true, ..Self::all(paths)? })
    }

    fn visitor(self) -> Result<Self> {
        Ok(Self { token: false, ..self })
    }

    fn unchanged(self) -> Result<Self> {
        Ok(Self { conditional: true, status: 304, ..self })
    }
}

/// POSTs to one path. Each body is about a page and has another text.
pub(crate) struct Posts {
    pub(crate) path: String,
    pages: Vec<String>,
    texts: Vec<String>,
    make: fn(&str, &str) -> Value,
}

impl Posts {
    /// The body of a number, whose text begins with a mark.
    pub(crate) fn body(&self, number: usize, mark: &str) -> String {
        let pick = |from: &[String]| from.get(number % from.len().max(1)).cloned().unwrap_or_default();
        (self.make)(&pick(&self.pages), &format!("{mark}{}", pick(&self.texts))).to_string()
    }
}

/// Queries per search case. A cache of results must not be what is measured.
const QUERIES: usize = 200;

/// Texts that alternate: a prime, so that each page gets another one with each round.
const TEXTS: usize = 61;

/// Spaces of 100, 1,000 and 10,000 pages.
pub(crate) const SIZES: [Data; 3] = [Data::Hundred, Data::Thousand, Data::Large];

pub(crate) const PARTS: &[Part] = &[
    Part::get("healthz", &[], |_| Get::one("/healthz".to_owned())?.visitor()),
    Part::get("user (one statement)", &[], |_| Get::one("/v1/user".to_owned())),
    Part::get("space", &[Data::Small], |of| Get::one(space(of, Data::Small)?)),
    Part::get("page as JSON", &[Data::Small], |of| Get::one(of.space(Data::Small)?.page(7)?)),
    Part::get("page as Markdown", &[Data::Small], |of| {
        Get::one(of.space(Data::Small)?.page(7)? + "?format=markdown")
    }),
    Part::get("page of 40 kB as JSON", &[Data::Long], |of| {
        Get::all((0..20).map(|page| of.space(Data::Long)?.page(page)).collect::<Result<_>>()?)
    }),
    Part::get("2,000 of 10,000 pages at random", &[Data::Large], |of| {
        Get::all((0..2_000).map(|page| of.space(Data::Large)?.page(page * 5)).collect::<Result<_>>()?)
    }),
    Part::get("page, 304", &[Data::Small], |of| Get::one(of.space(Data::Small)?.page(7)?)?.unchanged()),
    Part::get("tree of 200 pages", &[Data::Small], |of| Get::one(space(of, Data::Small)? + "/content/pages")),
    Part::get("list of 50 spaces", &[Data::Many], |of| {
        Get::one(format!("/v1/orgs/{}/spaces?limit=50", of.organization))
    }),
    Part::get("search 200: common words", &[Data::Small], |of| common(&space(of, Data::Small)?)),
    Part::get("search 200: rare word", &[Data::Small], |of| rare(of, Data::Small, 200)),
    Part::get("search 200: title", &[Data::Small], |of| titles(of, Data::Small, 200)),
    Part::get("search 10,000: common words", &[Data::Large], |of| common(&space(of, Data::Large)?)),
    Part::get("search 10,000: rare word", &[Data::Large], |of| rare(of, Data::Large, 10_000)),
    Part::get("search 10,000: title", &[Data::Large], |of| titles(of, Data::Large, 10_000)),
    Part::get("search organization: common words", &[Data::Large], |of| {
        common(&format!("/v1/orgs/{}", of.organization))
    }),
    Part::get("unknown path, 404", &[], |_| {
        let get = Get::one("/v1/spaces/nowhere/at/all".to_owned())?.visitor()?;
        Ok(Get { status: 404, ..get })
    }),
    Part::get("no token, 401", &[Data::Small], |of| {
        let get = Get::one(of.space(Data::Small)?.page(7)?)?.visitor()?;
        Ok(Get { status: 401, ..get })
    }),
    Part::visit("site: warm page", &[Data::Small], |of| Get::one(of.site(Data::Small)?.page(7)?)?.visitor()),
    Part::visit("site: page, 304", &[Data::Small], |of| {
        Get::one(of.site(Data::Small)?.page(7)?)?.visitor()?.unchanged()
    }),
    Part::visit("site: warm page of 10,000", &[Data::Large], |of| {
        Get::one(of.site(Data::Large)?.page(7)?)?.visitor()
    }),
    Part::visit("site: all of 50 pages at random", &[Data::Fifty], |of| {
        Get::all(of.site(Data::Fifty)?.pages.clone())?.visitor()
    }),
    Part::visit("site: all of 200 pages at random", &[Data::Small], |of| {
        Get::all(of.site(Data::Small)?.pages.clone())?.visitor()
    }),
    Part::visit("site: all of 2,000 pages at random", &[Data::TwoThousand], |of| {
        Get::all(of.site(Data::TwoThousand)?.pages.clone())?.visitor()
    }),
    Part::visit("site: 5,000 of 10,000 pages at random", &[Data::Large], |of| {
        Get::all((0..5_000).map(|page| of.site(Data::Large)?.page(page)).collect::<Result<_>>()?)?.visitor()
    }),
    Part::visit("site: search as it is typed", &[Data::Large], typed),
    Part::other("site: cold page of 2,000 words, one at a time", &[Data::Words], Measure::ColdPages),
    Part::post("comments in one space", &[Data::Writes], |of| comments(of, Data::Writes)),
    Part::post("comments in 16 spaces", &[Data::Spread], |of| comments(of, Data::Spread)),
    Part::post("page updates in one space", &[Data::Writes], |of| updates(of, Data::Writes)),
    Part::post("page updates in 16 spaces", &[Data::Spread], |of| updates(of, Data::Spread)),
    Part::other("merges, one at a time", &[Data::Writes], Measure::Merges),
    Part::other("growth", &SIZES, Measure::Growth),
    Part::other("overload", &[Data::Small], Measure::Crowd),
    Part::other("disturbance", &[Data::Small, Data::Thousand], Measure::Disturbance),
    Part::other("memory after 30 s", &[], Measure::Rest),
];

fn space(of: &Fixture, data: Data) -> Result<String> {
    Ok(format!("/v1/spaces/{}", of.space(data)?.id))
}

fn common(base: &str) -> Result<Get> {
    Get::search(base, (0..QUERIES).map(pages::common_query))
}

fn rare(of: &Fixture, data: Data, size: usize) -> Result<Get> {
    Get::search(&space(of, data)?, numbers(size).map(pages::rare_word))
}

fn titles(of: &Fixture, data: Data, size: usize) -> Result<Get> {
    Get::search(&space(of, data)?, numbers(size).map(|number| pages::title(number).replace(' ', "%20")))
}

/// Numbers of pages from the whole space.
fn numbers(size: usize) -> impl Iterator<Item = usize> {
    (0..QUERIES).map(move |query| query * 37 % size)
}

/// Searches for the beginnings of queries, which a visitor sends while typing.
fn typed(of: &Fixture) -> Result<Get> {
    let root = &of.site(Data::Large)?.root;
    let queries = (0..QUERIES).map(|number| {
        let query = pages::common_query(number).replace("%20", " ");
        let typed: String = query.chars().take(3 + number % 12).collect();
        format!("{root}/~quire/search?q={}", typed.trim().replace(' ', "%20"))
    });
    Ok(Get { hits: true, ..Get::all(queries.collect())?.visitor()? })
}

fn comments(of: &Fixture, data: Data) -> Result<Vec<Posts>> {
    // The first paragraph of a page has some 300 bytes.
    let text = |number| pages::page(number, 0, &[]).split("\n\n").nth(1).unwrap_or_default().to_owned();
    posts(of, data, "comments", text, |page, text| json!({"page": page, "body": {"markdown": text}}))
}

fn updates(of: &Fixture, data: Data) -> Result<Vec<Posts>> {
    let links: Vec<String> = (0..20).map(|number| format!("https://example.com/guide/{number}")).collect();
    posts(of, data, "content", |number| pages::page(number, 4_000, &links), update)
}

/// The body of an update of one page.
pub(crate) fn update(page: &str, markdown: &str) -> Value {
    json!({"changes": [{"operation": "update_page", "page": page, "document": {"markdown": markdown}}]})
}

fn posts(
    of: &Fixture,
    data: Data,
    to: &str,
    text: impl Fn(usize) -> String,
    make: fn(&str, &str) -> Value,
) -> Result<Vec<Posts>> {
    let texts: Vec<String> = (0..TEXTS).map(text).collect();
    let spaces = of.spaces(data)?.iter();
    let posts = spaces.map(|space| Posts {
        path: format!("/v1/spaces/{}/{to}", space.id),
        pages: space.pages.clone(),
        texts: texts.clone(),
        make,
    });
    Ok(posts.collect())
}
