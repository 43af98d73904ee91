//! Weights of cached values approximate their memory.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test that can't go on can only fail")]

use peak_alloc::PeakAlloc;
use quire_domain::Role;
use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, OpenApiSpecVersionId};
use quire_domain::policy::Action;
use quire_storage::content::openapi_specs::{Outline, OutlinePage, PageKind};
use quire_storage::content::store::{Analysis, AnalyzedDocument, ContentSelector, SectionFact};
use quire_storage::{Error, Reader, Storage};
use quire_test_support::{TestStore, TestUser};
use uuid::Uuid;

/// Counter of allocated bytes.
#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// Returns a typical documentation page: headings, prose, links to other pages and external links.
fn markdown(number: usize, links: &[String]) -> String {
    let mut text = String::new();
    for section in 0..6 {
        let link = links.get((number * 7 + section) % links.len().max(1)).map_or("/", String::as_str);
        text.push_str(&format!(
            "## Step {section} of part {number}\n\nStart the service, [read on]({link}) and watch what it \
             does. It stops by itself, see [the list](https://example.com/lists/{number}/{section}).\n\n"
        ));
    }
    text
}

/// Checks that `work` allocates about as much as `weight`.
fn check(name: &str, held: usize, weight: u64) {
    let weight = usize::try_from(weight).unwrap();
    println!("{name}: {held} bytes are held, {weight} are weighed");
    assert!(weight * 10 <= held * 13 && held * 10 <= weight * 13, "{name}: {held} held, {weight} weighed");
}

fn read<T>(storage: &Storage, user: &TestUser, work: impl Fn(&mut Reader<'_>) -> Result<T, Error>) -> T {
    storage.read(&user.credentials, work).unwrap()
}

/// Returns the bytes that `work` leaves allocated after the caches' maintenance, which frees outgrown tables.
fn held(storage: &Storage, work: impl FnOnce()) -> usize {
    let before = ALLOCATED.current_usage();
    work();
    // Reading the sizes runs the caches' maintenance, which would otherwise run at an unknown time.
    let _ = storage.cache_sizes();
    ALLOCATED.current_usage().saturating_sub(before)
}

/// A single test, because concurrent tests would allocate at the same time.
#[test]
fn cached_values_weigh_what_they_hold() {
    outlines();
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let space = store.create_space(&admin.credentials, "Guide");
    let main = ContentSelector::Space;
    store.edit(&admin.credentials, space, main, |draft| {
        draft.pages(1_000, |number, before| {
            let links: Vec<String> = before.iter().rev().take(40).map(|id| format!("/pages/{id}")).collect();
            markdown(number, &links)
        })
    });
    let ids: Vec<_> =
        store.tree(&admin.credentials, space, main).pages().filter_map(|page| page.document).collect();
    let node = store.another_node();
    let storage = node.storage();
    let content = read(storage, &admin, |reader| reader.content(space, main)?.authorize(Action::ViewSpace));
    let trees = held(storage, || drop(read(storage, &admin, |reader| reader.tree(&content))));
    check("trees", trees, storage.cache_sizes().trees);
    let documents = held(storage, || drop(read(storage, &admin, |reader| reader.documents(&content, &ids))));
    check("documents", documents, storage.cache_sizes().documents);
    let tree = read(storage, &admin, |reader| reader.tree(&content));
    let links = held(storage, || read(storage, &admin, |reader| reader.load_links(&content, &tree)));
    check("links", links, storage.cache_sizes().links);
    let sections = held(storage, || storage.remember(&(0..1_000).map(sections).collect::<Vec<_>>()));
    check("sections", sections, storage.cache_sizes().sections);
}

/// Returns a text without spare capacity, like texts from the database.
fn exact(text: String) -> String {
    text.into_boxed_str().into_string()
}

/// Returns a new document with sections.
fn sections(number: usize) -> AnalyzedDocument {
    let section = |section: usize| SectionFact {
        anchor: Some(exact(format!("step-{section}-of-part-{number}"))),
        heading: Some(exact(format!("Step {section} of part {number}"))),
        text: "Start the service, read on and watch what it does. It stops by itself.".repeat(3),
    };
    let mut id = [0; 32];
    id[..8].copy_from_slice(&u64::try_from(number).unwrap().to_be_bytes());
    let analysis = Analysis { sections: (0..8).map(section).collect(), ..Analysis::default() };
    AnalyzedDocument::new(DocumentId::from_bytes(id), DocumentJson::new("{}".to_owned()).unwrap(), analysis)
}

fn outlines() {
    let page = |number: usize| OutlinePage {
        parent: None,
        kind: PageKind::Operation,
        pointer: exact(format!("paths/~1pets~1{number}/get")),
        title: exact(format!("Find pet {number}")),
        slug: exact(format!("find-pet-{number}")),
        description: Some(exact(format!("Returns the pet with the number {number}."))),
        icon: None,
    };
    let before = ALLOCATED.current_usage();
    let outline = Outline::new(OpenApiSpecVersionId::from_uuid(Uuid::nil()), (0..3_000).map(page).collect());
    let held = ALLOCATED.current_usage() - before;
    check("an outline", held, u64::try_from(outline.approximate_bytes()).unwrap());
}
