//! Description of a change request, and its form.

use std::collections::BTreeSet;

use maud::{Markup, PreEscaped, html};
use quire_domain::documents::PresentedBody;
use quire_markup::{ContentRef, Document};
use quire_render::{Options, Resolved, references, render};
use quire_server::ApiResult;
use quire_storage::content::change_requests::ChangeRequestRecord;

use crate::workspace::comments::document;
use crate::workspace::content::{Content, is_active};
use crate::workspace::forms::{ApiForm, Area};

/// Description of a change request.
pub(super) struct Description {
    /// Markdown and parsed document. `None` without a description.
    text: Option<(String, Document)>,
}

impl Description {
    /// Reads a description as Markdown.
    pub(super) fn of(stored: Option<PresentedBody>) -> ApiResult<Self> {
        let text = match stored {
            Some(PresentedBody::Markdown { markdown }) => {
                let body = PresentedBody::Markdown { markdown: markdown.clone() };
                Some((markdown, document(&body)?))
            }
            Some(PresentedBody::Document { .. }) | None => None,
        };
        Ok(Self { text })
    }

    /// Returns the references in the description.
    pub(super) fn references(&self) -> BTreeSet<ContentRef> {
        let document = self.text.as_ref().map(|(_, document)| references(document).targets);
        document.into_iter().flatten().collect()
    }

    /// Writes the description, and the form for callers who may edit it. Adds its icons to the sprite.
    pub(super) fn write(
        &self,
        content: &Content,
        change: &ChangeRequestRecord,
        (resolved, options): (&Resolved, &Options<'_>),
        icons: &mut BTreeSet<String>,
    ) -> Markup {
        let may_edit = content.rights.edits && is_active(change);
        html! {
            @if self.text.is_some() || may_edit {
                section aria-labelledby="workspace:description" {
                    h2 id="workspace:description" { "Description" }
                    @match &self.text {
                        Some((_, document)) => {
                            @let rendered = render(document, resolved, options);
                            @let () = icons.extend(rendered.icons);
                            div.document.described { (PreEscaped(rendered.html)) }
                        }
                        None => p.muted { "No description yet." },
                    }
                    @if may_edit { (self.form(change)) }
                }
            }
        }
    }

    fn form(&self, change: &ChangeRequestRecord) -> Markup {
        let url = format!("spaces/{}/change-requests/{}", change.space, change.number);
        let value = self.text.as_ref().map_or("", |(markdown, _)| markdown.as_str());
        html! {
            button.btn type="button" aria-expanded="false" aria-controls="workspace:describe" data-folds="" {
                @if self.text.is_some() { "Edit the description" } @else { "Describe the changes" }
            }
            div.ask id="workspace:describe" hidden {
                (ApiForm { method: "PATCH", url: &url, submit: "Save the description", ..ApiForm::default() }.with(Area {
                    name: "description.markdown",
                    label: "Text of the description",
                    value,
                    hint: Some("Markdown. Say what changes and why."),
                    is_required: true,
                    is_list: false,
                }))
                @if self.text.is_some() {
                    (ApiForm {
                        method: "PATCH",
                        url: &url,
                        body: Some("{\"description\":null}"),
                        submit: "Remove",
                        ..ApiForm::default()
                    }.alone("Remove the description"))
                }
            }
        }
    }
}
