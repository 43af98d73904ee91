//! The parts of the benchmark, in the order of the report.

use serde_json::{Value, json};

use Measure::{ColdPages, Disturbance, Gets, Growth, Merges, Overload, Posts, Rest};

use crate::content::{Data, HUNDRED, LARGE, LONG, MANY, SMALL, SPREAD, Space, THOUSAND, WORDS, WRITES};
use crate::pages;

/// A part: rows of the table of cases, or a table of its own.
pub(crate) struct Part {
    pub(crate) name: &'static str,
    /// Content that must exist.
    pub(crate) content: &'static [Data],
    pub(crate) measure: Measure,
}

/// The kind of a part.
pub(crate) enum Measure {
    Gets(fn(&Space) -> Requests),
    Posts(fn(&[Space]) -> Requests),
    ColdPages,
    Merges,
    Growth,
    Overload,
    Disturbance,
    Rest,
}

/// Returns the body of a request, by the index of its path, its number and the mark with which its text begins.
type Body = Box<dyn Fn(usize, usize, &str) -> String>;

/// Requests of one case, and the answer that each must have.
pub(crate) struct Requests {
    /// GETs of any of these paths, or POSTs to all of them at the same time.
    pub(crate) paths: Vec<String>,
    pub(crate) headers: Vec<(String, String)>,
    /// Sends the token of the administrator.
    pub(crate) token: bool,
    /// Sends the entity tag of the first path, so that the answer is 304.
    pub(crate) conditional: bool,
    pub(crate) status: u16,
    /// Requires at least one element in `items` or `hits`.
    pub(crate) hits: bool,
    /// Bodies of POSTs.
    pub(crate) body: Option<Body>,
}

impl Requests {
    /// Sends no token.
    fn visitor(self, status: u16) -> Self {
        Self { token: false, status, ..self }
    }

    /// Reads a page as a browser does: without a token, and compressed.
    fn browser(self) -> Self {
        let coding = ("Accept-Encoding".to_owned(), "gzip, deflate, br".to_owned());
        Self { headers: vec![coding], ..self.visitor(200) }
    }

    fn unchanged(self) -> Self {
        Self { conditional: true, status: 304, ..self }
    }
}

/// Spaces of 100, 1,000 and 10,000 pages.
pub(crate) const SIZES: [Data; 3] = [HUNDRED, THOUSAND, LARGE];

const fn part(name: &'static str, content: &'static [Data], measure: Measure) -> Part {
    Part { name, content, measure }
}

pub(crate) const PARTS: &[Part] = &[
    part("healthz", &[], Gets(|_| one("/healthz").visitor(200))),
    part("user (one statement)", &[], Gets(|_| one("/v1/user"))),
    part("space", &[SMALL], Gets(|of| one(of.path()))),
    part("page as JSON", &[SMALL], Gets(|of| one(of.page(7)))),
    part("page as Markdown", &[SMALL], Gets(|of| one(of.page(7) + "?format=markdown"))),
    part("page of 40 kB as JSON", &[LONG], Gets(|of| all((0..20).map(|page| of.page(page))))),
    part(
        "2,000 of 10,000 pages at random",
        &[LARGE],
        Gets(|of| all((0..2_000).map(|page| of.page(page * 5)))),
    ),
    part("page, 304", &[SMALL], Gets(|of| one(of.page(7)).unchanged())),
    part("tree of 200 pages", &[SMALL], Gets(|of| one(of.path() + "/content/pages"))),
    part("list of 50 spaces", &[MANY], Gets(|of| one(of.organization.clone() + "/spaces?limit=50"))),
    part("search 200: common words", &[SMALL], Gets(|of| common(&of.path()))),
    part("search 200: rare word", &[SMALL], Gets(rare)),
    part("search 200: title", &[SMALL], Gets(titles)),
    part("search 10,000: common words", &[LARGE], Gets(|of| common(&of.path()))),
    part("search 10,000: rare word", &[LARGE], Gets(rare)),
    part("search 10,000: title", &[LARGE], Gets(titles)),
    part("search organization: common words", &[LARGE], Gets(|of| common(&of.organization))),
    part("unknown path, 404", &[], Gets(|_| one("/v1/spaces/nowhere/at/all").visitor(404))),
    part("no token, 401", &[SMALL], Gets(|of| one(of.page(7)).visitor(401))),
    part("site: warm page", &[SMALL], Gets(|of| one(of.visit(7)).browser())),
    part("site: page, 304", &[SMALL], Gets(|of| one(of.visit(7)).browser().unchanged())),
    part("site: warm page of 10,000", &[LARGE], Gets(|of| one(of.visit(7)).browser())),
    part(
        "site: 5,000 of 10,000 pages at random",
        &[LARGE],
        Gets(|of| all((0..5_000).map(|page| of.visit(page))).browser()),
    ),
    part("site: search as it is typed", &[LARGE], Gets(typed)),
    part("site: cold page of 2,000 words, one at a time", &[WORDS], ColdPages),
    part("comments in one space", &[WRITES], Posts(comments)),
    part("comments in 16 spaces", &[SPREAD], Posts(comments)),
    part("page updates in one space", &[WRITES], Posts(updates)),
    part("page updates in 16 spaces", &[SPREAD], Posts(updates)),
    part("merges, one at a time", &[WRITES], Merges),
    part("growth", &SIZES, Growth),
    part("overload", &[SMALL], Overload),
    part("disturbance", &[SMALL, THOUSAND], Disturbance),
    part("memory after 30 s", &[], Rest),
];

/// GETs of several paths.
fn all(paths: impl Iterator<Item = String>) -> Requests {
    let (paths, headers) = (paths.collect(), Vec::new());
    Requests { paths, headers, token: true, conditional: false, status: 200, hits: false, body: None }
}

pub(crate) fn one(path: impl Into<String>) -> Requests {
    all(std::iter::once(path.into()))
}

/// Searches for 200 queries: a cache of results must not be what is measured.
fn search(base: &str, query: impl Fn(usize) -> String) -> Requests {
    let query = |number| format!("{base}{}", query(number).replace(' ', "%20"));
    Requests { hits: true, ..all((0..200).map(query)) }
}

fn common(base: &str) -> Requests {
    search(&format!("{base}/search?query="), pages::common_query)
}

fn rare(of: &Space) -> Requests {
    search(&format!("{}/search?query=", of.path()), |number| pages::rare_word(number * 37 % of.pages.len()))
}

fn titles(of: &Space) -> Requests {
    search(&format!("{}/search?query=", of.path()), |number| pages::title(number * 37 % of.pages.len()))
}

/// Searches for the beginnings of queries, which a visitor sends while typing.
fn typed(of: &Space) -> Requests {
    let query = |number| -> String { pages::common_query(number).chars().take(3 + number % 12).collect() };
    search(&format!("{}/~quire/search?q=", of.site), |number| query(number).trim().to_owned()).visitor(200)
}

/// POSTs about the pages of spaces. The number of texts is a prime, so that each page gets another one with each round.
fn posts(of: &[Space], to: &str, text: impl Fn(usize) -> String, make: fn(&str, &str) -> Value) -> Requests {
    let texts: Vec<String> = (0..61).map(text).collect();
    let pages: Vec<Vec<String>> = of.iter().map(|space| space.pages.clone()).collect();
    let body = move |path: usize, number: usize, mark: &str| {
        let pick = |from: &[String]| from.get(number % from.len().max(1)).cloned().unwrap_or_default();
        let page = pages.get(path).map(|pages| pick(pages)).unwrap_or_default();
        make(&page, &format!("{mark}{}", pick(&texts))).to_string()
    };
    let paths = of.iter().map(|space| format!("{}/{to}", space.path()));
    Requests { body: Some(Box::new(body)), ..all(paths) }
}

fn comments(spaces: &[Space]) -> Requests {
    // The first paragraph of a page has some 300 bytes.
    let text = |number| pages::page(number, 0, &[]).split("\n\n").nth(1).unwrap_or_default().to_owned();
    posts(spaces, "comments", text, |page, text| json!({"page": page, "body": {"markdown": text}}))
}

fn updates(spaces: &[Space]) -> Requests {
    let links: Vec<String> = (0..20).map(|number| format!("https://example.com/guide/{number}")).collect();
    posts(spaces, "content", |number| pages::page(number, 4_000, &links), update)
}

/// The body of an update of one page.
pub(crate) fn update(page: &str, markdown: &str) -> Value {
    json!({"changes": [{"operation": "update_page", "page": page, "document": {"markdown": markdown}}]})
}
