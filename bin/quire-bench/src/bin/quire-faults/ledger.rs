//! Ledger of acknowledged writes.

use std::collections::{BTreeMap, BTreeSet};

/// Kind of a resource that writers create, with the place of its marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Space,
    Collection,
    ChangeRequest,
    Comment,
    Reply,
    Team,
    Site,
    ShareLink,
    Field,
    Token,
    Webhook,
    Spec,
    Translation,
    Redirect,
    Organization,
    Section,
    SectionGroup,
    SamlProvider,
    Integration,
    EmailInvite,
    /// A review. Its marker is the text of its comment.
    Review,
    /// A role of a team on a space. Its marker is the title of the team.
    Grant,
    /// A page in a space. Its marker is the title.
    Page,
    /// A file in a space. Its marker is the name.
    File,
}

impl Kind {
    /// Kinds whose markers are values of a column, with the query that lists them. Pages and files are read through the
    /// API.
    pub const COUNTED: [(Self, &'static str); 22] = [
        (Self::Space, "SELECT title AS marker FROM spaces"),
        (Self::Collection, "SELECT title AS marker FROM collections"),
        (Self::ChangeRequest, "SELECT subject AS marker FROM change_requests"),
        (Self::Comment, "SELECT markdown AS marker FROM comments"),
        (Self::Reply, "SELECT markdown AS marker FROM comment_replies"),
        (Self::Team, "SELECT title AS marker FROM teams"),
        (Self::Site, "SELECT title AS marker FROM sites"),
        (Self::ShareLink, "SELECT name AS marker FROM site_share_links WHERE name IS NOT NULL"),
        (Self::Field, "SELECT title AS marker FROM custom_fields"),
        (Self::Token, "SELECT label AS marker FROM api_tokens"),
        (Self::Webhook, "SELECT description AS marker FROM webhooks WHERE description IS NOT NULL"),
        (Self::Spec, "SELECT slug AS marker FROM openapi_specs"),
        (Self::Translation, "SELECT title AS marker FROM translation_settings"),
        (Self::Redirect, "SELECT substr(source, 2) AS marker FROM site_redirects"),
        (Self::Organization, "SELECT title AS marker FROM organizations"),
        (Self::Section, "SELECT title AS marker FROM site_sections"),
        (Self::SectionGroup, "SELECT title AS marker FROM site_section_groups"),
        (Self::SamlProvider, "SELECT label AS marker FROM saml_providers"),
        (Self::Integration, "SELECT name AS marker FROM integrations"),
        (Self::EmailInvite, "SELECT split_part(email, '@', 1) AS marker FROM email_invites"),
        (
            Self::Review,
            "SELECT c.markdown AS marker FROM change_request_reviews r \
             JOIN comments c ON (c.space_id, c.review_id) = (r.space_id, r.id)",
        ),
        (
            Self::Grant,
            "SELECT t.title AS marker FROM content_grants g \
             JOIN teams t ON (t.organization_id, t.id) = (g.organization_id, g.team_id)",
        ),
    ];
}

/// Violations, as lists of descriptions, and counts of requests.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub losses: Vec<String>,
    pub duplicates: Vec<String>,
    pub errors: Vec<String>,
    pub wrong: Vec<String>,
    pub acknowledged: u64,
    pub retried: u64,
    pub unavailable: u64,
}

/// All acknowledged writes.
#[derive(Debug, Default)]
pub struct Ledger {
    /// Markers of acknowledged resources, which must exist exactly once.
    pub present: BTreeMap<Kind, BTreeSet<String>>,
    /// Markers of resources that were acknowledged as deleted.
    pub deleted: BTreeMap<Kind, BTreeSet<String>>,
    /// Titles of the writers' spaces, as last acknowledged.
    pub titles: BTreeMap<String, String>,
    /// Accepted imports: titles of their pages, by the address of the import.
    pub imports: BTreeMap<String, String>,
    /// Addresses of acknowledged resources.
    pub addresses: BTreeSet<String>,
    /// Content of acknowledged files, by their names.
    pub files: BTreeMap<String, String>,
    pub tally: Tally,
}

impl Ledger {
    /// Records an acknowledged resource.
    pub fn acknowledge(&mut self, kind: Kind, marker: &str, address: Option<String>) {
        self.present.entry(kind).or_default().insert(marker.to_owned());
        self.addresses.extend(address);
    }

    /// Records an acknowledged deletion.
    pub fn delete(&mut self, kind: Kind, marker: &str, address: &str) {
        if let Some(present) = self.present.get_mut(&kind) {
            present.remove(marker);
        }
        self.addresses.remove(address);
        self.deleted.entry(kind).or_default().insert(marker.to_owned());
    }

    /// Compares acknowledged markers with the markers that were found.
    pub fn compare(&mut self, kind: Kind, found: &[String]) {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for marker in found.iter().filter(|marker| marker.starts_with("w-")) {
            let count = counts.entry(marker).or_default();
            *count = count.saturating_add(1);
        }
        let empty = BTreeSet::new();
        let present = self.present.get(&kind).unwrap_or(&empty);
        for marker in present.iter().filter(|marker| !counts.contains_key(marker.as_str())) {
            self.tally.losses.push(format!("{kind:?} {marker} was acknowledged and is gone"));
        }
        for (marker, count) in counts {
            if count > 1 {
                self.tally.duplicates.push(format!("{kind:?} {marker} is there {count} times"));
            }
            if !present.contains(marker) {
                self.tally.duplicates.push(format!("{kind:?} {marker} is there without an acknowledgement"));
            }
        }
    }
}
