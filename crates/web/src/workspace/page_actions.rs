//! Changes of a page apart from its text: settings, order, copies and deletion. They are made in a change request.

use maud::{Markup, html};
use quire_domain::ids::PageId;
use quire_revision::{PageNode, PageType};
use serde_json::{Value, json};

use super::content::{Content, is_active};
use super::forms::dialog;
use super::page_fields::{document_fields, update_of};
use crate::site::SpaceTree;

/// Returns the menu of a page, with its dialogs.
pub(super) fn of_page(content: &Content, page: &PageNode) -> Markup {
    let is_open = content.change.as_ref().is_none_or(is_active);
    if !content.rights.edits || !is_open || page.page_type() != PageType::Document {
        return html! {};
    }
    let actions = Actions { content, page };
    html! {
        div.menu {
            button.btn type="button" aria-expanded="false" aria-controls="workspace:page-actions" data-folds="" { "Page" }
            ul id="workspace:page-actions" hidden {
                li { button type="button" data-dialog="workspace:page-settings" { "Settings…" } }
                li { a href=(content.place.cover(page.id)) { "Cover…" } }
                @if content.change.is_some() && content.space.site.is_some() {
                    li { a href={ (content.place.root()) "/~preview?page=" (page.id) } { "Preview on the site" } }
                }
                li { button type="button" data-action="duplicate" data-space=(content.space.id) data-change=[content.place.change] data-page=(page.id) data-into=[page.parent] data-title=(page.title) { "Duplicate" } }
                @for (label, at) in actions.steps() {
                    li { (actions.button(label, "", &json!({ "operation": "update_page", "page": page.id, "at": at }), false)) }
                }
                li { button type="button" data-dialog="workspace:page-move" { "Move…" } }
                li { a href=(content.place.additions(page.parent)) { "Add a group, link or API…" } }
                @if content.change.is_none() {
                    li { a href={ (content.place.of_space()) "/~/import?into=" (page.id) } { "Import…" } }
                }
                li { button type="button" data-dialog="workspace:page-delete" { "Delete…" } }
            }
        }
        (actions.settings())
        (actions.moving())
        (actions.deletion())
    }
}

struct Actions<'a> {
    content: &'a Content,
    page: &'a PageNode,
}

impl Actions<'_> {
    fn tree(&self) -> &SpaceTree {
        &self.content.tree
    }

    /// Returns a button that makes a change. Then opens the overview of the change request, unless the page belongs to
    /// it already.
    fn button(&self, label: &str, class: &str, body: &Value, leads_away: bool) -> Markup {
        let Self { content, page } = self;
        let change = content.place.change;
        let next = format!("s/{}/~/changes/{{number}}", content.space.id);
        let next = Some(next).filter(|_| change.is_none() || leads_away);
        let kind = if class.is_empty() { "button" } else { "submit" };
        html! {
            button class=(class) type=(kind) data-action="change" data-space=(content.space.id) data-change=[change]
                data-subject={ "Change " (page.title) } data-body=(body) data-next=[next] { (label) }
        }
    }

    /// Returns the possible moves among siblings: up and down.
    fn steps(&self) -> Vec<(&'static str, usize)> {
        let siblings: Vec<PageId> = self.tree().children(self.page.parent).map(|page| page.id).collect();
        let Some(at) = siblings.iter().position(|id| *id == self.page.id) else { return Vec::new() };
        let up = at.checked_sub(1).map(|above| ("Move up", above));
        let below = at.saturating_add(1);
        let down = Some(("Move down", below)).filter(|_| below < siblings.len());
        up.into_iter().chain(down).collect()
    }

    fn settings(&self) -> Markup {
        // The editor contains the title.
        let fields = document_fields(self.page, self.content.change.is_none());
        let body = update_of(self.page);
        dialog(
            "workspace:page-settings",
            "Page settings",
            fields,
            self.button("Save", "btn primary", &body, false),
        )
    }

    /// Returns the dialog that moves the page below another one. It loads the list of pages when it opens.
    fn moving(&self) -> Markup {
        let Self { content, page } = self;
        let space = content.space.id;
        let pages = match content.place.change {
            Some(number) => format!("spaces/{space}/change-requests/{number}/content/pages"),
            None => format!("spaces/{space}/content/pages"),
        };
        dialog(
            "workspace:page-move",
            "Move the page",
            html! {
                div.field {
                    label for="workspace:page-into" { "Below" }
                    select id="workspace:page-into" name="into" disabled data-empty="null" data-pages=(pages) data-page=(page.id)
                        data-parent=[page.parent] { option value="" { "The top of the space" } }
                }
            },
            self.button(
                "Move it",
                "btn primary",
                &json!({ "operation": "update_page", "page": page.id }),
                false,
            ),
        )
    }

    fn deletion(&self) -> Markup {
        let below = self.tree().descendants(self.page.id).count();
        let Self { content, page } = self;
        let space = content.space.id;
        let linking = match content.place.change {
            Some(number) => {
                format!("spaces/{space}/change-requests/{number}/content/page/{}/backlinks", page.id)
            }
            None => format!("spaces/{space}/content/page/{}/backlinks", page.id),
        };
        dialog(
            "workspace:page-delete",
            "Delete the page?",
            html! {
                p {
                    @match below {
                        0 => "The page is deleted when the change request is merged.",
                        1 => "The page and the page below it are deleted when the change request is merged.",
                        count => { "The page and the " (count) " pages below it are deleted when the change request is merged." },
                    }
                }
                // `pages.js` adds the names of the pages that link to it.
                p role="status" data-linking=(linking) data-page=(page.id) {}
            },
            self.button(
                "Delete it",
                "btn primary",
                &json!({ "operation": "delete_page", "page": self.page.id }),
                true,
            ),
        )
    }
}
