//! Conflicts of a change request with its space, one by one, each with an editable result.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, PreEscaped, html};
use quire_content::rendering::Targets;
use quire_domain::bounds::RESOLUTIONS_MAX;
use quire_domain::change_requests::{MergedRevisions, Status};
use quire_domain::clock::Timestamp;
use quire_domain::ids::{PageId, SpaceId};
use quire_domain::policy::Action;
use quire_markup::{BlockKind, ContentRef, Document};
use quire_render::{DifferenceView, Options, Resolved, Words, references, render, render_difference};
use quire_revision::{BlockConflict, Conflict, ConflictKind, DocumentDifference, WithoutConflict};
use quire_server::{ApiError, ApiResult};
use quire_storage::content::change_requests::{ChangeRequestKey, ChangeRequestRecord, SideEdit, SideEdits};
use quire_storage::content::store::ContentSelector;
use quire_storage::lookup::Credentials;
use quire_storage::{Reader, Storage};
use serde_json::{Value, json};

use super::content::{Content, open, subject};
use super::requests::parameter;
use super::shell::{Crumb, Page, counted, name_of};
use super::space::{At, links};
use super::tree::title_of;
use crate::site::SpaceTree;
use crate::state::WebData;

/// Label of the version that both sides changed.
const BEFORE: &str = "Before both changes";
/// Maximum number of characters that are shown of a text.
const MOST_SHOWN: usize = 500;

/// Returns the number of decisions that conflicts require.
pub(super) fn count(conflicts: &[Conflict]) -> u64 {
    let decisions = conflicts.iter().map(|conflict| conflict.blocks.len().max(1));
    u64::try_from(decisions.sum::<usize>()).unwrap_or(u64::MAX)
}

/// Conflicts of a change request.
struct Conflicts {
    content: Content,
    change: ChangeRequestRecord,
    heads: MergedRevisions,
    items: Vec<Item>,
    without: WithoutConflict,
    resolved: Resolved,
    /// True if a merge follows, and not only an update.
    merges: bool,
}

/// Decision on a conflict.
struct Item {
    id: String,
    heading: String,
    question: Question,
    /// Last edits of the conflicting part, in the change request and in the space.
    edits: [Option<LastEdit>; 2],
}

/// Last edit on one side.
struct LastEdit {
    author: String,
    at: Timestamp,
    /// Number of the change request that contained the edit.
    merged: Option<i32>,
}

/// Blocks that both sides changed.
struct Blocks {
    base: Version,
    ours: Version,
    theirs: Version,
    both: Value,
}

enum Question {
    Blocks(Box<Blocks>),
    /// Field, with its value before both changes, and the effect or the value of each button.
    Field {
        base: Option<String>,
        ours: String,
        theirs: String,
    },
}

/// Icons and frame hosts of the blocks.
#[derive(Default)]
struct Parts {
    icons: BTreeSet<String>,
    frames: BTreeSet<&'static str>,
}

/// Blocks of one side with their surroundings.
struct Version {
    json: Value,
    document: Document,
}

/// Responds to `/s/{spaceId}/~/changes/{changeRequest}/~conflicts`.
pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
    key: ChangeRequestKey,
) -> ApiResult<HttpResponse> {
    let merges = parameter(request, "for").as_deref() == Some("merge");
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| {
        let opened = open(reader, &shared, space, ContentSelector::ChangeRequest(key))?;
        let of_space = open(reader, &shared, space, ContentSelector::Space)?.shown;
        let record = reader.change_request(space, key)?.authorize(Action::ViewSpace)?;
        let heads = MergedRevisions { change_request: record.item.head, space: record.space.head };
        let (conflicts, without) = match record.item.status {
            Status::Draft | Status::Open => reader.conflicts_of(&record)?,
            Status::Merged | Status::Archived => Default::default(),
        };
        let content = opened.shown;
        let edits =
            if conflicts.is_empty() { None } else { Some(reader.edits_of_sides(&record, &conflicts)?) };
        let items = items(&conflicts, edits.as_ref(), [&content.tree, &of_space.tree])?;
        let addresses = content.place.addresses(&shared.state.signer);
        let targets = Targets::new(&addresses, &shared.expansions, content.place.space, &content.tree);
        let named = items.iter().flat_map(Item::references).collect();
        let targets = targets.load(reader, caller, &opened.organization, &opened.content, named)?;
        Ok(Conflicts {
            change: record.item.clone(),
            merges: merges && content.rights.merges,
            resolved: Resolved { targets, shows_all: true, ..Resolved::default() },
            content,
            heads,
            items,
            without,
        })
    };
    let loaded = web.state.read(caller, load).await?;
    let shared = web.clone();
    let write = move |_: &Storage| {
        let options = Options {
            links_headings: false,
            words: &Words::ENGLISH,
            ..Options::english(&shared.highlighter)
        };
        Ok::<_, ApiError>((loaded.write(&options), loaded))
    };
    let (page, loaded) = web.state.compute(write).await?;
    Ok(loaded.content.frame.respond(&page))
}

/// Returns the decisions that conflicts require, up to the number that one request can resolve.
fn items(conflicts: &[Conflict], edits: Option<&SideEdits>, trees: [&SpaceTree; 2]) -> ApiResult<Vec<Item>> {
    let mut items = Vec::new();
    for conflict in conflicts {
        if conflict.blocks.is_empty() {
            let last = edits.map(|edits| edits.last_of(conflict)).unwrap_or_default();
            items.push(Item { edits: last.map(last_edit), ..of_field(conflict, trees) });
        }
        for blocks in &conflict.blocks {
            let last = edits.map(|edits| edits.last_of_blocks(conflict, blocks)).unwrap_or_default();
            items.push(Item { edits: last.map(last_edit), ..of_blocks(conflict, blocks)? });
        }
    }
    items.truncate(usize::try_from(RESOLUTIONS_MAX).unwrap_or(usize::MAX));
    Ok(items)
}

fn last_edit(edit: Option<&SideEdit>) -> Option<LastEdit> {
    let edit = edit?;
    let author = edit.author.as_ref().map_or_else(|| "Removed user".to_owned(), name_of);
    Some(LastEdit { author, at: edit.created_at, merged: edit.merged })
}

/// Returns a sentence about the changes that merged without a conflict.
fn everything_else(without: WithoutConflict) -> String {
    let number = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    let pages = || counted(number(without.pages), "page", "pages");
    let blocks = || format!("{} of the texts below", counted(number(without.blocks), "block", "blocks"));
    match (without.pages, without.blocks) {
        (0, 0) => "Everything else is merged already.".to_owned(),
        (0, _) => format!("Everything else is merged already: {}.", blocks()),
        (_, 0) => format!("Everything else is merged already: {}.", pages()),
        _ => format!("Everything else is merged already: {}, {}.", pages(), blocks()),
    }
}

/// Returns the title of the page, file or reusable content of a conflict.
fn subject_of(conflict: &Conflict) -> String {
    let named = |side: &Option<Value>| {
        let value = side.as_ref()?;
        let name = value.get("title").or_else(|| value.get("name"))?;
        Some(name.as_str()?.to_owned())
    };
    let page = conflict.page.as_ref().map(|page| page.title.clone());
    page.or_else(|| named(&conflict.ours))
        .or_else(|| named(&conflict.theirs))
        .unwrap_or_else(|| "Untitled".to_owned())
}

fn of_blocks(conflict: &Conflict, blocks: &BlockConflict) -> ApiResult<Item> {
    let json =
        |nodes: &[Value]| json!({"object": "document", "data": {}, "nodes": blocks.as_document(nodes)});
    let version = |nodes: &[Value]| {
        let json = json(nodes);
        let document = Document::from_stored_value(&json).map_err(ApiError::internal)?;
        Ok::<_, ApiError>(Version { json, document })
    };
    let (base, ours, theirs) = (version(&blocks.base)?, version(&blocks.ours)?, version(&blocks.theirs)?);
    let both: Vec<Value> = blocks.theirs.iter().chain(&blocks.ours).cloned().collect();
    let kind = [&ours, &theirs, &base].into_iter().find_map(|version| version.document.nodes.first());
    let heading = format!("{} of {}", kind.map_or("A block", |block| word(block.kind)), subject_of(conflict));
    let heading = match &blocks.heading {
        Some(above) => format!("{heading}, under {above}"),
        None => heading,
    };
    let both = json(&both);
    Ok(Item {
        id: blocks.id.to_string(),
        heading,
        question: Question::Blocks(Box::new(Blocks { base, ours, theirs, both })),
        edits: [None, None],
    })
}

fn of_field(conflict: &Conflict, trees: [&SpaceTree; 2]) -> Item {
    let title = subject_of(conflict);
    let values = [&conflict.base, &conflict.ours, &conflict.theirs].map(Option::as_ref);
    let texts = || {
        let [base, ours, theirs] = values.map(|value| text_of(value, values));
        [Some(base), Some(ours), Some(theirs)]
    };
    let record =
        |side: Option<&Value>| if side.is_some() { "Keep it as it is here" } else { "Delete it" }.to_owned();
    let was = || named(conflict.base.as_ref());
    let sides = |ours: &str, theirs: &str| [Some(ours.to_owned()), Some(theirs.to_owned())];
    let records = || {
        let [_, ours, theirs] = values.map(record);
        [was(), Some(ours), Some(theirs)]
    };
    let (what, [base, ours, theirs]) = match conflict.kind {
        ConflictKind::Document => {
            let [ours, theirs] = sides("the text of this change request", "the text of the space");
            ("Text", [conflict.base.is_none().then(|| "no text".to_owned()), ours, theirs])
        }
        ConflictKind::Title => ("Title", texts()),
        ConflictKind::LinkTitle => ("Title in the navigation", texts()),
        ConflictKind::Slug => ("Slug", texts()),
        ConflictKind::Description => ("Description", texts()),
        ConflictKind::Emoji => ("Emoji", texts()),
        ConflictKind::Icon => ("Icon", texts()),
        ConflictKind::Cover => ("Cover", texts()),
        ConflictKind::Layout => ("Layout", texts()),
        ConflictKind::Target => ("Target", texts()),
        ConflictKind::Computed => ("Source", texts()),
        ConflictKind::Hidden => ("Hidden", texts()),
        ConflictKind::NoIndex => ("Left out of searches", texts()),
        ConflictKind::NoRobotsIndex => ("Left out by search engines", texts()),
        ConflictKind::Moved => {
            let [base, ours, theirs] = values;
            let [of_ours, of_theirs] = trees;
            let base = base.map(|base| below(Some(base), &trees));
            ("Location", [base, Some(below(ours, &[of_ours])), Some(below(theirs, &[of_theirs]))])
        }
        ConflictKind::DeletedHere => {
            let [ours, theirs] = sides("deleted here", "edited in the space, so keep it");
            ("Deletion", [was(), ours, theirs])
        }
        ConflictKind::DeletedThere => {
            let [ours, theirs] = sides("edited here, so keep it", "deleted in the space");
            ("Deletion", [was(), ours, theirs])
        }
        ConflictKind::File => ("File", records()),
        ConflictKind::ReusableContent => ("Reusable content", records()),
    };
    let id = conflict.id.to_string();
    let question =
        Question::Field { base, ours: ours.unwrap_or_default(), theirs: theirs.unwrap_or_default() };
    Item { id, heading: format!("{what} of {title}"), question, edits: [None, None] }
}

/// Returns the value of a field as text. Of objects, returns the members in which the versions differ.
fn text_of(value: Option<&Value>, versions: [Option<&Value>; 3]) -> String {
    let Some(object @ Value::Object(_)) = value else { return scalar(value) };
    let all = versions.map(|version| version.map(members).unwrap_or_default());
    let differs = |name: &String| {
        let [base, ours, theirs] = all.each_ref().map(|members| members.get(name));
        base != ours || base != theirs
    };
    let of_object = members(object).into_iter().filter(|(name, _)| differs(name));
    of_object.map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>().join(", ")
}

fn scalar(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "empty".to_owned(),
        Some(Value::Bool(true)) => "yes".to_owned(),
        Some(Value::Bool(false)) => "no".to_owned(),
        Some(Value::String(text)) => {
            let shown: String = text.chars().take(MOST_SHOWN).collect();
            if shown.len() < text.len() { format!("“{shown}…”") } else { format!("“{shown}”") }
        }
        Some(value) => value.to_string(),
    }
}

/// Returns the members of an object and of the objects in it, as text.
fn members(value: &Value) -> BTreeMap<String, String> {
    let Value::Object(object) = value else { return BTreeMap::new() };
    let mut found = BTreeMap::new();
    for (name, value) in object {
        if value.is_object() {
            found.extend(members(value).into_iter().map(|(inner, text)| (format!("{name}.{inner}"), text)));
        } else {
            found.insert(name.clone(), scalar(Some(value)));
        }
    }
    found
}

/// Returns the name of a page, file or reusable content, with the path of a page. `None` if there was none.
fn named(value: Option<&Value>) -> Option<String> {
    let value = value?;
    let text = |name| value.get(name).and_then(Value::as_str);
    let name = format!("“{}”", text("title").or_else(|| text("name"))?);
    Some(text("path").map_or_else(|| name.clone(), |path| format!("{name}, at {path}")))
}

/// Returns the parent of a page as text. The trees are those that may have the parent.
fn below(side: Option<&Value>, trees: &[&SpaceTree]) -> String {
    let parent = side.and_then(|value| value.get("parent")).and_then(Value::as_str);
    let Some(parent) = parent.and_then(|id| id.parse::<PageId>().ok()) else {
        return "at the top of the tree".to_owned();
    };
    match trees.iter().find_map(|tree| tree.page(parent)) {
        Some(parent) => format!("below “{}”", title_of(parent)),
        None if trees.len() > 1 => "below a page that both sides deleted".to_owned(),
        None => "below a page that the other side lacks".to_owned(),
    }
}

/// Returns the name of a kind of block for the start of a heading.
fn word(kind: BlockKind) -> &'static str {
    match kind {
        BlockKind::Paragraph => "A paragraph",
        BlockKind::Heading1 | BlockKind::Heading2 | BlockKind::Heading3 => "A heading",
        BlockKind::ListOrdered | BlockKind::ListUnordered | BlockKind::ListTasks | BlockKind::ListItem => {
            "A list"
        }
        BlockKind::Code | BlockKind::CodeLine => "A code block",
        BlockKind::Table => "A table",
        BlockKind::Images | BlockKind::Image => "An image",
        BlockKind::Hint => "A hint",
        BlockKind::Blockquote => "A quotation",
        BlockKind::Tabs | BlockKind::TabsItem => "Tabs",
        BlockKind::Stepper | BlockKind::StepperStep => "Steps",
        BlockKind::Columns | BlockKind::Column => "Columns",
        BlockKind::Expandable => "An expandable block",
        _ => "A block",
    }
}

impl Item {
    fn references(&self) -> BTreeSet<ContentRef> {
        let Question::Blocks(blocks) = &self.question else { return BTreeSet::new() };
        let Blocks { base, ours, theirs, .. } = &**blocks;
        [base, ours, theirs].into_iter().flat_map(|version| references(&version.document).targets).collect()
    }
}

impl Conflicts {
    fn write(&self, options: &Options<'_>) -> Page {
        let Self { content, change, .. } = self;
        let mut parts = Parts::default();
        let frame = &content.frame;
        let (url, apply) = match self.merges {
            true => ("merge", "Apply and merge"),
            false => ("update", "Apply and update"),
        };
        let count = u64::try_from(self.items.len()).unwrap_or(u64::MAX);
        let may_apply = self.merges || content.rights.edits;
        let main = html! {
            main.home.conflicts id="workspace:content" {
                @if self.items.is_empty() {
                    h1 { "No conflicts" }
                    p.sub { "This change request and the space have no conflicting changes." }
                    p { a.btn href=(content.place.root()) { "Back to the change request" } }
                } @else {
                    h1 { (counted(count, "change conflicts", "changes conflict")) }
                    p.sub { (everything_else(self.without)) " Nothing is saved until you apply." }
                    form data-conflicts="" data-url={ "spaces/" (change.space) "/change-requests/" (change.number) "/" (url) }
                        data-next=(content.place.root()) data-person=(content.rights.user) data-base=(frame.prefix)
                        data-change-request-revision=(self.heads.change_request) data-space-revision=(self.heads.space)
                        data-key={ (change.space) "/" (change.number) } {
                        @for (index, item) in self.items.iter().enumerate() { (self.item(item, index, options, &mut parts)) }
                        div.apply {
                            p role="status" data-settled="" { (counted(count, "conflict is open", "conflicts are open")) }
                            a.btn href=(content.place.root()) data-cancel="" { "Cancel" }
                            @if may_apply { button.btn.primary type="submit" disabled { (apply) } }
                            @else { p.muted { "To apply, you need the role edit on this space." } }
                        }
                    }
                }
            }
        };
        Page {
            title: "Conflicts".to_owned(),
            crumbs: vec![
                Crumb { title: content.space.title.clone(), href: content.place.of_space() },
                Crumb {
                    title: format!("#{} {}", change.number, subject(change)),
                    href: content.place.root(),
                },
            ],
            nav_label: "Space",
            nav: links(content, Some(At::Changes)),
            main,
            assets: &["review.css", "conflicts.css"],
            icons: parts.icons,
            frames: parts.frames,
            has_document: true,
            is_edited: true,
            ..Page::default()
        }
    }

    fn item(&self, item: &Item, index: usize, options: &Options<'_>, parts: &mut Parts) -> Markup {
        let frame = &self.content.frame;
        let heading = format!("workspace:conflict-{index}");
        let [of_ours, of_theirs] = &item.edits;
        let yours = |shown| self.side(["ours", "Yours", "Use yours"], of_ours.as_ref(), shown);
        let main = |shown| self.side(["theirs", "Main", "Use main"], of_theirs.as_ref(), shown);
        html! {
            details.conflict open data-conflict=(item.id) aria-labelledby=(heading) {
                summary {
                    h2 {
                        (frame.icon("triangle-alert", "open")) (frame.icon("circle-check", "merged"))
                        span id=(heading) { (item.heading) }
                        // The script names the chosen version.
                        span.chosen {}
                        (frame.icon("chevron-right", "turn"))
                    }
                }
                @match &item.question {
                    Question::Field { base, ours, theirs } => {
                        @if let Some(base) = base { details.base { summary { (BEFORE) } p { (base) } } }
                        div.sides {
                            (yours(html! { p { (ours) } }))
                            (main(html! { p { (theirs) } }))
                        }
                    }
                    Question::Blocks(blocks) => {
                        @let Blocks { base, ours, theirs, both } = &**blocks;
                        details.base { summary { (BEFORE) } (self.version(base, options, parts)) }
                        div.sides {
                            (yours(self.changed("ours", [base, ours], options, parts)))
                            (main(self.changed("theirs", [base, theirs], options, parts)))
                        }
                        div.result {
                            header {
                                h3 { "Result" }
                                button.btn type="button" data-take="both" aria-pressed="false" disabled { (frame.icon("check", "")) "Use both" }
                                button.btn type="button" data-edit="" disabled { (frame.icon("pencil", "")) "Edit" }
                            }
                            div.document data-result="" data-ours=(ours.json.to_string())
                                data-theirs=(theirs.json.to_string()) data-both=(both.to_string()) {
                                p.muted { "Choose a version first." }
                            }
                        }
                    }
                }
            }
        }
    }

    fn side(&self, [take, title, label]: [&str; 3], edit: Option<&LastEdit>, shown: Markup) -> Markup {
        html! {
            div.side-of role="group" aria-label=(title) {
                header {
                    h3 { (title) }
                    @if let Some(LastEdit { author, at, merged }) = edit {
                        p.muted {
                            "Last edit: " (author)
                            @if let Some(number) = merged { ", merged in #" (number) }
                            ", " (self.content.frame.ago(*at))
                        }
                    }
                }
                div { (shown) }
                // The script enables it, since it acts on a choice.
                button.btn type="button" data-take=(take) aria-pressed="false" disabled {
                    (self.content.frame.icon("check", "")) (label)
                }
            }
        }
    }

    /// Returns one side with its changes, and its blocks for the result.
    fn changed(
        &self,
        take: &str,
        [base, side]: [&Version; 2],
        options: &Options<'_>,
        parts: &mut Parts,
    ) -> Markup {
        let difference = DocumentDifference::between(&base.json, &side.json);
        let rendered = render_difference(&difference, DifferenceView::Inline, &self.resolved, options);
        parts.icons.extend(rendered.icons);
        html! {
            div.document { (PreEscaped(rendered.html)) }
            template data-version=(take) { (self.version(side, options, parts)) }
        }
    }

    fn version(&self, version: &Version, options: &Options<'_>, parts: &mut Parts) -> Markup {
        let rendered = render(&version.document, &self.resolved, options);
        parts.icons.extend(rendered.icons);
        parts.frames.extend(rendered.frame_hosts);
        html! {
            div.document {
                @if version.document.nodes.is_empty() { p.muted { "Removed" } }
                (PreEscaped(rendered.html))
            }
        }
    }
}
