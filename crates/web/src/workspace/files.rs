//! Files and reusable contents of a space, with the number of uses of each.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_content::rendering::Addresses as _;
use quire_domain::ids::{FileId, SpaceId};
use quire_revision::{EntryId, FileNode, ReusableContentNode};
use quire_server::{ApiError, ApiResult, UrlSigner};
use quire_storage::Reader;
use quire_storage::lookup::Credentials;

use super::content::{Content, can_edit, open, selector};
use super::forms::{Field, dialog};
use super::requests::position;
use super::reusable;
use super::shell::{Page, counted};
use super::space::{At, links};
use crate::state::WebData;

/// Files per page of the list.
const MOST: usize = 60;
/// Maximum number of reusable contents in the list.
const MOST_CONTENTS: usize = 200;
/// Maximum length of a file name.
const LONGEST_NAME: u32 = 255;

/// Responds to `/s/{spaceId}/~/files`.
pub(super) async fn files(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
) -> ApiResult<HttpResponse> {
    let list = format!("files on the page of {space}");
    let after: Option<FileId> = position(request, &list)?;
    let selector = selector(request)?;
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| {
        let opened = open(reader, &shared, space, selector)?;
        let tree = &opened.shown.tree;
        let found: Vec<FileNode> = tree.files_after(after).take(MOST.saturating_add(1)).cloned().collect();
        let mut used = Vec::with_capacity(found.len());
        for file in found {
            let links = reader.backlinks(&opened.content, tree, EntryId::File(file.id), None, 1)?;
            used.push((file, links.total));
        }
        Ok((opened.shown, used))
    };
    let (content, mut used): (Content, Vec<(FileNode, u64)>) = web.state.read(caller, load).await?;
    let has_more = used.len() > MOST;
    used.truncate(MOST);
    let last = used.last().filter(|_| has_more).map(|(file, _)| file.id);
    let more = last.map(|id| quire_domain::list::Cursor::seal(&list, &id)).transpose();
    let more = more.map_err(ApiError::internal)?;
    let signer = &web.state.signer;
    let main = html! {
        (head(&content, "Files", false))
        @if can_edit(&content) { (upload(&content)) }
        @if used.is_empty() {
            div.empty { p { b { "No files" } } p { "Pictures and attachments of the pages of this space are listed here." } }
        } @else {
            ul.files { @for (file, uses) in &used { (card(&content, signer, file, *uses)) } }
        }
        @if let Some(more) = &more {
            p.pager { a.btn href={ (address(&content, "files")) (separator(&content)) "page=" (more) } { "More files" } }
        }
    };
    Ok(respond(&content, "Files", main))
}

/// Responds to `/s/{spaceId}/~/reusable`.
pub(super) async fn reusable(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
) -> ApiResult<HttpResponse> {
    let selector = selector(request)?;
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| {
        let opened = open(reader, &shared, space, selector)?;
        let tree = &opened.shown.tree;
        let found: Vec<ReusableContentNode> = tree.reusable_contents().take(MOST_CONTENTS).cloned().collect();
        let mut used = Vec::with_capacity(found.len());
        for node in found {
            let links =
                reader.backlinks(&opened.content, tree, EntryId::ReusableContent(node.id), None, 1)?;
            used.push((node, links.total));
        }
        Ok((opened.shown, used))
    };
    let (content, used): (Content, Vec<(ReusableContentNode, u64)>) = web.state.read(caller, load).await?;
    let total = content.tree.reusable_content_count();
    let main = html! {
        (head(&content, "Reusable contents", true))
        @if used.is_empty() {
            div.empty { p { b { "No reusable contents" } } p { "A reusable content is written once and shown on several pages." } }
        } @else {
            ul.list { @for (node, uses) in &used { (row(&content, node, *uses)) } }
            @if total > used.len() { p { "The first " (used.len()) " of " (total) " are listed." } }
        }
        @if can_edit(&content) {
            h2 { "New reusable content" }
            (reusable::form(&content))
        }
    };
    Ok(respond(&content, "Reusable contents", main))
}

/// Returns the address of a list of the content.
fn address(content: &Content, name: &str) -> String {
    let of_space = content.place.of_space();
    match content.place.change {
        Some(number) => format!("{of_space}/~/{name}?change={number}"),
        None => format!("{of_space}/~/{name}"),
    }
}

fn separator(content: &Content) -> &'static str {
    if content.place.change.is_some() { "&" } else { "?" }
}

fn respond(content: &Content, title: &str, main: Markup) -> HttpResponse {
    let page = Page {
        title: title.to_owned(),
        crumbs: content.crumbs(),
        nav_label: "Space",
        nav: links(content, Some(At::Files)),
        main: html! { main.home id="workspace:content" { (main) } },
        assets: &["files.css", "uploads.js"],
        ..Page::default()
    };
    content.frame.respond(&page)
}

fn head(content: &Content, title: &str, is_reusable: bool) -> Markup {
    html! {
        h1 { (title) }
        p.sub {
            @match &content.change {
                Some(change) => { "As they are in " a href=(content.place.root()) { "change request #" (change.number) } "." },
                None => { "Changes go to your draft of this space." },
            }
        }
        nav.tabs aria-label="Lists" {
            a href=(address(content, "files")) aria-current=[(!is_reusable).then_some("page")] { "Files" }
            a href=(address(content, "reusable")) aria-current=[is_reusable.then_some("page")] { "Reusable contents" }
        }
    }
}

fn upload(content: &Content) -> Markup {
    html! {
        form.form data-drop="" {
            div.field.drop {
                label for="files-file" { "Add files" }
                input id="files-file" name="file" type="file" multiple;
                p.hint { "Drop files here, or choose them." }
            }
            div.buttons {
                button.btn.primary type="submit" data-action="files" data-space=(content.space.id) data-change=[content.place.change] { "Upload" }
            }
        }
    }
}

fn uses(count: u64) -> String {
    if count == 0 { "Not used".to_owned() } else { counted(count, "use", "uses") }
}

fn card(content: &Content, signer: &UrlSigner, file: &FileNode, count: u64) -> Markup {
    let href = content.place.addresses(signer).file(content.place.space, file);
    let is_picture = file.content_type.starts_with("image/");
    html! {
        li {
            div.thumb {
                @if is_picture { img src=(href) alt="" loading="lazy"; }
                @else { (content.frame.icon("file-text", "")) }
            }
            a.t href=(href) { (file.name) }
            small {
                (size(file.size))
                @if let Some(dimensions) = file.dimensions { " · " (dimensions.width) " × " (dimensions.height) }
                " · " (uses(count))
            }
            @if can_edit(content) { (operations(content, &file.id.to_string(), &file.name, &Kind::FILE, count)) }
        }
    }
}

fn row(content: &Content, node: &ReusableContentNode, count: u64) -> Markup {
    html! {
        li {
            (content.frame.icon("layers", ""))
            a.t href=(content.place.reusable(Some(node.id))) { (node.title) }
            span.d { (uses(count)) }
            @if can_edit(content) {
                span.w { (operations(content, &node.id.to_string(), &node.title, &Kind::REUSABLE, count)) }
            }
        }
    }
}

/// Texts for changes of a file or a reusable content.
struct Kind {
    noun: &'static str,
    list: &'static str,
    field: &'static str,
    label: &'static str,
    update: &'static str,
    delete: &'static str,
    key: &'static str,
    deleted: &'static str,
    is_file: bool,
}

impl Kind {
    const FILE: Self = Self {
        noun: "file",
        list: "files",
        field: "name",
        label: "Name",
        update: "update_file",
        delete: "delete_files",
        key: "file",
        deleted: "files",
        is_file: true,
    };
    const REUSABLE: Self = Self {
        noun: "reusable content",
        list: "reusable",
        field: "title",
        label: "Title",
        update: "update_reusable_content",
        delete: "delete_reusable_content",
        key: "reusableContent",
        deleted: "reusableContent",
        is_file: false,
    };
}

/// Returns the dialog that replaces a file by one from the device.
fn replacement(content: &Content, dialog_id: &str, file: &str, name: &str) -> Markup {
    let field_id = format!("{dialog_id}-field");
    let chosen = html! {
        label for=(field_id) { "File" }
        input type="file" name="file" id=(field_id) required;
        p.muted { "Links and pages that use the file will show the new one." }
    };
    let submit = html! {
        button.btn.primary type="submit" data-action="replace" data-space=(content.space.id)
            data-change=[content.place.change] data-file=(file) { "Replace" }
    };
    dialog(dialog_id, &format!("Replace {name}"), chosen, submit)
}

/// Returns the buttons that rename, replace and delete an item, with their dialogs.
fn operations(content: &Content, id: &str, name: &str, kind: &Kind, count: u64) -> Markup {
    let rename_id = format!("rename-{id}");
    let delete_id = format!("delete-{id}");
    let replace_id = format!("replace-{id}");
    let rename = format!("{{\"operation\":\"{}\",\"{}\":\"{id}\"}}", kind.update, kind.key);
    let value = if kind.is_file { format!("[\"{id}\"]") } else { format!("\"{id}\"") };
    let delete = format!("{{\"operation\":\"{}\",\"{}\":{value}}}", kind.delete, kind.deleted);
    let next = format!("s/{}/~/{}?change={{number}}", content.space.id, kind.list);
    let button = |body: &str, label: &str| {
        html! {
            button.btn.primary type="submit" data-action="change" data-space=(content.space.id) data-change=[content.place.change]
                data-subject={ "Change " (kind.noun) "s" } data-body=(body) data-next=(next) { (label) }
        }
    };
    let field_id = format!("{rename_id}-field");
    let field = Field {
        name: kind.field,
        id: Some(&field_id),
        label: kind.label,
        value: name,
        is_required: true,
        longest: LONGEST_NAME,
        ..Field::default()
    };
    html! {
        span.buttons {
            button.btn.ghost type="button" data-dialog=(rename_id) aria-label={ "Rename " (name) } { (content.frame.icon("pencil", "")) }
            @if kind.is_file {
                button.btn.ghost type="button" data-dialog=(replace_id) aria-label={ "Replace " (name) } { (content.frame.icon("replace", "")) }
            }
            button.btn.ghost type="button" data-dialog=(delete_id) aria-label={ "Delete " (name) } { (content.frame.icon("trash-2", "")) }
        }
        (dialog(&rename_id, &format!("Rename {name}"), html! { (field) }, button(&rename, "Rename")))
        @if kind.is_file { (replacement(content, &replace_id, id, name)) }
        (dialog(&delete_id, &format!("Delete {name}?"), html! {
            p {
                @if count == 0 { "Nothing refers to it." }
                @else { (counted(count, "place refers", "places refer")) " to it, and will show a broken link." }
            }
        }, button(&delete, "Delete")))
    }
}

/// Formats a size in bytes.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 3] = ["kB", "MB", "GB"];
    if bytes < 1_000 {
        return counted(bytes, "byte", "bytes");
    }
    let mut tenths = bytes / 100;
    let mut unit = 0_usize;
    while tenths >= 10_000 && unit.saturating_add(1) < UNITS.len() {
        tenths /= 1_000;
        unit = unit.saturating_add(1);
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, UNITS.get(unit).copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_have_a_unit() {
        for (bytes, expected) in [
            (1, "1 byte"),
            (999, "999 bytes"),
            (1_000, "1.0 kB"),
            (999_999, "999.9 kB"),
            (1_500_000, "1.5 MB"),
            (2_300_000_000, "2.3 GB"),
        ] {
            assert_eq!(size(bytes), expected);
        }
    }
}
