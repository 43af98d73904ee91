//! Presentation of sites and their structure.

use std::collections::{BTreeMap, HashSet};

use quire_conditions::Visitor;
use quire_domain::Role;
use quire_domain::ids::SiteSpaceId;
use quire_domain::object::{
    PublishedSiteTag, ShareLinkTag, SiteSectionGroupTag, SiteSectionTag, SiteSpaceTag, SiteTag,
};
use quire_domain::policy::{SiteReader, SiteSpaceView};
use quire_domain::sites::customization::{Customization, overridden};
use quire_domain::sites::{
    AdaptiveContent, HostnameState, PublishedAt, PublishedCustomizations, PublishedSite, ShareLink,
    ShareLinkFacts, ShareLinkUrls, Site, SiteAds, SiteDefaultLevel, SiteFeatureId, SitePermissions,
    SiteProxy, SiteSection, SiteSectionGroup, SiteSpace, SiteStructure, SiteType, SiteUrls, SiteVisibility,
    StructureItem, features,
};
use quire_storage::sites::{Group, Section, SiteRecord, SiteSpaceRecord};
use serde_json::{Map, Value};

use super::git::shown_site_git_sync;
use super::space;
use crate::error::{ApiError, ApiResult};
use crate::urls::Urls;

/// Reader of the parts of a site.
pub struct PartsReader {
    /// Evaluator of conditions with the claims of the reader.
    pub conditions: Visitor,
    /// The reader in relation to the site.
    pub reader: SiteReader,
    /// `true` if the reader asks for the view of a visitor with these claims, so that conditions also hide spaces on
    /// which the reader has a role.
    pub is_bound: bool,
    /// Site spaces of a preview; `None` outside of previews.
    pub previewed: Option<HashSet<SiteSpaceId>>,
}

impl PartsReader {
    /// Returns whether the reader sees the whole structure of the site.
    #[must_use]
    pub fn sees_all(&self) -> bool {
        self.reader.manages && !self.is_bound
    }

    fn meets(&self, draft: bool, condition: Option<&str>) -> bool {
        !draft && condition.is_none_or(|condition| self.conditions.meets(condition))
    }

    fn sees(&self, role: Option<Role>, meets_conditions: bool) -> bool {
        (meets_conditions || !self.is_bound)
            && self.reader.sees(role, meets_conditions) != SiteSpaceView::Hidden
    }
}

/// Site in relation to a viewer.
#[derive(Clone, Copy)]
pub struct SiteView<'a> {
    urls: &'a Urls,
    site: &'a SiteRecord,
    parts_reader: Option<&'a PartsReader>,
    share_key: Option<&'a str>,
    role: Option<Role>,
}

impl<'a> SiteView<'a> {
    /// Returns the view of a user who manages the site.
    #[must_use]
    pub fn new(urls: &'a Urls, site: &'a SiteRecord) -> Self {
        Self { urls, site, parts_reader: None, share_key: None, role: None }
    }

    /// Restricts the view to what this reader sees.
    #[must_use]
    pub fn visited_by(self, reader: &'a PartsReader) -> Self {
        Self { parts_reader: Some(reader), ..self }
    }

    /// Adds the permissions of a member with this role in the organization.
    #[must_use]
    pub fn seen_by(self, role: Option<Role>) -> Self {
        Self { role, ..self }
    }

    /// Adds a share link key to the published URLs.
    #[must_use]
    pub fn shared_with(self, share_key: Option<&'a str>) -> Self {
        Self { share_key, ..self }
    }

    /// Returns the site.
    #[must_use]
    pub fn site(&self) -> Site {
        let record = self.site;
        let path = format!("orgs/{}/sites/{}", record.organization, record.id);
        let target = record.default_address();
        Site {
            object: SiteTag::Tag,
            id: record.id,
            site_type: record.kind,
            applied_type: record.kind,
            title: record.title.clone(),
            icon: record.icon(),
            hostname: self.shown_address(&record.pending_hostname, &record.hostname),
            hostnames: self.hostnames(),
            basename: record.basename.clone(),
            proxy: self
                .shown_address(&record.pending_proxy_origin, &record.proxy_origin)
                .map(|origin| SiteProxy { origin, target: self.urls.at_address(&target) }),
            visibility: record.visibility,
            published: record.published,
            site_spaces: u64::try_from(record.site_spaces).unwrap_or(0),
            created_at: record.created_at,
            adaptive_content: record.adaptive_content.map(|enabled| AdaptiveContent { enabled }),
            ads: (record.kind == SiteType::Sponsored).then(|| SiteAds::Pending {
                submittable: record.published && record.visibility == SiteVisibility::Public,
            }),
            features: features(record.kind).collect(),
            git_sync: record
                .git_sync
                .as_deref()
                .filter(|_| self.role.is_some())
                .map(|shown| shown_site_git_sync(self.urls, record, shown)),
            default_level: SiteDefaultLevel::Inherit,
            permissions: SitePermissions::of(self.role),
            urls: SiteUrls {
                location: self.urls.api(&path),
                app: self.urls.app(format_args!("o/{}/sites/{}", record.organization, record.id)),
                published: self.published(""),
                preview: self.urls.at_address(&target),
            },
        }
    }

    /// Returns an address of the site: for members the one that was set last, for visitors the one in force.
    fn shown_address(&self, pending: &Option<String>, live: &Option<String>) -> Option<String> {
        pending.as_ref().filter(|_| self.role.is_some()).or(live.as_ref()).cloned()
    }

    /// Returns the host names of the site; `None` for visitors.
    fn hostnames(&self) -> Option<Vec<HostnameState>> {
        let site = self.site;
        let state = |(hostname, is_verified)| HostnameState::new(hostname, is_verified, site.organization);
        let hostnames: Vec<HostnameState> = site.hostnames().into_iter().map(state).collect();
        (self.role.is_some() && !hostnames.is_empty()).then_some(hostnames)
    }

    /// Returns whether the reader sees a section: at least one of its spaces is visible. A user who manages the site
    /// sees every section.
    #[must_use]
    pub fn shows_section(&self, section: &Section) -> bool {
        self.parts_reader.is_none_or(PartsReader::sees_all)
            || section.site_spaces.iter().any(|space| self.shows_space(Some(section), space))
    }

    /// Returns whether the reader sees a group: at least one of its sections is visible.
    #[must_use]
    pub fn shows_group(&self, group: &Group) -> bool {
        self.parts_reader.is_none_or(PartsReader::sees_all)
            || group.sections.iter().any(|section| self.shows_section(section))
    }

    /// Returns whether the reader sees a space, of a section or of a site without sections.
    fn shows_space(&self, section: Option<&Section>, space: &SiteSpaceRecord) -> bool {
        let Some(reader) = self.parts_reader else { return true };
        if let Some(previewed) = &reader.previewed {
            return previewed.contains(&space.id);
        }
        let meets = section.is_none_or(|section| {
            reader.meets(section.draft || section.in_draft, section.condition.as_deref())
        });
        reader.sees(space.role, meets && reader.meets(space.draft, space.condition.as_deref()))
    }

    /// Returns a site space.
    #[must_use]
    pub fn site_space(&self, record: &SiteSpaceRecord) -> SiteSpace {
        SiteSpace {
            object: SiteSpaceTag::Tag,
            id: record.id,
            path: record.path.clone(),
            section: record.section,
            space: space(self.urls, &record.space, record.role),
            title: record.space.title.clone(),
            localized_title: record.localized_title.clone(),
            default: record.is_default,
            draft: record.draft,
            hidden: record.hidden,
            condition: record.condition.clone(),
            has_advanced_customization_feature: features(self.site.kind)
                .any(|feature| feature.id == SiteFeatureId::SitesAdvancedCustomization),
            urls: PublishedAt { published: self.published(&record.site_path) },
        }
    }

    fn site_spaces(&self, section: Option<&Section>, records: &[SiteSpaceRecord]) -> Vec<SiteSpace> {
        let shown = records.iter().filter(|record| self.shows_space(section, record));
        shown.map(|record| self.site_space(record)).collect()
    }

    /// Returns a section with its site spaces.
    #[must_use]
    pub fn section(&self, section: &Section) -> SiteSection {
        SiteSection {
            object: SiteSectionTag::Tag,
            facts: section.facts.clone(),
            site_spaces: self.site_spaces(Some(section), &section.site_spaces),
            urls: PublishedAt { published: self.published(&section.site_path) },
        }
    }

    /// Returns a group with its sections.
    #[must_use]
    pub fn group(&self, group: &Group) -> SiteSectionGroup {
        let sections = group.sections.iter().filter_map(|section| self.shown_section(section));
        group_of(group, sections.collect())
    }

    /// Returns a section if the reader sees it.
    fn shown_section(&self, section: &Section) -> Option<SiteSection> {
        self.shows_section(section).then(|| self.section(section))
    }

    /// Returns the structure of the site: sections and groups in their common order, or site spaces if there are no
    /// sections.
    #[must_use]
    pub fn structure(&self, parts: &Parts) -> SiteStructure {
        if parts.sections.is_empty() && parts.groups.is_empty() {
            return SiteStructure::SiteSpaces { structure: self.site_spaces(None, &parts.root) };
        }
        let mut items: Vec<(String, StructureItem)> = Vec::new();
        for group in &parts.groups {
            let own = parts.sections.iter().filter(|section| section.section_group == Some(group.id));
            let sections: Vec<_> = own.filter_map(|section| self.shown_section(section)).collect();
            if self.parts_reader.is_none_or(PartsReader::sees_all) || !sections.is_empty() {
                items.push((group.position.clone(), StructureItem::Group(group_of(group, sections))));
            }
        }
        for section in parts.sections.iter().filter(|section| section.section_group.is_none()) {
            if let Some(shown) = self.shown_section(section) {
                let key = section.order_key.split('/').next().unwrap_or_default().to_owned();
                items.push((key, StructureItem::Section(shown)));
            }
        }
        items.sort_by(|left, right| left.0.cmp(&right.0));
        SiteStructure::Sections { structure: items.into_iter().map(|(_, item)| item).collect() }
    }

    /// Returns the published content of the site. `overrides` are the customization overrides of its site spaces.
    ///
    /// # Errors
    /// Malformed stored settings.
    pub fn published_site(
        &self,
        parts: &Parts,
        overrides: &[(SiteSpaceId, Map<String, Value>)],
    ) -> ApiResult<PublishedSite> {
        let site = customization(self.site)?;
        let shown: HashSet<SiteSpaceId> = self.shown_spaces(parts).map(|record| record.id).collect();
        let mut site_spaces = BTreeMap::new();
        for (id, overrides) in overrides.iter().filter(|(id, _)| shown.contains(id)) {
            let settings = overridden(&site, overrides).map_err(ApiError::internal)?;
            site_spaces.insert(*id, self.shown_settings(settings));
        }
        let site = self.shown_settings(site);
        let count = u64::try_from(shown.len()).map_err(ApiError::internal)?;
        Ok(PublishedSite {
            object: PublishedSiteTag::Tag,
            site: Site { site_spaces: count, ..self.site() },
            structure: self.structure(parts),
            customizations: PublishedCustomizations { site, site_spaces },
            scripts: Vec::new(),
        })
    }

    /// Returns settings without the links whose conditions the visitor does not meet. Members see all links, as in the
    /// settings of the site.
    fn shown_settings(&self, settings: Customization) -> Customization {
        let reader = self.parts_reader.filter(|reader| reader.is_bound || self.role.is_none());
        settings.shown_to(|condition| reader.is_none_or(|reader| reader.conditions.meets(condition)))
    }

    /// Returns the site spaces that the reader sees.
    pub fn shown_spaces<'p>(&'p self, parts: &'p Parts) -> impl Iterator<Item = &'p SiteSpaceRecord> {
        let in_sections = parts
            .sections
            .iter()
            .flat_map(|section| section.site_spaces.iter().map(move |space| (Some(section), space)));
        let places = parts.root.iter().map(|space| (None, space)).chain(in_sections);
        places.filter(move |(section, space)| self.shows_space(*section, space)).map(|(_, space)| space)
    }

    /// Returns a share link.
    #[must_use]
    pub fn share_link(&self, facts: &ShareLinkFacts) -> ShareLink {
        let site = self.site;
        let path = format!("orgs/{}/sites/{}/share-links/{}", site.organization, site.id, facts.id);
        ShareLink {
            object: ShareLinkTag::Tag,
            facts: facts.clone(),
            urls: ShareLinkUrls {
                location: self.urls.api(path),
                published: self.shared_with(Some(&facts.key)).published(""),
            },
        }
    }

    /// Returns the URL of a path on the site for its visitors, if the site is published.
    fn published(&self, site_path: &str) -> Option<String> {
        let mut address = self.site.address();
        for part in self.share_key.into_iter().chain([site_path]).filter(|part| !part.is_empty()) {
            address.push('/');
            address.push_str(part);
        }
        self.site.published.then(|| self.urls.at_address(&address))
    }
}

/// Returns a group with the given sections.
fn group_of(group: &Group, sections: Vec<SiteSection>) -> SiteSectionGroup {
    SiteSectionGroup {
        object: SiteSectionGroupTag::Tag,
        facts: group.facts.clone(),
        children: sections.clone(),
        sections,
    }
}

/// Structure of a site.
#[derive(Debug)]
pub struct Parts {
    /// Section groups in order, without their sections.
    pub groups: Vec<Group>,
    /// All sections in order.
    pub sections: Vec<Section>,
    /// Site spaces of a site without sections.
    pub root: Vec<SiteSpaceRecord>,
}

/// Returns the stored customization of a site, or the default.
///
/// # Errors
/// Malformed stored settings.
pub fn customization(site: &SiteRecord) -> ApiResult<Customization> {
    let stored = site.customization.clone().map(serde_json::from_value).transpose();
    Ok(stored.map_err(ApiError::internal)?.unwrap_or_default())
}

/// Returns the settings of a site space: those of its site with its overrides.
///
/// # Errors
/// Malformed stored settings.
pub fn site_space_customization(
    site: &SiteRecord,
    overrides: Option<&Map<String, Value>>,
) -> ApiResult<Customization> {
    let settings = customization(site)?;
    match overrides {
        Some(overrides) => overridden(&settings, overrides).map_err(ApiError::internal),
        None => Ok(settings),
    }
}
