//! Structure of a site: spaces, optionally divided into sections and groups of sections.

use actix_web::HttpResponse;
use maud::{Markup, html};
use quire_domain::ids::{OrganizationId, SiteId};
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::lookup::Credentials;
use quire_storage::sites::{Group, Section, SiteSpaceRecord};
use serde_json::{Value, json};

use super::parts::Kind;
use super::{LONGEST_TITLE, Opened, Tab};
use crate::state::WebData;
use crate::workspace::actions::send;
use crate::workspace::directory::offered_spaces;
use crate::workspace::forms::{ApiForm, Field, Select, Tick, dialog};

struct Structure {
    opened: Opened,
    sections: Vec<Section>,
    groups: Vec<Group>,
    /// Spaces, if the site has no sections.
    spaces: Vec<SiteSpaceRecord>,
    /// Ids and titles of spaces of the organization that can be added.
    offered: Vec<(String, String)>,
}

/// Maximum length of an icon's name.
const LONGEST_ICON: u32 = 50;

/// Label of the checkbox for a new part.
const DRAFT: &str = "Draft: visitors do not see it yet";

/// Item that can be moved, with its names in the positions of the API.
struct Item {
    kind: Kind,
    tag: &'static str,
    pointer: &'static str,
}

const SECTION: Item = Item { kind: Kind::Section, tag: "site-section", pointer: "siteSection" };
const SPACE: Item = Item { kind: Kind::Space, tag: "site-space", pointer: "siteSpace" };

pub(super) async fn page(
    web: &WebData,
    caller: Credentials,
    key: (OrganizationId, SiteId),
) -> ApiResult<HttpResponse> {
    let load = move |reader: &mut Reader<'_>, opened: Opened| {
        let sections = reader.all_sections((&opened.site).into())?;
        let groups = reader.all_section_groups((&opened.site).into())?;
        let spaces = match sections.is_empty() {
            true => reader.all_site_spaces((&opened.site).into())?,
            false => Vec::new(),
        };
        let offered = offered_spaces(reader, opened.site.organization)?;
        Ok(Structure { opened, sections, groups, spaces, offered })
    };
    let structure: Structure = Opened::load(web, caller, key, load).await?;
    Ok(structure.opened.respond(Tab::Structure, &structure.write()))
}

impl Structure {
    fn write(&self) -> Markup {
        html! {
            @if self.sections.is_empty() {
                h2 { "Spaces" }
                (self.spaces(&self.spaces, None))
            } @else {
                @for group in &self.groups {
                    h2 { (group.title) (state(group.draft, false, false)) }
                    @if self.opened.manages() { (self.group(group)) }
                    @for section in self.sections.iter().filter(|section| section.section_group == Some(group.id)) {
                        (self.section(section))
                    }
                }
                @if !self.groups.is_empty() { h2 { "Without a group" } }
                @for section in self.sections.iter().filter(|section| section.section_group.is_none()) { (self.section(section)) }
            }
            @if self.opened.manages() { (self.additions()) }
        }
    }

    fn section(&self, section: &Section) -> Markup {
        let siblings: Vec<String> = self
            .sections
            .iter()
            .filter(|other| other.section_group == section.section_group)
            .map(|other| other.id.to_string())
            .collect();
        let id = section.id.to_string();
        html! {
            section.part aria-label=(section.title) {
                h3 {
                    (section.title)
                    span.muted { " /" (section.site_path) }
                    @if section.default { span.pill.merged { "Default" } }
                    (state(section.draft, false, section.condition.is_some()))
                }
                @if self.opened.manages() {
                    div.actions {
                        (self.moves(&SECTION, &siblings, &id, &section.title))
                        @if !section.default { (self.default("defaultSiteSection", &id)) }
                        (self.edit(Kind::Section, &id, &section.title))
                        (self.remove(Kind::Section, &id, &section.title))
                        @if !self.groups.is_empty() { (self.group_choice(section)) }
                    }
                }
                (self.spaces(&section.site_spaces, Some(section)))
            }
        }
    }

    fn spaces(&self, spaces: &[SiteSpaceRecord], section: Option<&Section>) -> Markup {
        let siblings: Vec<String> = spaces.iter().map(|space| space.id.to_string()).collect();
        let frame = &self.opened.directory.frame;
        html! {
            @if spaces.is_empty() { div.empty { p { b { "No spaces" } } p { "A site without spaces has no pages." } } }
            @else {
                ul.list.parts {
                    @for site_space in spaces {
                        @let id = site_space.id.to_string();
                        @let title = &site_space.space.title;
                        li {
                            (frame.space_icon(&site_space.space))
                            span.t {
                                (title) " " span { "/" (site_space.site_path) }
                                @if site_space.is_default { " " span.pill.merged { "Default" } }
                                (state(site_space.draft, site_space.hidden, site_space.condition.is_some()))
                            }
                            @if self.opened.manages() {
                                span.d.buttons {
                                    (self.moves(&SPACE, &siblings, &id, title))
                                    @if !site_space.is_default {
                                        @match section {
                                            Some(section) => (self.default_of_section(section, &id)),
                                            None => (self.default("defaultSiteSpace", &id)),
                                        }
                                    }
                                    (self.edit(Kind::Space, &id, title))
                                    (self.remove(Kind::Space, &id, title))
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Returns the buttons that move an item past its siblings.
    fn moves(&self, item: &Item, siblings: &[String], id: &str, title: &str) -> Markup {
        let at = siblings.iter().position(|sibling| sibling == id);
        let above = at.and_then(|at| at.checked_sub(1)).and_then(|at| siblings.get(at));
        let below = at.and_then(|at| siblings.get(at.saturating_add(1)));
        let url = format!("{}/{}/{id}/move", self.opened.url(), item.kind.path());
        let button = |relation: &str, sibling: &str, icon: &str, label: &str| {
            let body = json!({ "position": { relation: { "type": item.tag, item.pointer: sibling } } });
            html! {
                button.btn type="button" data-action="send" data-method="POST" data-url=(url) data-body=(body) aria-label={ (label) " " (title) } { (icon) }
            }
        };
        html! {
            @if let Some(above) = above { (button("before", above, "↑", "Move up")) }
            @if let Some(below) = below { (button("after", below, "↓", "Move down")) }
        }
    }

    fn default(&self, name: &str, id: &str) -> Markup {
        let mut body = serde_json::Map::new();
        body.insert(name.to_owned(), Value::from(id));
        send(("PATCH", &self.opened.url()), &Value::Object(body).to_string(), "Make default", false)
    }

    fn default_of_section(&self, section: &Section, id: &str) -> Markup {
        let url = format!("{}/sections/{}", self.opened.url(), section.id);
        send(("PATCH", &url), &json!({ "defaultSiteSpace": id }).to_string(), "Make default", false)
    }

    /// Returns the link to the settings of a part.
    fn edit(&self, kind: Kind, id: &str, title: &str) -> Markup {
        html! {
            a.btn href=(self.opened.at(&format!("structure/{}/{id}", kind.path()))) aria-label={ "Settings of " (title) } { "Settings" }
        }
    }

    fn remove(&self, kind: Kind, id: &str, title: &str) -> Markup {
        let url = format!("{}/{}/{id}", self.opened.url(), kind.path());
        let form = ApiForm {
            method: "DELETE",
            url: &url,
            submit: "Remove it",
            is_primary: true,
            ..ApiForm::default()
        };
        let dialog_id = format!("remove-{id}");
        html! {
            button.btn type="button" data-dialog=(dialog_id) aria-label={ "Remove " (title) } { "Remove" }
            (dialog(&dialog_id, &format!("Remove {title} from the site?"), html! { p { "Its pages leave the site. The space itself stays." } }, form.button()))
        }
    }

    fn group(&self, group: &Group) -> Markup {
        let url = format!("{}/section-groups/{}", self.opened.url(), group.id);
        html! {
            div.actions {
                (self.edit(Kind::Group, &group.id.to_string(), &group.title))
                button.btn type="button" data-action="send" data-method="DELETE" data-url=(url) aria-label={ "Dissolve " (group.title) } { "Dissolve" }
            }
        }
    }

    /// Returns the buttons that move a section into a group or out of it.
    fn group_choice(&self, section: &Section) -> Markup {
        let of = |group: &Group| format!("{}/section-groups/{}/sections", self.opened.url(), group.id);
        html! {
            @for group in &self.groups {
                @if section.section_group == Some(group.id) {
                    button.btn type="button" data-action="send" data-method="DELETE" data-url={ (of(group)) "/" (section.id) } { "Take out of " (group.title) }
                } @else if section.section_group.is_none() {
                    (send(("POST", &of(group)), &json!({ "sectionId": section.id }).to_string(), &format!("Into {}", group.title), false))
                }
            }
        }
    }

    fn additions(&self) -> Markup {
        let url = self.opened.url();
        let spaces: Vec<(&str, &str)> =
            self.offered.iter().map(|(id, title)| (id.as_str(), title.as_str())).collect();
        let in_sections: Vec<(String, &str)> =
            self.sections.iter().map(|section| (section.id.to_string(), section.title.as_str())).collect();
        let in_sections: Vec<(&str, &str)> =
            in_sections.iter().map(|(id, title)| (id.as_str(), *title)).collect();
        let [add_space, add_section, add_group] =
            ["site-spaces", "sections", "section-groups"].map(|name| format!("{url}/{name}"));
        let form = |url| ApiForm { url, submit: "Add", is_primary: true, ..ApiForm::default() };
        html! {
            h2 { "Add" }
            @if spaces.is_empty() { p { "There are no spaces to add." } } @else {
                div.actions {
                    button.btn type="button" data-dialog="workspace:add-space" { "Space" }
                    button.btn type="button" data-dialog="workspace:add-section" { "Section" }
                    @if !self.sections.is_empty() { button.btn type="button" data-dialog="workspace:add-group" { "Group of sections" } }
                }
                (dialog("workspace:add-space", "Add a space", html! {
                    (Select { name: "spaceId", label: "Space", options: &spaces, value: "", hint: None })
                    @if !in_sections.is_empty() {
                        (Select { name: "sectionId", label: "Section", options: &in_sections, value: "", hint: None })
                    }
                    (Tick { name: "draft", label: DRAFT, value: None, is_ticked: false })
                }, form(&add_space).button()))
                (dialog("workspace:add-section", "Add a section", html! {
                    div.field {
                        label for="section-space" { "First space" }
                        select id="section-space" name="spaceId" { @for (id, title) in &spaces { option value=(id) { (title) } } }
                    }
                    (Field { name: "title", id: Some("section-title"), label: "Title", hint: Some("Leave empty to use the title of the space."), longest: LONGEST_TITLE, ..Field::default() })
                    (icon("section-icon"))
                    (Tick { name: "draft", label: DRAFT, value: None, is_ticked: false })
                }, form(&add_section).button()))
                (dialog("workspace:add-group", "Add a group of sections", html! {
                    (Field { name: "title", id: Some("group-title"), label: "Title", is_required: true, longest: LONGEST_TITLE, ..Field::default() })
                    (icon("group-icon"))
                    (Tick { name: "draft", label: DRAFT, value: None, is_ticked: false })
                    fieldset.ticks {
                        legend { "Sections" }
                        @for (id, title) in &in_sections { (Tick { name: "sections", label: title, value: Some(id), is_ticked: false }) }
                    }
                }, form(&add_group).button()))
            }
        }
    }
}

/// Returns marks for a part that not every visitor sees.
fn state(is_draft: bool, is_hidden: bool, has_condition: bool) -> Markup {
    html! {
        @if is_draft { " " span.pill { "Draft" } }
        @if is_hidden { " " span.pill { "Hidden" } }
        @if has_condition { " " span.pill { "With a condition" } }
    }
}

/// Returns the field for the icon of a new part.
fn icon(id: &str) -> Markup {
    html! {
        (Field { name: "icon", id: Some(id), label: "Icon", hint: Some("Name of a Font Awesome icon, such as book. May be empty."), longest: LONGEST_ICON, ..Field::default() })
    }
}
