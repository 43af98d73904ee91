//! Concurrent random work on one organization, followed by a recount of all counters and derived data.

use std::cell::RefCell;

use futures_util::future::join_all;
use quire_domain::Role;
use quire_storage::operations::check::{RULES, check_rule};
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

/// Number of concurrent users.
const WORKERS: u64 = 6;
/// Number of steps of each user.
const STEPS: usize = 60;

/// Reproducible pseudorandom numbers (SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
/// 2014).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % u64::try_from(sides).unwrap()).unwrap()
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() { None } else { from.get(self.roll(from.len())) }
    }
}

/// Resources that exist, or existed before another user removed or moved them.
#[derive(Default)]
struct Known {
    spaces: Vec<String>,
    collections: Vec<String>,
    /// Paths of change requests, comments and replies.
    change_requests: Vec<String>,
    comments: Vec<String>,
    replies: Vec<String>,
    /// Spaces, each with one of its pages.
    pages: Vec<(String, String)>,
}

struct Office {
    app: TestApp,
    organizations: [String; 2],
    /// Members who join and leave: their clients and addresses.
    guests: Vec<(Caller, String)>,
    known: RefCell<Known>,
}

impl Office {
    async fn open() -> (Self, Vec<Caller>) {
        let app = TestApp::start().await;
        let elsewhere = app.create_organization("Elsewhere");
        let mut workers = Vec::new();
        for _ in 0..WORKERS {
            let worker = app.as_role(Role::Admin);
            let joined: quire_storage::Result<()> =
                app.system.transact(|tx| tx.put_member(elsewhere, worker.user(), Some(Role::Admin)));
            joined.unwrap();
            workers.push(worker);
        }
        let mut guests = Vec::new();
        for _ in 0..3 {
            let guest = app.as_role(Role::Edit);
            let email = guest.get("/v1/user").await.expect(200).text("/email");
            guests.push((guest, email));
        }
        let organizations = [app.organization.to_string(), elsewhere.to_string()];
        (Self { app, organizations, guests, known: RefCell::default() }, workers)
    }

    fn one<T: Clone>(&self, dice: &mut Dice, of: impl Fn(&Known) -> &Vec<T>) -> Option<T> {
        dice.pick(of(&self.known.borrow())).cloned()
    }

    /// Records the resource that a response created.
    fn note(&self, answer: &Answer, into: impl FnOnce(&mut Known, String)) {
        if answer.status == 201 {
            into(&mut self.known.borrow_mut(), answer.text("/id"));
        }
    }

    /// Returns a parent for new content: a collection or the root.
    fn parent(&self, dice: &mut Dice) -> Value {
        if dice.roll(3) == 0 { Value::Null } else { json!(self.one(dice, |known| &known.collections)) }
    }

    /// Returns a position next to an existing space, so that moves often compete for the same position.
    fn position(&self, dice: &mut Dice) -> Value {
        match (dice.roll(3), self.one(dice, |known| &known.spaces)) {
            (0, Some(space)) => json!({"after": {"type": "space", "space": space}}),
            (1, Some(space)) => json!({"before": {"type": "space", "space": space}}),
            _ => json!({}),
        }
    }

    /// Sends one random request. Its resource may be deleted, or refuse the request.
    async fn step(&self, worker: &Caller, dice: &mut Dice) -> Option<Answer> {
        match dice.roll(14) {
            0 | 1 => self.make_place(worker, dice).await,
            2 | 3 => self.change_place(worker, dice).await,
            4 => self.end_place(worker, dice).await,
            5 | 6 => self.propose(worker, dice).await,
            7 | 8 => self.decide(worker, dice).await,
            9 => self.write(worker, dice).await,
            10 | 11 => self.discuss(worker, dice).await,
            12 => self.answer(worker, dice).await,
            _ => self.change_members(worker, dice).await,
        }
    }

    async fn make_place(&self, worker: &Caller, dice: &mut Dice) -> Option<Answer> {
        let organization = &self.organizations[usize::from(dice.roll(4) == 0)];
        if dice.roll(3) == 0 {
            let body = json!({"parent": self.parent(dice), "title": "Shelf"});
            let body = if body["parent"].is_null() { json!({"title": "Shelf"}) } else { body };
            let made = worker.post(&format!("/v1/orgs/{organization}/collections"), body).await;
            self.note(&made, |known, id| known.collections.push(id));
            return Some(made);
        }
        if dice.roll(4) == 0 {
            let space = self.one(dice, |known| &known.spaces)?;
            let made = worker.post_empty(&format!("/v1/spaces/{space}/duplicate")).await;
            self.note(&made, |known, id| known.spaces.push(id));
            return Some(made);
        }
        let parent = self.parent(dice);
        let body = if parent.is_null() { json!({}) } else { json!({"parent": parent}) };
        let made = worker.post(&format!("/v1/orgs/{organization}/spaces"), body).await;
        self.note(&made, |known, id| known.spaces.push(id));
        Some(made)
    }

    async fn change_place(&self, worker: &Caller, dice: &mut Dice) -> Option<Answer> {
        let (space, collection) =
            (self.one(dice, |known| &known.spaces), self.one(dice, |known| &known.collections));
        let moved = match dice.roll(2) {
            0 => json!({"parent": self.parent(dice), "position": self.position(dice)}),
            _ => json!({"position": self.position(dice)}),
        };
        let to = json!({"organization": self.organizations[dice.roll(2)]});
        Some(match dice.roll(7) {
            0..=2 => worker.post(&format!("/v1/spaces/{}/move", space?), moved).await,
            3 | 4 => worker.post(&format!("/v1/collections/{}/move", collection?), moved).await,
            5 => worker.post(&format!("/v1/spaces/{}/transfer", space?), to).await,
            _ => worker.post(&format!("/v1/collections/{}/transfer", collection?), to).await,
        })
    }

    async fn end_place(&self, worker: &Caller, dice: &mut Dice) -> Option<Answer> {
        let space = self.one(dice, |known| &known.spaces)?;
        let path = format!("/v1/spaces/{space}");
        Some(match dice.roll(4) {
            0 => worker.delete(&path).await,
            1 => {
                let collection = self.one(dice, |known| &known.collections)?;
                worker.delete(&format!("/v1/collections/{collection}")).await
            }
            2 => worker.patch(&path, json!({"title": "Named", "defaultLevel": "comment"})).await,
            _ => worker.post_empty(&format!("{path}/restore")).await,
        })
    }

    async fn propose(&self, worker: &Caller, dice: &mut Dice) -> Option<Answer> {
        if dice.roll(2) == 0 {
            let requests = format!("/v1/spaces/{}/change-requests", self.one(dice, |known| &known.spaces)?);
            let made = worker.post(&requests, json!({})).await;
            self.note(&made, |known, id| known.change_requests.push(format!("{requests}/{id}")));
            return Some(made);
        }
        let request = self.one(dice, |known| &known.change_requests)?;
        let page = json!({"operation": "insert_page", "title": "Proposed", "document": {"markdown": format!("Text {}", dice.roll(1_000))}});
        Some(worker.post(&format!("{request}/content"), json!({"changes": [page]})).await)
    }

    async fn decide(&self, worker: &Caller, dice: &mut Dice) -> Option<Answer> {
        let request = self.one(dice, |known| &known.change_requests)?;
        Some(match dice.roll(5) {
            0 => worker.post_empty(&format!("{request}/merge")).await,
            1 => worker.post(&format!("{request}/update"), json!({"strategy": "ours"})).await,
            number => {
                let status = ["draft", "open", "archived"][number - 2];
                worker.patch(&request, json!({"status": status})).await
            }
        })
    }

    /// Writes into the content of a space.
    async fn write(&self, worker: &Caller, dice: &mut Dice) -> Option<Answer> {
        if dice.roll(3) == 0
            && let Some((space, page)) = self.one(dice, |known| &known.pages)
        {
            let delete = json!({"operation": "delete_page", "page": page});
            return Some(
                worker.post(&format!("/v1/spaces/{space}/content"), json!({"changes": [delete]})).await,
            );
        }
        let space = self.one(dice, |known| &known.spaces)?;
        let page = json!({"operation": "insert_page", "title": "Page", "document": {"markdown": format!("# Text {}", dice.roll(1_000))}});
        let written = worker.post(&format!("/v1/spaces/{space}/content"), json!({"changes": [page]})).await;
        if let Some(page) = written.json.pointer("/pages/0/id").and_then(Value::as_str) {
            self.known.borrow_mut().pages.push((space, page.to_owned()));
        }
        Some(written)
    }

    async fn discuss(&self, worker: &Caller, dice: &mut Dice) -> Option<Answer> {
        if dice.roll(2) == 0 {
            let resource = match (dice.roll(2), self.one(dice, |known| &known.change_requests)) {
                (0, Some(request)) => request,
                _ => format!("/v1/spaces/{}", self.one(dice, |known| &known.spaces)?),
            };
            let comments = format!("{resource}/comments");
            let made = worker.post(&comments, json!({"body": {"markdown": "Hello."}})).await;
            self.note(&made, |known, id| known.comments.push(format!("{comments}/{id}")));
            return Some(made);
        }
        let comment = self.one(dice, |known| &known.comments)?;
        Some(match dice.roll(4) {
            0 => worker.delete(&comment).await,
            1 => worker.put(&comment, json!({"addedReactions": ["🚀"], "body": {"markdown": "Hm."}})).await,
            other => worker.put(&comment, json!({"resolved": other == 2})).await,
        })
    }

    async fn answer(&self, worker: &Caller, dice: &mut Dice) -> Option<Answer> {
        if dice.roll(2) == 0 {
            let replies = format!("{}/replies", self.one(dice, |known| &known.comments)?);
            let made = worker.post(&replies, json!({"body": {"markdown": "Yes."}})).await;
            self.note(&made, |known, id| known.replies.push(format!("{replies}/{id}")));
            return Some(made);
        }
        let reply = self.one(dice, |known| &known.replies)?;
        Some(match dice.roll(2) {
            0 => worker.delete(&reply).await,
            _ => worker.put(&reply, json!({"resolved": true, "removedReactions": ["🚀"]})).await,
        })
    }

    /// Lets members join and leave, and meanwhile grants them roles and requests their reviews.
    async fn change_members(&self, worker: &Caller, dice: &mut Dice) -> Option<Answer> {
        let (guest, email) = dice.pick(&self.guests)?;
        let user = guest.user();
        let organization = format!("/v1/orgs/{}", self.organizations[0]);
        Some(match dice.roll(4) {
            0 => worker.delete(&format!("{organization}/members/{user}")).await,
            1 => {
                let body = json!({"emails": [email], "role": "edit"});
                let invited = worker.post(&format!("{organization}/invites"), body).await;
                match invited.json.pointer("/invites/0/id").and_then(Value::as_str) {
                    Some(invite) => guest.post_empty(&format!("/v1/invites/{invite}/accept")).await,
                    None => invited,
                }
            }
            2 => {
                let space = self.one(dice, |known| &known.spaces)?;
                let grant = json!({"users": [user], "role": "review"});
                worker.post(&format!("/v1/spaces/{space}/permissions"), grant).await
            }
            _ => {
                let request = self.one(dice, |known| &known.change_requests)?;
                worker.post(&format!("{request}/requested-reviewers"), json!({"users": [user]})).await
            }
        })
    }

    async fn work(&self, worker: &Caller, seed: u64) -> Vec<u16> {
        let mut dice = Dice(seed);
        let mut statuses = Vec::new();
        for _ in 0..STEPS {
            let Some(answer) = self.step(worker, &mut dice).await else { continue };
            let status = answer.status.as_u16();
            assert!(status < 500, "{status}: {}", answer.json);
            statuses.push(status);
        }
        statuses
    }
}

/// Compares a space in the API with its lists and with a tree that is loaded again.
async fn recount_space(app: &TestApp, reader: &Caller, space: &str) {
    let path = format!("/v1/spaces/{space}");
    let shown = reader.get(&path).await;
    if shown.status == 404 || shown.json.get("deletedAt").is_some() {
        return;
    }
    for (counter, list) in [
        ("/comments", "comments?status=open"),
        ("/changeRequestsOpen", "change-requests?status=open"),
        ("/changeRequestsDraft", "change-requests?status=draft"),
    ] {
        let list = reader.get(&format!("{path}/{list}")).await.expect(200);
        assert_eq!(shown.at(counter), list.at("/count"), "{path} {counter}");
    }
    let tree = app.content(space, reader);
    let words = reader.get(&format!("{path}/search?query=text&limit=1000")).await.expect(200);
    let with_text = tree.pages().filter(|page| page.document.is_some()).count();
    assert_eq!(words.at("/count"), with_text, "the pages of {path} with a text");
}

#[actix_web::test]
async fn after_all_work_of_many_at_once_every_counter_equals_a_recount() {
    let (office, workers) = Office::open().await;
    for worker in workers.iter().take(2) {
        for _ in 0..2 {
            let made = office.make_place(worker, &mut Dice(7)).await.unwrap();
            assert_eq!(made.status, 201);
        }
    }
    let work = workers.iter().zip(1..).map(|(worker, seed)| office.work(worker, seed));
    let statuses: Vec<u16> = join_all(work).await.into_iter().flatten().collect();
    let done = statuses.iter().filter(|status| **status < 300).count();
    // About half of the steps succeed, depending on the interleaving.
    assert!(done > statuses.len() / 3, "only {done} of {} steps did something: {statuses:?}", statuses.len());
    let mut snapshot = office.app.store.snapshot();
    for rule in &RULES {
        let mut wrong = Vec::new();
        check_rule(&mut snapshot, rule, |line| wrong.push(line.to_owned())).unwrap();
        assert!(wrong.is_empty(), "{}: {wrong:#?}", rule.name);
    }
    let spaces = office.known.borrow().spaces.clone();
    for space in &spaces {
        recount_space(&office.app, &workers[0], space).await;
    }
}
