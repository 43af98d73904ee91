//! Forms that send a request to the API. `forms.js` builds the body from the names of the fields, sends it, and shows
//! an error at the field that it concerns.

use maud::{Markup, Render, html};
use quire_domain::ids::OrganizationId;

/// Maximum length of a one-line field if the API has no lower limit.
const LONGEST: u32 = 4_000;

/// Form that sends one request.
pub(super) struct ApiForm<'a> {
    /// Method of the request.
    pub(super) method: &'a str,
    /// Path of the request below `/v1/`.
    pub(super) url: &'a str,
    /// Path of the next page below the path of the deployment. `{id}` is replaced by the field `id` of the response.
    /// Without it, the page is reloaded.
    pub(super) next: Option<&'a str>,
    /// JSON object to which the fields are added.
    pub(super) body: Option<&'a str>,
    /// Sentence that the same page shows after the request.
    pub(super) done: Option<&'a str>,
    /// Member of the response that is shown after the request because it is available only once: a secret, or
    /// `invites`.
    pub(super) shows: Option<&'a str>,
    /// Confirmation question before the request.
    pub(super) confirm: Option<&'a str>,
    /// Label of the button.
    pub(super) submit: &'a str,
    /// True for the main action of the page.
    pub(super) is_primary: bool,
}

impl Default for ApiForm<'_> {
    fn default() -> Self {
        Self {
            method: "POST",
            url: "",
            next: None,
            body: None,
            done: None,
            shows: None,
            confirm: None,
            submit: "Save",
            is_primary: false,
        }
    }
}

impl ApiForm<'_> {
    /// Returns the form with fields.
    pub(super) fn with(&self, fields: impl Render) -> Markup {
        html! {
            form.form {
                (fields)
                div.buttons { (self.button()) }
            }
        }
    }

    /// Returns the form with a title and fields.
    pub(super) fn named(&self, title: &str, fields: impl Render) -> Markup {
        html! {
            form.form aria-label=(title) {
                h3 { (title) }
                (fields)
                div.buttons { (self.button()) }
            }
        }
    }

    /// Returns the submit button, which may be in another form or a dialog.
    pub(super) fn button(&self) -> Markup {
        html! {
            button.btn.primary[self.is_primary] type="submit" data-action="form" data-method=(self.method) data-url=(self.url)
                data-next=[self.next] data-body=[self.body] data-done=[self.done] data-shows=[self.shows]
                data-confirm=[self.confirm] { (self.submit) }
        }
    }

    /// Returns the form of a request without fields. The accessible name of the button says what it acts on, since rows
    /// of tables repeat the label.
    pub(super) fn alone(&self, name: &str) -> Markup {
        html! {
            form.alone {
                button.btn type="submit" data-action="form" data-method=(self.method) data-url=(self.url) data-next=[self.next]
                    data-body=[self.body] data-done=[self.done] data-shows=[self.shows] data-confirm=[self.confirm]
                    aria-label=(name) { (self.submit) }
            }
        }
    }

    /// Returns a choice that is sent on change.
    pub(super) fn in_place(&self, select: &Select<'_>) -> Markup {
        html! {
            form.alone {
                select name=(select.name) aria-label=(select.label) data-action="form" data-method=(self.method)
                    data-url=(self.url) data-body=[self.body] data-done="Saved." { (select.options()) }
            }
        }
    }
}

/// One-line field. Its name is the path of a member of the body, with dots between the levels.
pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    /// Id of the element, if several fields on a page have the same name.
    pub(super) id: Option<&'a str>,
    pub(super) label: &'a str,
    /// Type of the input, such as `text`, `email`, `url` or `number`.
    pub(super) kind: &'a str,
    pub(super) value: &'a str,
    /// Sentence below the field.
    pub(super) hint: Option<&'a str>,
    pub(super) is_required: bool,
    /// True if an empty field is sent as null. Otherwise it is omitted.
    pub(super) clears: bool,
    pub(super) longest: u32,
    /// Suggested values.
    pub(super) offers: &'a [String],
}

impl Default for Field<'_> {
    fn default() -> Self {
        Self {
            name: "",
            id: None,
            label: "",
            kind: "text",
            value: "",
            hint: None,
            is_required: false,
            clears: false,
            longest: LONGEST,
            offers: &[],
        }
    }
}

impl Render for Field<'_> {
    fn render(&self) -> Markup {
        let id = self.id.map_or_else(|| id_of(self.name, self.label), ToOwned::to_owned);
        let hint_id = format!("{id}-hint");
        let list = (!self.offers.is_empty()).then(|| format!("{id}-list"));
        html! {
            div.field {
                label for=(id) { (self.label) }
                input id=(id) name=(self.name) type=(self.kind) value=(self.value) required[self.is_required]
                    step=[(self.kind == "number").then_some("any")] list=[list.as_ref()]
                    maxlength=(self.longest) autocomplete="off" data-empty=[self.clears.then_some("null")]
                    aria-describedby=[self.hint.map(|_| &hint_id)];
                @if let Some(list) = &list {
                    datalist id=(list) { @for value in self.offers { option value=(value) {} } }
                }
                @if let Some(hint) = self.hint { p.hint id=(hint_id) { (hint) } }
            }
        }
    }
}

/// Field that suggests members of an organization. The id of the member is sent.
pub(super) struct Person<'a> {
    pub(super) name: &'a str,
    pub(super) label: &'a str,
    pub(super) organization: OrganizationId,
}

impl Render for Person<'_> {
    fn render(&self) -> Markup {
        let url = format!("orgs/{}/members?search=", self.organization);
        suggested((self.name, self.label), &url, "Name or e-mail address")
    }
}

/// Field of a merge rule that suggests members of an organization and adds one of them.
pub(super) struct PersonOfRule<'a> {
    pub(super) rule: &'a str,
    pub(super) label: &'a str,
    pub(super) organization: OrganizationId,
}

impl Render for PersonOfRule<'_> {
    fn render(&self) -> Markup {
        let url = format!("orgs/{}/members?search=", self.organization);
        let id = id_of(self.rule, self.label);
        let list = format!("{id}-list");
        html! {
            div.field {
                label for=(id) { (self.label) }
                input id=(id) type="text" maxlength=(LONGEST) autocomplete="off" list=(list) data-as="suggested"
                    data-rule=(self.rule) data-key="users" data-suggests=(url) placeholder="Name or e-mail address";
                datalist id=(list) {}
            }
        }
    }
}

/// Field that suggests teams of an organization. The id of the team is sent.
pub(super) struct Team<'a> {
    pub(super) name: &'a str,
    pub(super) label: &'a str,
    pub(super) organization: OrganizationId,
}

impl Render for Team<'_> {
    fn render(&self) -> Markup {
        let url = format!("orgs/{}/teams?title=", self.organization);
        suggested((self.name, self.label), &url, "Title")
    }
}

/// Returns a field with suggestions from a list of the API.
fn suggested((name, label): (&str, &str), url: &str, placeholder: &str) -> Markup {
    let id = id_of(name, label);
    let list = format!("{id}-list");
    html! {
        div.field {
            label for=(id) { (label) }
            input id=(id) name=(name) type="text" required maxlength=(LONGEST) autocomplete="off" list=(list) data-as="suggested"
                data-suggests=(url) placeholder=(placeholder);
            datalist id=(list) {}
        }
    }
}

/// Field that reads a text file.
pub(super) struct TextFile<'a> {
    pub(super) name: &'a str,
    pub(super) label: &'a str,
    pub(super) accept: &'a str,
}

impl Render for TextFile<'_> {
    fn render(&self) -> Markup {
        let id = id_of(self.name, self.label);
        html! {
            div.field {
                label for=(id) { (self.label) }
                input id=(id) name=(self.name) type="file" accept=(self.accept) required;
            }
        }
    }
}

/// Field for one or several pictures, which are sent as Base64. Without a new file, the existing pictures are kept.
pub(super) struct Pictures<'a> {
    pub(super) name: &'a str,
    pub(super) label: &'a str,
    /// Addresses of existing pictures.
    pub(super) kept: &'a [String],
    pub(super) is_list: bool,
}

impl Render for Pictures<'_> {
    fn render(&self) -> Markup {
        let id = id_of(self.name, self.label);
        let kept = (!self.kept.is_empty()).then(|| self.kept.join(" "));
        html! {
            div.field {
                label for=(id) { (self.label) }
                input id=(id) name=(self.name) type="file" accept="image/png,image/jpeg,image/gif,image/webp"
                    multiple[self.is_list] data-as="base64" data-there=[kept.as_ref()]
                    aria-describedby=[kept.as_ref().map(|_| hint_of(self.name, self.label))];
                @if kept.is_some() { (hint(self.name, self.label, Some("Leave empty to keep the current upload."))) }
            }
        }
    }
}

/// Multi-line field that is sent as an object. Each line has a name, `=` and a value.
pub(super) struct Pairs<'a>(pub(super) Area<'a>);

impl Render for Pairs<'_> {
    fn render(&self) -> Markup {
        self.0.sent_as(Some("pairs"))
    }
}

/// Text with a copy button.
pub(super) struct Copied<'a> {
    pub(super) label: &'a str,
    pub(super) value: &'a str,
}

impl Render for Copied<'_> {
    fn render(&self) -> Markup {
        html! {
            div.copied {
                input readonly value=(self.value) aria-label=(self.label);
                button.btn type="button" data-copy="" aria-label={ "Copy: " (self.label) } { "Copy" }
            }
        }
    }
}

/// Multi-line field.
#[derive(Clone, Copy)]
pub(super) struct Area<'a> {
    pub(super) name: &'a str,
    pub(super) label: &'a str,
    pub(super) value: &'a str,
    pub(super) hint: Option<&'a str>,
    pub(super) is_required: bool,
    /// True to send each line as an item of an array.
    pub(super) is_list: bool,
}

impl Render for Area<'_> {
    fn render(&self) -> Markup {
        self.sent_as(self.is_list.then_some("lines"))
    }
}

impl Area<'_> {
    fn sent_as(&self, form: Option<&str>) -> Markup {
        let id = id_of(self.name, self.label);
        html! {
            div.field {
                label for=(id) { (self.label) }
                textarea id=(id) name=(self.name) rows="4" required[self.is_required] data-as=[form]
                    aria-describedby=[self.hint.map(|_| hint_of(self.name, self.label))] { (self.value) }
                (hint(self.name, self.label, self.hint))
            }
        }
    }
}

/// Multi-line field that is sent as a list of the e-mail addresses in its text.
pub(super) struct Addresses<'a>(pub(super) Area<'a>);

impl Render for Addresses<'_> {
    fn render(&self) -> Markup {
        self.0.sent_as(Some("addresses"))
    }
}

/// Multi-line field that is sent as the JSON value in its text.
pub(super) struct Json<'a>(pub(super) Area<'a>);

impl Render for Json<'_> {
    fn render(&self) -> Markup {
        self.0.sent_as(Some("json"))
    }
}

/// Multi-line field that is the JSON body of the request. The form has no other fields.
pub(super) struct Whole<'a>(pub(super) Area<'a>);

impl Render for Whole<'_> {
    fn render(&self) -> Markup {
        self.0.sent_as(Some("whole"))
    }
}

/// Multi-line field with one link or account a line.
#[derive(Clone, Copy)]
pub(super) struct Lines<'a> {
    pub(super) area: Area<'a>,
    /// Reader in `settings.js`: `link`, `menus`, `columns` or `accounts`.
    pub(super) kind: &'a str,
}

impl Render for Lines<'_> {
    fn render(&self) -> Markup {
        self.area.sent_as(Some(self.kind))
    }
}

/// Choice of one value from pairs of value and label. The values `null`, `true` and `false` are sent as JSON literals,
/// and objects as JSON. An empty value is omitted.
pub(super) struct Select<'a> {
    pub(super) name: &'a str,
    pub(super) label: &'a str,
    pub(super) options: &'a [(&'a str, &'a str)],
    /// Selected value.
    pub(super) value: &'a str,
    pub(super) hint: Option<&'a str>,
}

impl Select<'_> {
    fn options(&self) -> Markup {
        html! {
            @for (value, label) in self.options {
                option value=(value) selected[*value == self.value] { (label) }
            }
        }
    }
}

impl Render for Select<'_> {
    fn render(&self) -> Markup {
        let id = id_of(self.name, self.label);
        html! {
            div.field {
                label for=(id) { (self.label) }
                select id=(id) name=(self.name) aria-describedby=[self.hint.map(|_| hint_of(self.name, self.label))] { (self.options()) }
                (hint(self.name, self.label, self.hint))
            }
        }
    }
}

/// Checkbox. Without a value it is sent as a boolean. Checkboxes with values and the same name are sent as an array of
/// the ticked ones.
pub(super) struct Tick<'a> {
    pub(super) name: &'a str,
    pub(super) label: &'a str,
    pub(super) value: Option<&'a str>,
    pub(super) is_ticked: bool,
}

impl Render for Tick<'_> {
    fn render(&self) -> Markup {
        html! {
            label.tick {
                input type="checkbox" name=(self.name) value=[self.value] checked[self.is_ticked]
                    data-as=(if self.value.is_some() { "items" } else { "boolean" });
                span { (self.label) }
            }
        }
    }
}

/// Returns a dialog with a submit button.
pub(super) fn dialog(id: &str, heading: &str, content: Markup, submit: Markup) -> Markup {
    html! {
        dialog.dialog id=(id) aria-labelledby={ (id) "-heading" } {
            form {
                h2 id={ (id) "-heading" } { (heading) }
                (content)
                div.buttons {
                    button.btn type="button" data-close="" { "Cancel" }
                    (submit)
                }
            }
        }
    }
}

/// Returns the id of a field. It includes the label, because forms on a page may have fields with the same name.
fn id_of(name: &str, label: &str) -> String {
    let words = format!("field {name} {label}").to_lowercase();
    words
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

fn hint_of(name: &str, label: &str) -> String {
    format!("{}-hint", id_of(name, label))
}

fn hint(name: &str, label: &str, hint: Option<&str>) -> Markup {
    html! { @if let Some(hint) = hint { p.hint id=(hint_of(name, label)) { (hint) } } }
}
