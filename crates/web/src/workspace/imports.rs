//! Imports into a space: the form, earlier imports, and the progress and report of an import.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::ids::{ImportId, PageId, SpaceId};
use quire_domain::imports::{
    ImportPhase, ImportReportEntry, ImportResult, ImportSource, ImportState, ImportStatus,
};
use quire_domain::policy::Action;
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::imports::{ImportOrigin, ImportRecord};
use quire_storage::content::store::ContentSelector;
use quire_storage::list::Slice;
use quire_storage::lookup::Credentials;

use super::content::{Content, address_of, open};
use super::forms::{ApiForm, Field, Tick};
use super::requests::{next, parameter, position};
use super::shell::{Crumb, Page, counted, name_of};
use super::space::{At, links};
use crate::state::WebData;

/// Earlier imports per page of the list.
const MOST: u16 = 20;

/// Sources with their file types, in the order of the form. Unknown files are treated as the archive.
const SOURCES: [(ImportSource, &str, &str); 21] = [
    (
        ImportSource::Zip,
        "Archive",
        "Any mix of Markdown, HTML, Word documents and pictures, such as a repository as ZIP",
    ),
    (ImportSource::Markdown, "Markdown", "A Markdown file, or an archive of them"),
    (ImportSource::Docx, "Word", "A document (.docx)"),
    (ImportSource::Html, "HTML", "A page, or an archive of pages"),
    (ImportSource::Website, "Website", "The address of the first page; at most 200 pages below its folder"),
    (ImportSource::Notion, "Notion", "The archive of Export: Markdown & CSV or HTML, with subpages"),
    (ImportSource::Confluence, "Confluence", "The archive of Space settings, Export space, HTML"),
    (
        ImportSource::GoogleDocs,
        "Google Docs",
        "The address of a document shared with Anyone with the link, or its export",
    ),
    (ImportSource::Gitbook, "GitBook", "A repository that GitBook writes, as archive"),
    (ImportSource::GithubWiki, "GitHub wiki", "The cloned wiki as archive, or the address of a page"),
    (ImportSource::DropboxPaper, "Dropbox Paper", "An export as Markdown or Word; several in an archive"),
    (ImportSource::Quip, "Quip", "An export as HTML or Word; several in an archive"),
    (ImportSource::Docusaurus, "Docusaurus", "A repository or docs folder as archive"),
    (ImportSource::Mkdocs, "MkDocs", "A repository or docs folder as archive"),
    (ImportSource::Mintlify, "Mintlify", "A repository or docs folder as archive"),
    (ImportSource::Starlight, "Starlight", "A repository or docs folder as archive"),
    (ImportSource::Nextra, "Nextra", "A repository or docs folder as archive"),
    (ImportSource::Fumadocs, "Fumadocs", "A repository or docs folder as archive"),
    (ImportSource::Vitepress, "VitePress", "A repository or docs folder as archive"),
    (ImportSource::Myst, "Sphinx with MyST", "A repository or docs folder as archive, also of Jupyter Book"),
    (ImportSource::Mdbook, "mdBook", "A repository as archive"),
];

fn title_of(source: ImportSource) -> &'static str {
    SOURCES.iter().find(|(known, ..)| *known == source).map_or("Import", |(_, title, _)| title)
}

/// Responds to `/s/{spaceId}/~/import`.
pub(super) async fn form(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
) -> ApiResult<HttpResponse> {
    let list = format!("imports on the page of {space}");
    let below: Option<ImportId> = position(request, &list)?;
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| {
        let record = reader.space(space)?.authorize(Action::ViewImports)?;
        let content = open(reader, &shared, space, ContentSelector::Space)?.shown;
        Ok((content, reader.imports(&record, below, MOST)?))
    };
    let (content, imports): (Content, Slice<ImportRecord>) = web.state.read(caller, load).await?;
    let into = parameter(request, "into").map(|page| page.parse::<PageId>()).transpose();
    let into = into.map_err(|_| ApiError::not_found())?;
    let into = into.map(|page| content.tree.page(page).ok_or_else(ApiError::not_found)).transpose()?;
    let more = next(&imports, &list, |import| import.id)?;
    let address = format!("{}/~/import", content.place.of_space());
    let main = html! {
        main.home id="workspace:content" {
            h1 { "Import" }
            p.sub { "Pages, files and links of another system become those of this space. If an import fails, nothing changes." }
            @if let Some(page) = into { p.note { "The import goes to the page " b { (page.title) } ": a single document replaces its text, other pages are added below it." } }
            (fields(space, into.map(|page| page.id)))
            h2 { "Former imports" }
            @if imports.items.is_empty() {
                div.empty { p { b { "No imports yet" } } p { "Each import is listed here with its report." } }
            } @else {
                ul.list { @for import in &imports.items { (row(&content, import)) } }
                @if let Some(more) = &more {
                    p.pager { a.btn href={ (address) "?page=" (more) } { "More imports" } }
                }
            }
        }
    };
    let page = Page {
        title: "Import".to_owned(),
        crumbs: vec![Crumb { title: content.space.title.clone(), href: content.place.of_space() }],
        nav_label: "Space",
        nav: links(&content, Some(At::Import)),
        main,
        assets: &["uploads.js"],
        ..Page::default()
    };
    Ok(content.frame.respond(&page))
}

fn fields(space: SpaceId, into: Option<PageId>) -> Markup {
    html! {
        form.form data-drop="" {
            div.field.drop {
                label for="import-file" { "File" }
                input id="import-file" name="file" type="file" aria-describedby="import-file-hint";
                p.hint id="import-file-hint" { "Drop a file here, or choose one. Several files are imported as an archive." }
            }
            (Field { name: "url", label: "Or an address", kind: "url", hint: Some("A website, or a file that can be read without signing in"), ..Field::default() })
            details {
                summary { "Source" }
                fieldset.sources {
                    legend.hidden-text { "Source" }
                    label.tick {
                        input type="radio" name="source" value="" checked;
                        span { b { "Recognize it" } small { "By the name and the content of the file; an address is a website" } }
                    }
                    @for (source, title, line) in &SOURCES {
                        label.tick {
                            input type="radio" name="source" value=(source.as_str());
                            span { b { (title) } small { (line) } }
                        }
                    }
                }
            }
            (Tick { name: "review", label: "Import into my draft, to review it first", value: Some("draft"), is_ticked: false })
            div.buttons {
                button.btn.primary type="submit" data-action="import" data-space=(space) data-into=[into] { "Import" }
            }
        }
    }
}

/// Returns the source of an import.
fn origin(import: &ImportRecord) -> &str {
    match &import.origin {
        ImportOrigin::Url(url) => url,
        ImportOrigin::Upload { file_name, .. } => file_name.as_deref().unwrap_or("Uploaded file"),
    }
}

/// Returns icon, color and name of a state.
fn state_of(state: ImportState) -> (&'static str, &'static str, &'static str) {
    match state {
        ImportState::Pending => ("clock", "draft", "Waiting"),
        ImportState::Running => ("clock", "open", "Running"),
        ImportState::Succeeded => ("circle-check", "merged", "Imported"),
        ImportState::Failed => ("triangle-alert", "bad", "Failed"),
        ImportState::Cancelled => ("x", "draft", "Cancelled"),
    }
}

fn row(content: &Content, import: &ImportRecord) -> Markup {
    let Content { frame, place, .. } = content;
    let (icon, class, name) = state_of(import.state);
    html! {
        li {
            (frame.icon(icon, class))
            a.t href={ (place.of_space()) "/~/imports/" (import.id) } { (origin(import)) }
            span.d { (name) " · " (title_of(import.source)) " · by " (name_of(&import.created_by)) }
            span.w { (frame.ago(import.created_at)) }
        }
    }
}

/// Responds to `/s/{spaceId}/~/imports/{importId}`. Uses the content of the import, so that the report can link to its
/// pages.
pub(super) async fn one(
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
    id: ImportId,
) -> ApiResult<HttpResponse> {
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| {
        let record = reader.space(space)?.authorize(Action::ViewImports)?;
        let import = reader.import(&record, id)?;
        let selector = match import.change_request {
            Some(change) => ContentSelector::ChangeRequest(ChangeRequestKey::Id(change)),
            None => ContentSelector::Space,
        };
        Ok((open(reader, &shared, space, selector)?.shown, import))
    };
    let (content, import): (Content, ImportRecord) = web.state.read(caller, load).await?;
    let main = html! {
        main.home id="workspace:content" {
            h1 { (origin(&import)) }
            p.sub { (title_of(import.source)) " · by " (name_of(&import.created_by)) " · " (content.frame.ago(import.created_at)) }
            div id="workspace:import" data-follow=[(!import.state.is_final()).then(|| format!("space={space}&import={id}"))] { (shown(&content, &import)) }
        }
    };
    let of_space = content.place.of_space();
    let page = Page {
        title: origin(&import).to_owned(),
        crumbs: vec![
            Crumb { title: content.space.title.clone(), href: of_space.clone() },
            Crumb { title: "Import".to_owned(), href: format!("{of_space}/~/import") },
        ],
        nav_label: "Space",
        nav: links(&content, Some(At::Import)),
        main,
        assets: &["following.js"],
        ..Page::default()
    };
    Ok(content.frame.respond(&page))
}

fn shown(content: &Content, import: &ImportRecord) -> Markup {
    let again = format!("{}/~/import", content.place.of_space());
    html! {
        @match (import.state, &import.result) {
            (ImportState::Succeeded, Some(result)) => (report(content, result)),
            (ImportState::Succeeded, None) => p role="status" { "Imported." },
            (ImportState::Failed, _) => {
                p.note.bad role="status" {
                    (content.frame.icon("triangle-alert", "bad"))
                    span { (import.error.as_ref().map_or("The import failed.", |error| error.message.as_str())) " Nothing was changed." }
                }
                p { a.btn href=(again) { "Import again" } }
            },
            (ImportState::Cancelled, _) => {
                p role="status" { "The import was cancelled. Nothing was changed." }
                p { a.btn href=(again) { "Import again" } }
            },
            (ImportState::Pending | ImportState::Running, _) => (progress(import)),
        }
    }
}

fn progress(import: &ImportRecord) -> Markup {
    let url = format!("spaces/{}/imports/{}", import.space, import.id);
    let cancel = ApiForm { method: "DELETE", url: &url, submit: "Cancel the import", ..ApiForm::default() };
    html! {
        p role="status" { (sentence(import)) }
        p { progress value=[import.total.map(|_| import.done)] max=[import.total.filter(|total| *total > 0)] aria-label="Progress" {} }
        (cancel.with(html! {}))
        noscript { p { "Reload the page to see its progress." } }
    }
}

/// Returns the progress of an import as a sentence.
fn sentence(import: &ImportRecord) -> String {
    let (verb, one, many) = match import.phase {
        None => return "Waiting for its turn.".to_owned(),
        Some(ImportPhase::Fetching) if matches!(import.source, ImportSource::Website) => {
            ("Fetching the website", "page or picture", "pages and pictures")
        }
        Some(ImportPhase::Fetching) => ("Fetching the content", "byte", "bytes"),
        Some(ImportPhase::Reading) => ("Reading the files", "file", "files"),
        Some(ImportPhase::Planning) => ("Making pages of them", "file", "files"),
        Some(ImportPhase::Storing) => ("Storing the pages", "file or page", "files and pages"),
    };
    match (import.done, import.total) {
        (0, None) => format!("{verb}."),
        (done, None) => format!("{verb}: {}.", counted(done, one, many)),
        (done, Some(total)) => format!("{verb}: {done} of {}.", counted(total, one, many)),
    }
}

fn report(content: &Content, result: &ImportResult) -> Markup {
    let Content { frame, place, change, .. } = content;
    let found = result.imported_resources.max(result.total_resources);
    html! {
        p.note role="status" {
            (frame.icon("circle-check", "merged"))
            span { "Imported " (result.imported_resources) " of " (counted(found, "page or file", "pages and files")) "." }
        }
        div.actions {
            @match change {
                Some(change) => a.btn.primary href=(place.root()) { "Review change request #" (change.number) },
                None => a.btn.primary href=(place.root()) { "Open the pages" },
            }
            a.btn href={ (place.of_space()) "/~/import" } { "Import more" }
        }
        h2 { "Report" }
        @if result.report.is_empty() {
            div.empty { p { b { "Nothing was changed or left out" } } }
        } @else {
            p.sub { "What was changed, left out or could not be read; failures first." }
            ul.list.report { @for entry in &result.report { (line(content, entry)) } }
        }
    }
}

fn line(content: &Content, entry: &ImportReportEntry) -> Markup {
    let (icon, class, name) = match entry.status {
        ImportStatus::Failed => ("triangle-alert", "bad", "Failed"),
        ImportStatus::BrokenLinks => ("triangle-alert", "open", "Broken links"),
        ImportStatus::Changed => ("pencil", "draft", "Changed"),
        ImportStatus::Skipped => ("x", "draft", "Left out"),
    };
    let page = entry.page.and_then(|page| content.tree.page(page));
    html! {
        li {
            (content.frame.icon(icon, class))
            @match page.and_then(|page| address_of(content, page)) {
                Some(address) => a.t href=(address) { (entry.path) },
                None => span.t { (entry.path) },
            }
            span.d { (name) ": " (entry.message) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_has_one_line() {
        for source in ImportSource::ALL {
            let lines = SOURCES.iter().filter(|(known, ..)| *known == source);
            assert_eq!(lines.count(), 1, "{}", source.as_str());
        }
    }
}
