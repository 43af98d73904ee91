//! Settings of a space (`/s/{spaceId}/~/settings`) and of a collection (`/c/{collectionId}/settings`).

use std::collections::HashMap;

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::custom_fields::{CustomFieldFacts, CustomFieldType};
use quire_domain::ids::{CollectionId, SpaceId, UserId};
use quire_domain::merge_rules::MergeRules;
use quire_domain::policy::Action;
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::content::collections::ListedCollection;
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::lookup::{Authorized, Credentials};
use quire_storage::people::organizations::OrganizationRecord;
use serde_json::{Value, json};

use super::access::{Access, Positions, given};
use super::content_kind::{Content, CustomField, Sibling};
use super::merge_rules::RulesForm;
use super::{ROLES, role_value};
use crate::state::{Web, WebData};
use crate::workspace::forms::{ApiForm, Area, Field, Select, Tick};
use crate::workspace::shell::{Crumb, Frame, Page};

/// Maximum number of collections offered as targets of a move.
const MOST_COLLECTIONS: u16 = 200;
/// Maximum number of organizations offered as targets of a transfer.
const MOST_ORGANIZATIONS: u16 = 100;

/// Settings page of a space or collection.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tab {
    Settings,
    Access,
    /// Connection to a Git repository. Only for spaces.
    Git,
}

/// Space or collection, and the frame of its settings.
pub(super) struct Target<T> {
    pub(super) item: Authorized<T>,
    organization: Authorized<OrganizationRecord>,
    pub(super) frame: Frame,
}

/// Responds to `/s/{spaceId}/~/settings`.
pub(in crate::workspace) async fn space(
    web: &WebData,
    caller: Credentials,
    id: SpaceId,
) -> ApiResult<HttpResponse> {
    settings(web, caller, move |reader| Ok(reader.space(id)?.authorize(Action::ViewSpace)?)).await
}

/// Responds to `/s/{spaceId}/~/access`.
pub(in crate::workspace) async fn space_access(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: SpaceId,
) -> ApiResult<HttpResponse> {
    let at = Positions::of(request, &format!("spaces/{id}"))?;
    access(web, caller, at, move |reader| Ok(reader.space(id)?.authorize(Action::ViewSpace)?)).await
}

/// Responds to `/c/{collectionId}/settings`.
pub(in crate::workspace) async fn collection(
    web: &WebData,
    caller: Credentials,
    id: CollectionId,
) -> ApiResult<HttpResponse> {
    settings(web, caller, move |reader| Ok(reader.collection(id)?.authorize(Action::ViewCollection)?)).await
}

/// Responds to `/c/{collectionId}/access`.
pub(in crate::workspace) async fn collection_access(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: CollectionId,
) -> ApiResult<HttpResponse> {
    let at = Positions::of(request, &format!("collections/{id}"))?;
    access(web, caller, at, move |reader| Ok(reader.collection(id)?.authorize(Action::ViewCollection)?)).await
}

async fn settings<T: Content + quire_storage::lookup::Guarded + Send + 'static>(
    web: &WebData,
    caller: Credentials,
    find: impl Fn(&mut Reader<'_>) -> ApiResult<Authorized<T>> + Send + 'static,
) -> ApiResult<HttpResponse> {
    let shared = web.clone();
    let work = move |reader: &mut Reader<'_>| {
        let item = find(reader)?;
        let target = Target::load(reader, &shared, item)?;
        if !target.administers() {
            return Ok((target, None));
        }
        let collections = reader.collections_of(&target.organization, true, None, MOST_COLLECTIONS)?.items;
        let fields = T::custom_fields(reader, &target.item)?;
        let named = target.item.merge_rules().map(|rules| rules.named_users()).unwrap_or_default();
        let names = reader.names_of(&named)?;
        let organizations = reader.organizations(None, MOST_ORGANIZATIONS)?.items;
        let siblings = T::siblings(reader, &target.item, &collections)?;
        Ok((target, Some((collections, fields, names, organizations, siblings))))
    };
    let (target, found) = web.state.read(caller, work).await?;
    let content = match found {
        Some((collections, fields, names, organizations, siblings)) => html! {
            (target.forms(&fields, &names))
            (target.movement(&collections))
            (target.order(&siblings))
            (target.transfer(&organizations))
            (target.removal())
        },
        None => target.refusal(),
    };
    Ok(target.respond(Tab::Settings, &content))
}

async fn access<T: Content + quire_storage::lookup::Guarded + Send + 'static>(
    web: &WebData,
    caller: Credentials,
    at: Positions,
    find: impl Fn(&mut Reader<'_>) -> ApiResult<Authorized<T>> + Send + 'static,
) -> ApiResult<HttpResponse> {
    let shared = web.clone();
    let work = move |reader: &mut Reader<'_>| {
        let item = find(reader)?;
        let target = Target::load(reader, &shared, item)?;
        let actor = target.item.actor();
        let access = target
            .administers()
            .then(|| Access::load(reader, target.organization.id, T::shared(&target.item), actor, at))
            .transpose()?;
        Ok((target, access))
    };
    let (target, access) = web.state.read(caller, work).await?;
    let content = match access {
        Some(access) => {
            let address = target.frame.at(&format!("{}/access", target.item.path().1));
            html! { (access.write(&target.item.url(), &address)?) (target.link()) }
        }
        None => target.refusal(),
    };
    Ok(target.respond(Tab::Access, &content))
}

impl<T: Content + quire_storage::lookup::Guarded> Target<T> {
    /// Loads the organization of a space or collection. Sends two statements.
    pub(super) fn load(reader: &mut Reader<'_>, web: &Web, item: Authorized<T>) -> ApiResult<Self> {
        let organization = reader.organization(item.organization())?.authorize(Action::ViewOrganization)?;
        let frame = Frame::load(reader, web, Some((organization.id, organization.title.clone())))?;
        Ok(Self { item, organization, frame })
    }

    fn administers(&self) -> bool {
        self.item.may(T::ADMINISTER)
    }

    pub(super) fn respond(&self, tab: Tab, content: &Markup) -> HttpResponse {
        let frame = &self.frame;
        let (path, below) = self.item.path();
        let (address, settings) = (frame.at(&path), frame.at(&format!("{below}/settings")));
        let title = match tab {
            Tab::Settings => "Settings",
            Tab::Access => "Access",
            Tab::Git => "Git",
        };
        let nav = html! {
            ul {
                li { (frame.nav_link(&frame.home(), "house", "Home", false)) }
                li { (frame.nav_link(&address, "file-text", self.item.title(), false)) }
            }
            h2 id="workspace:settings" { "Settings" }
            ul aria-labelledby="workspace:settings" {
                li { (frame.nav_link(&settings, "settings", "Settings", tab == Tab::Settings)) }
                li { (frame.nav_link(&frame.at(&format!("{below}/access")), "users", "Access", tab == Tab::Access)) }
                @if T::KIND == SpaceRecord::KIND {
                    li { (frame.nav_link(&frame.at(&format!("{below}/git")), "git-merge", "Git", tab == Tab::Git)) }
                }
            }
        };
        let main = html! {
            main.home id="workspace:content" {
                h1 { (title) }
                p.sub { "Of the " (T::KIND) " " (self.item.title()) "." }
                (content)
            }
        };
        let page = Page {
            title: title.to_owned(),
            crumbs: vec![
                Crumb { title: "Home".to_owned(), href: frame.home() },
                Crumb { title: self.item.title().to_owned(), href: address },
            ],
            nav_label: "Settings",
            nav,
            main,
            assets: &["settings.css"],
            ..Page::default()
        };
        frame.respond(&page)
    }

    fn refusal(&self) -> Markup {
        html! {
            div.empty {
                p { b { "This page needs the role admin on the " (T::KIND) } }
                p { "People with this role can give it to you." }
            }
        }
    }

    /// Returns the form of an invite link that grants a role on the space or collection.
    fn link(&self) -> Markup {
        let organization = &self.organization;
        if !organization.may(Action::AdministerOrganization) || !organization.invite_links {
            return html! {};
        }
        let id = self.item.url().rsplit('/').next().unwrap_or_default().to_owned();
        let body = json!({ T::KIND: id }).to_string();
        html! {
            h2 { "Invite by a link" }
            (ApiForm {
                url: &format!("orgs/{}/link-invites", organization.id),
                body: Some(&body),
                next: Some(&format!("o/{}/invites", organization.id)),
                submit: "Create link",
                ..ApiForm::default()
            }.with(Select {
                name: "level",
                label: "Role of those who join by the link",
                options: given(),
                value: "read",
                hint: Some("Everyone with the link joins the organization as a guest with this role here."),
            }))
        }
    }

    fn forms(&self, fields: &[CustomField], names: &HashMap<UserId, String>) -> Markup {
        let url = self.item.url();
        let mut levels =
            vec![("null", "None: only those with access"), ("inherit", "As in the collection above")];
        levels.extend(ROLES.iter().skip(1));
        html! {
            (ApiForm { method: "PATCH", url: &url, done: Some("Saved."), is_primary: true, ..ApiForm::default() }.with(html! {
                (Field { name: "title", label: "Title", value: self.item.title(), is_required: true, longest: 100, ..Field::default() })
                (self.item.fields())
                (Select {
                    name: "defaultLevel",
                    label: "Role of members without access of their own",
                    options: &levels,
                    value: role_value(self.item.default_level()),
                    hint: None,
                })
            }))
            (self.item.picture())
            @if !fields.is_empty() {
                h2 { "Custom fields" }
                (ApiForm { method: "PATCH", url: &format!("{url}/custom-fields"), done: Some("Saved."), ..ApiForm::default() }
                    .with(html! { @for (field, value) in fields { (custom_field(field, value.as_ref())) } }))
            }
            @if let Some(rules) = self.item.merge_rules() { (self.rules(&rules, names)) }
        }
    }

    fn rules(&self, rules: &MergeRules, names: &HashMap<UserId, String>) -> Markup {
        let inherited = self.organization.merge_rules.clone().unwrap_or_default();
        let form = RulesForm {
            rules,
            inherited: Some(&inherited),
            names,
            organization: self.organization.id,
            url: &self.item.url(),
        };
        form.write()
    }

    /// Returns the form of the place among the others of its kind. Empty without others.
    fn order(&self, siblings: &[Sibling]) -> Markup {
        let before: Vec<(String, String)> = siblings
            .iter()
            .map(|(pointer, title)| (json!({ "before": pointer }).to_string(), format!("Before {title}")))
            .collect();
        let last = siblings.last().map(|(pointer, _)| json!({ "after": pointer }).to_string());
        let options: Vec<(&str, &str)> = before
            .iter()
            .map(|(position, label)| (position.as_str(), label.as_str()))
            .chain(last.as_deref().map(|last| (last, "At the end")))
            .collect();
        html! {
            @if !options.is_empty() {
                h2 { "Place" }
                (ApiForm { url: &format!("{}/move", self.item.url()), done: Some("Moved."), submit: "Place it", ..ApiForm::default() }.with(Select {
                    name: "position", label: "Place in the lists", options: &options, value: "", hint: None,
                }))
            }
        }
    }

    fn movement(&self, collections: &[ListedCollection]) -> Markup {
        let url = self.item.url();
        let ids: Vec<(String, &str)> = collections
            .iter()
            .map(|listed| (listed.collection.id.to_string(), listed.collection.title.as_str()))
            .collect();
        let mut options = vec![("null", "No collection")];
        let own = self.frame.at(&self.item.path().0);
        options
            .extend(ids.iter().map(|(id, title)| (id.as_str(), *title)).filter(|(id, _)| !own.ends_with(id)));
        let parent = self.item.parent().map_or_else(|| "null".to_owned(), |parent| parent.to_string());
        html! {
            h2 { "Move" }
            (ApiForm { url: &format!("{url}/move"), done: Some("Moved."), submit: "Move", ..ApiForm::default() }.with(Select {
                name: "parent", label: "Collection", options: &options, value: &parent,
                hint: Some("People with access to a collection have access to everything in it."),
            }))
        }
    }

    /// Returns the form that transfers the space or collection to another organization of the caller.
    fn transfer(&self, organizations: &[OrganizationRecord]) -> Markup {
        let others = organizations.iter().filter(|other| other.id != self.organization.id);
        let ids: Vec<(String, &str)> =
            others.map(|other| (other.id.to_string(), other.title.as_str())).collect();
        let options: Vec<(&str, &str)> = ids.iter().map(|(id, title)| (id.as_str(), *title)).collect();
        let (kind, title) = (T::KIND, self.item.title());
        let path = self.item.path().0;
        html! {
            @if !options.is_empty() {
                h2 { "Transfer" }
                (ApiForm {
                    url: &format!("{}/transfer", self.item.url()),
                    next: Some(path.trim_start_matches('/')),
                    submit: "Transfer",
                    confirm: Some(&format!("Transfer the {kind} {title}? Access that was given to it is removed.")),
                    ..ApiForm::default()
                }.with(Select {
                    name: "organization", label: "New organization", options: &options, value: "",
                    hint: Some("Its content and the role of members move with it. You need the role create in the new organization."),
                }))
            }
        }
    }

    fn removal(&self) -> Markup {
        let url = &self.item.url();
        let (kind, title) = (T::KIND, self.item.title());
        let home = format!("o/{}", self.organization.id);
        let is_space = kind == SpaceRecord::KIND;
        let bin = format!("{home}/deleted");
        html! {
            @if is_space {
                h2 { "Duplicate" }
                p.muted { "Makes a space with the same pages and files next to this one." }
                (ApiForm { url: &format!("{url}/duplicate"), next: Some("s/{id}"), submit: "Duplicate", ..ApiForm::default() }
                    .alone(&format!("Duplicate {title}")))
            }
            h2 { "Delete" }
            p.muted {
                @if is_space { "The space leaves its sites. It can be restored for seven days." }
                @else { "A collection must be empty to be deleted." }
            }
            (ApiForm {
                method: "DELETE",
                url,
                next: Some(if is_space { &bin } else { &home }),
                submit: "Delete",
                confirm: Some(&format!("Delete the {kind} {title}?")),
                ..ApiForm::default()
            }.alone(&format!("Delete the {kind} {title}")))
        }
    }
}

/// Returns the field for a value of a custom field's type.
fn custom_field(field: &CustomFieldFacts, value: Option<&Value>) -> Markup {
    const BOOLEANS: [(&str, &str); 3] = [("null", "Not set"), ("true", "Yes"), ("false", "No")];
    let name = format!("values.{}.value", field.name);
    let label = Some(field.title.as_str()).filter(|title| !title.is_empty()).unwrap_or(&field.name);
    let hint = Some(field.description.as_str()).filter(|description| !description.is_empty());
    let text = match value {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => String::new(),
    };
    let words: Vec<&str> =
        value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    html! {
        @match field.field_type {
            CustomFieldType::Text => (Field { name: &name, label, value: &text, hint, clears: true, ..Field::default() }),
            CustomFieldType::Number => (Field { name: &name, label, kind: "number", value: &text, hint, clears: true, ..Field::default() }),
            CustomFieldType::Boolean => (Select {
                name: &name, label, options: &BOOLEANS, value: if text.is_empty() { "null" } else { &text }, hint,
            }),
            CustomFieldType::Tags => (Area { name: &name, label, value: &words.join("\n"), hint, is_required: false, is_list: true }),
            CustomFieldType::SelectSingle => (Select { name: &name, label, options: &choices(field), value: &text, hint }),
            CustomFieldType::SelectMulti => fieldset.ticks {
                legend { (label) }
                @for option in field.options.iter().flatten() {
                    (Tick { name: &name, label: option, value: Some(option), is_ticked: words.contains(&option.as_str()) })
                }
            },
        }
    }
}

/// Returns the options of a single-choice field, including none.
fn choices(field: &CustomFieldFacts) -> Vec<(&str, &str)> {
    let options = field.options.iter().flatten().map(|option| (option.as_str(), option.as_str()));
    std::iter::once(("null", "Not set")).chain(options).collect()
}
