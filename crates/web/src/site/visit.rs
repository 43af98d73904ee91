//! Visit of a site: its content as a visitor sees it, and the addresses of its pages.

use std::sync::Arc;

use quire_content::redirects::site_path;
use quire_content::visible::is_bounded;
use quire_domain::sites::SiteVisibility;
use quire_domain::sites::customization::{Customization, overridden};
use quire_server::urls::Urls;
use quire_server::{ApiError, ApiResult};
use quire_storage::sites::published::{
    Located, PreviewedContent, PublishedSection, PublishedSite, PublishedSpace,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::body::Key;

/// Site as one visitor sees it.
pub(crate) struct Visit {
    /// Site with only the sections and spaces whose conditions the visitor meets.
    pub(crate) site: Arc<PublishedSite>,
    /// Appearance settings with only the header links whose conditions the visitor meets.
    pub(crate) settings: Arc<Customization>,
    /// Path prefix of the site.
    pub(crate) prefix: String,
    /// URL of the root of the site, without a trailing slash.
    root: String,
    /// Claims of the visitor.
    pub(crate) claims: Value,
    /// True if a token proves the visitor's identity.
    pub(crate) is_vouched: bool,
    /// Preview, if one is shown instead of the published state.
    pub(crate) preview: Option<Previewed>,
}

/// Visitor of a site.
pub(crate) struct Visitor {
    /// Claims that the site accepts.
    pub(crate) claims: Value,
    /// True if a token proves the claims.
    pub(crate) is_vouched: bool,
}

/// Previewed state of a site.
pub(crate) struct Previewed {
    /// Previewed content of a space, and the published space. `None` if no content is previewed.
    pub(crate) state: Option<(PreviewedContent, PublishedSpace)>,
    /// Expiry in seconds since the Unix epoch.
    pub(crate) ends: i64,
    /// URL of the previewed change request in the workspace.
    pub(crate) change_request: Option<String>,
    /// Origin of the page that embeds the preview, for a preview of settings.
    pub(crate) framed_by: Option<String>,
}

impl Visit {
    /// Returns a visit with the conditions of a site applied for a visitor.
    pub(crate) fn new(
        mut site: Arc<PublishedSite>,
        prefix: String,
        urls: &Urls,
        key: Option<&str>,
        visitor: Visitor,
        preview: Option<Previewed>,
    ) -> Self {
        let Visitor { claims, is_vouched } = visitor;
        let visitor = quire_conditions::Visitor::new(&claims);
        let meets = |condition: &str| is_bounded(condition) && visitor.meets(condition);
        site.show_to(meets);
        let mut settings = Arc::clone(&site.settings);
        if settings.header.links.iter().any(|link| link.condition.is_some()) {
            settings = Arc::new(Customization::clone(&settings).shown_to(meets));
        }
        let mut root = urls.at_address(&site.site.address());
        if let Some(key) = key {
            root = format!("{root}/{key}");
        }
        Self { site, settings, prefix, root, claims, is_vouched, preview }
    }

    /// Returns the visit of a visitor without claims.
    pub(crate) fn of_anybody(site: Arc<PublishedSite>, urls: &Urls) -> Self {
        let visitor = Visitor { claims: json!({}), is_vouched: false };
        Self::new(site, String::new(), urls, None, visitor, None)
    }

    /// Returns the title of the site.
    pub(crate) fn title(&self) -> &str {
        self.settings.title.as_deref().unwrap_or(&self.site.site.title)
    }

    /// Returns the settings for pages of a space: those of the site with the overrides of the space, in the language of
    /// the space. They are copied, so callers should do this once per page.
    ///
    /// # Errors
    /// If stored overrides are malformed.
    pub(crate) fn settings_in(&self, space: &PublishedSpace) -> ApiResult<Customization> {
        let Some(overrides) = &space.customization else {
            return Ok(Customization::clone(&self.settings).in_language(space.language));
        };
        let settings = overridden(&self.settings, overrides).map_err(ApiError::internal)?;
        let visitor = quire_conditions::Visitor::new(&self.claims);
        let shown = settings.shown_to(|condition| is_bounded(condition) && visitor.meets(condition));
        Ok(shown.in_language(space.language))
    }

    /// Returns whether the site is customized or the space overrides a setting of this group.
    pub(crate) fn is_customized(&self, space: &PublishedSpace, group: &str) -> bool {
        self.site.site.customization.is_some() || has_overrides(space, group)
    }

    /// Returns whether search engines may list the site.
    pub(crate) fn is_listed(&self) -> bool {
        self.site.site.visibility == SiteVisibility::Public && self.preview.is_none()
    }

    /// Returns the spaces for a search. In a preview they have their published heads.
    pub(crate) fn searched_spaces(&self) -> Vec<PublishedSpace> {
        let mut spaces = self.site.spaces.clone();
        if let Some((_, published)) = self.preview.as_ref().and_then(|preview| preview.state.as_ref()) {
            for space in spaces.iter_mut().filter(|space| space.space == published.space) {
                (space.revision, space.root) = (published.revision, published.root);
            }
        }
        spaces
    }

    /// Returns the value of `Cache-Control` for pages, which are revalidated with each request.
    pub(crate) fn caching(&self) -> &'static str {
        if self.preview.is_some() {
            return "private, no-store";
        }
        if self.claims.as_object().is_some_and(|claims| !claims.is_empty()) {
            return "private, no-cache";
        }
        match self.site.site.visibility {
            SiteVisibility::Public | SiteVisibility::Unlisted => "public, no-cache",
            SiteVisibility::ShareLink | SiteVisibility::VisitorAuth => "private, no-cache",
        }
    }

    /// Returns a hash of everything that a response of the site depends on, including `asked`.
    pub(crate) fn key(&self, writing: &str, asked: &[&str]) -> Key {
        let shown = self.site.spaces.iter().map(|space| space.id.to_string()).collect::<Vec<_>>().join(" ");
        let claims = self.claims.to_string();
        let visitor = if self.is_vouched { "vouched" } else { "" };
        let parts = [writing, &self.prefix, &self.root, &shown, &claims, visitor];
        let hash = Sha256::new().chain_update(self.site.digest);
        let hash = parts.into_iter().chain(asked.iter().copied()).fold(hash, |hash, part| {
            hash.chain_update(part.len().to_string()).chain_update([0]).chain_update(part)
        });
        hash.finalize().into()
    }

    pub(crate) fn section_of(&self, space: &PublishedSpace) -> Option<&PublishedSection> {
        self.site.section_of(space)
    }

    /// Returns the spaces of a section in order, or those of a site without sections.
    pub(crate) fn spaces_in(
        &self,
        section: Option<&PublishedSection>,
    ) -> impl Iterator<Item = &PublishedSpace> {
        self.site.spaces_in(section)
    }

    /// Returns the visible spaces in the section of a space, and the space itself even if it is hidden.
    pub(crate) fn variants_of(&self, space: &PublishedSpace) -> impl Iterator<Item = &PublishedSpace> {
        let id = space.id;
        self.spaces_in(self.section_of(space)).filter(move |variant| !variant.hidden || variant.id == id)
    }

    /// Returns the first space of a section.
    pub(crate) fn default_in(&self, section: Option<&PublishedSection>) -> Option<&PublishedSpace> {
        self.site.default_in(section)
    }

    /// Finds the space of a path, which may omit the default section and space.
    pub(crate) fn locate<'p>(&self, path: &'p [String]) -> Option<Located<'_, 'p>> {
        self.site.locate(path)
    }

    /// Returns the path of a page below the root of the site. `page` is its path in the space. The default section and
    /// space are omitted unless the path would then lead elsewhere.
    pub(crate) fn site_path(&self, space: &PublishedSpace, page: &str) -> String {
        site_path(&self.site, space, page)
    }

    /// Returns a link to a path on the site.
    pub(crate) fn link(&self, site_path: &str) -> String {
        let link = format!("{}{site_path}", self.prefix);
        if link.is_empty() { "/".to_owned() } else { link }
    }

    /// Returns the URL of a path on the site.
    pub(crate) fn url(&self, site_path: &str) -> String {
        format!("{}{site_path}", self.root)
    }

    /// Returns the address of a service path of the site.
    pub(crate) fn service(&self, name: &str) -> String {
        format!("{}/~quire/{name}", self.prefix)
    }
}

/// Returns whether a space overrides a setting of this group.
pub(crate) fn has_overrides(space: &PublishedSpace, group: &str) -> bool {
    space.customization.as_ref().is_some_and(|overrides| overrides.contains_key(group))
}

/// Returns the path prefix of a site: that of its proxy, or that of its default address.
pub(crate) fn prefix(site: &PublishedSite, base: &str) -> String {
    let record = &site.site;
    match &record.proxy_origin {
        Some(origin) => origin.split_once('/').map_or_else(String::new, |(_, path)| {
            format!("/{}", path.trim_matches('/')).trim_end_matches('/').to_owned()
        }),
        None => format!("{base}/{}", record.default_address()),
    }
}
