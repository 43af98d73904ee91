//! Files of no known product.

use std::collections::{BTreeMap, BTreeSet};

use quire_markup::dialects::{self, Translated};
use quire_markup::openapi::Json;

use super::Dialect;
use super::chapters;
use super::site::Site;
use super::spaces;
use crate::tree::SourceTree;
use crate::yaml;

/// File with values to substitute in pages: `{{{ .name }}}`, as in PingCAP's documentation.
const VALUES: &str = "variables.json";

/// Files without product-specific rules.
#[derive(Debug, Default)]
pub(super) struct Plain {
    values: BTreeMap<String, String>,
    site: Site,
    /// Pages that are left out of navigation.
    hidden: BTreeSet<String>,
}

impl Plain {
    pub(super) fn of(tree: &SourceTree) -> Self {
        let settings = tree.text(VALUES).and_then(|text| yaml::parse(&text));
        let entries = settings.as_ref().map(Json::entries).unwrap_or_default();
        let values: BTreeMap<String, String> = entries
            .iter()
            .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
            .collect();
        let mut site = Site { contents: chapters::contents(tree), ..Site::default() };
        site.uses((!values.is_empty()).then(|| VALUES.to_owned()));
        let hidden = spaces::open(tree, &mut site);
        Self { values, site, hidden }
    }
}

impl Dialect for Plain {
    fn product(&self) -> &'static str {
        "GitBook or mdBook"
    }

    fn site(&self) -> &Site {
        &self.site
    }

    fn reads_pages_alone(&self) -> bool {
        true
    }

    fn hides_file(&self, path: &str) -> bool {
        self.hidden.contains(path)
    }

    fn translated(&self, _path: &str, text: &str) -> Option<Translated> {
        let value = |name: &str| self.values.get(name.trim_start_matches('.')).cloned();
        Some(dialects::book(&dialects::with_values(text, "{{{", "}}}", &value)))
    }
}
