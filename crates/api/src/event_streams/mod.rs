//! Event streams.
//!
//! While streams are open, one task of the node reads the states of all watched heads, with one statement per second,
//! and passes them to the streams. A stream compares the new state with the state of its client and sends the
//! differences. It holds one state, however slowly its client reads, and no database connection. Decision 40 has the
//! reasons.

mod position;

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix_web::web::Bytes;
use futures_util::{Stream, stream};
use quire_domain::bounds::EVENT_STREAMS_MAX;
use quire_domain::error::Reason;
use quire_domain::events::{Event, ImportEvent, InboxEvent, PresenceEvent, PresentUser};
use quire_domain::ids::{ChangeRequestId, SpaceId, UserId};
use quire_domain::policy::Action;
use quire_storage::content::imports::ImportKey;
use quire_storage::lookup::{Credentials, SpaceKey};
use quire_storage::operations::events::{HeadState, ImportStep, InboxState, Subjects, WatchedHead};
use quire_storage::operations::presences::Presence;
use serde::Serialize;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

use crate::error::{ApiError, ApiResult};
use crate::present;
use crate::state::State;

pub(crate) use position::Position;

/// Interval between two reads of the watched heads.
const TICK: Duration = Duration::from_secs(1);
/// Interval between two reads while a stream follows an import, whose progress is recorded twice a second.
const IMPORT_TICK: Duration = Duration::from_millis(250);
/// Time without an event after which a comment is sent, so that proxies keep the connection.
const QUIET: Duration = Duration::from_secs(20);
/// `Retry-After` for a user who has too many streams.
const FULL: Duration = Duration::from_secs(20);
/// Maximum number of streams of a node. Each uses some kilobytes.
const STREAMS: usize = 10_000;
/// Comment line, which clients ignore.
const COMMENT: &str = ":\n\n";
/// Reconnection time of clients, in milliseconds.
const RETRY: &str = "retry: 2000\n\n";

/// Latest state for a stream; `None` ends the stream.
type Seen = Option<Observed>;

/// State of the subjects of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Observed {
    /// State of the head. `None` for a stream without a head.
    pub(crate) head: Option<Arc<HeadState>>,
    /// State of the inbox. `None` for a stream without an inbox.
    pub(crate) inbox: Option<InboxState>,
    /// State of the import. `None` for a stream without an import.
    pub(crate) import: Option<ImportStep>,
}

/// Open streams of a node.
#[derive(Clone, Default)]
pub(crate) struct EventStreams(Arc<Mutex<Streams>>);

#[derive(Default)]
struct Streams {
    open: HashMap<u64, Watcher>,
    users: HashMap<UserId, usize>,
    next: u64,
    is_read: bool,
    /// Notified when a stream that follows an import opens, because the next read is then due earlier.
    follows: Arc<Notify>,
}

struct Watcher {
    head: Option<WatchedHead>,
    /// User whose inbox the stream follows.
    inbox: Option<UserId>,
    import: Option<ImportKey>,
    caller: Credentials,
    seen: watch::Sender<Seen>,
}

/// Subjects of a stream that the caller may watch, with their state.
pub(crate) struct Opened {
    /// Head.
    pub(crate) head: Option<WatchedHead>,
    /// Import.
    pub(crate) import: Option<ImportKey>,
    /// User id of the caller.
    pub(crate) user: UserId,
    /// State of the subjects.
    pub(crate) observed: Observed,
    /// Number of unread entries in the caller's inbox. `None` for a stream without an inbox.
    pub(crate) unread: Option<u64>,
}

impl EventStreams {
    fn lock(&self) -> MutexGuard<'_, Streams> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a stream. It continues from the position of a client that reconnects.
    ///
    /// # Errors
    /// 429 if the user has too many streams, 503 if the node has too many.
    pub(crate) fn open(
        &self,
        state: &State,
        life: Duration,
        caller: Credentials,
        Opened { head, import, user, observed: first, unread }: Opened,
        last: Option<Position>,
    ) -> ApiResult<EventStream> {
        let mut streams = self.lock();
        if streams.users.get(&user).is_some_and(|open| *open >= EVENT_STREAMS_MAX) {
            return Err(ApiError::rate_limited(FULL).with_message(format!(
                "A user can have at most {EVENT_STREAMS_MAX} event streams. Close one first."
            )));
        }
        if streams.open.len() >= STREAMS {
            return Err(ApiError::new(Reason::Unavailable));
        }
        let (seen, states) = watch::channel(Some(first.clone()));
        let inbox = unread.map(|_| user);
        if import.is_some() {
            streams.follows.notify_one();
        }
        let number = streams.next;
        streams.next = number.wrapping_add(1);
        streams.open.insert(number, Watcher { head, inbox, import, caller, seen });
        let count = streams.users.entry(user).or_default();
        *count = count.saturating_add(1);
        if !streams.is_read {
            streams.is_read = true;
            actix_web::rt::spawn(read_heads(self.clone(), state.clone()));
        }
        drop(streams);
        let now = Instant::now();
        Ok(EventStream {
            registered: Registered { streams: self.clone(), number, user },
            state: state.clone(),
            head,
            import,
            caller,
            states,
            sent: last.map(|position| Sent { position, presence: None, import: None }),
            first: Some((first, unread)),
            ends: now + life,
            quiet: now + QUIET,
        })
    }

    /// Returns the subjects of all streams, with the number of the next stream; `None` if no stream is open, after
    /// which the task ends.
    fn watched(&self) -> Option<(Subjects, u64)> {
        let mut streams = self.lock();
        if streams.open.is_empty() {
            streams.is_read = false;
            return None;
        }
        let subjects = Subjects {
            heads: once(streams.open.values().filter_map(|watcher| watcher.head)),
            inboxes: once(streams.open.values().filter_map(|watcher| watcher.inbox)),
            imports: once(streams.open.values().filter_map(|watcher| watcher.import)),
            tokens: once(streams.open.values().map(|watcher| watcher.caller)),
        };
        Some((subjects, streams.next))
    }

    /// Returns the time until the next read.
    fn tick(&self) -> Duration {
        let follows_import = self.lock().open.values().any(|watcher| watcher.import.is_some());
        if follows_import { IMPORT_TICK } else { TICK }
    }

    /// Passes states to the streams. Streams without a state end: their head is deleted or their token is invalid.
    /// Streams from number `next` on were opened after the states were read, and have newer ones.
    fn deliver(&self, next: u64, state_of: impl Fn(&Watcher) -> Seen) {
        for (_, watcher) in self.lock().open.iter().filter(|(number, _)| **number < next) {
            let state = state_of(watcher);
            watcher.seen.send_if_modified(|seen| {
                let is_new = *seen != state;
                *seen = state;
                is_new
            });
        }
    }
}

/// Returns the distinct values.
fn once<T: Eq + Hash>(values: impl Iterator<Item = T>) -> Vec<T> {
    values.collect::<HashSet<T>>().into_iter().collect()
}

/// Reads the watched heads at each tick until no stream is open.
async fn read_heads(streams: EventStreams, state: State) {
    let follows = streams.lock().follows.clone();
    let mut read_at = Instant::now();
    loop {
        tokio::select! {
            () = tokio::time::sleep_until(read_at + streams.tick()) => {}
            () = follows.notified() => continue,
        }
        read_at = Instant::now();
        let Some((subjects, next)) = streams.watched() else { return };
        if state.is_draining() {
            streams.deliver(next, |_| None);
            continue;
        }
        let heads = subjects.heads.clone();
        let read = state.read(Credentials::ANONYMOUS, move |reader| Ok(reader.watch(&subjects)?)).await;
        // While the database is unavailable, streams stay open. The next successful read brings them up to date.
        let Ok(mut watched) = read else { continue };
        let states = std::mem::take(&mut watched.heads).into_iter().map(|state| state.map(Arc::new));
        let states: HashMap<WatchedHead, Option<Arc<HeadState>>> = heads.into_iter().zip(states).collect();
        streams.deliver(next, |watcher| {
            if !watched.is_valid(&watcher.caller) {
                return None;
            }
            let head = watcher.head.map(|head| states.get(&head).cloned().flatten());
            let inbox = watcher.inbox.map(|user| watched.inboxes.get(&user).copied().unwrap_or_default());
            let import = watcher.import.map(|key| watched.imports.get(&key.import).copied());
            match (head, import) {
                (Some(None), _) | (_, Some(None)) => None,
                (head, import) => Some(Observed { head: head.flatten(), inbox, import: import.flatten() }),
            }
        });
    }
}

/// Registration of an open stream, which ends when it is dropped.
struct Registered {
    streams: EventStreams,
    number: u64,
    user: UserId,
}

impl Drop for Registered {
    fn drop(&mut self) {
        let mut streams = self.streams.lock();
        streams.open.remove(&self.number);
        if let Some(count) = streams.users.get_mut(&self.user) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                streams.users.remove(&self.user);
            }
        }
    }
}

/// Event stream to one client.
pub(crate) struct EventStream {
    registered: Registered,
    state: State,
    head: Option<WatchedHead>,
    import: Option<ImportKey>,
    caller: Credentials,
    states: watch::Receiver<Seen>,
    /// State that the client has; `None` before the first event.
    sent: Option<Sent>,
    /// State at the opening with the number of unread entries; `None` once sent.
    first: Option<(Observed, Option<u64>)>,
    ends: Instant,
    quiet: Instant,
}

/// State that the client has.
struct Sent {
    position: Position,
    /// Users who are present. `None` before the first event of this connection.
    presence: Option<Vec<Presence>>,
    /// State of the import. `None` before the first event of this connection.
    import: Option<ImportStep>,
}

impl EventStream {
    /// Returns the body of the response.
    pub(crate) fn into_stream(self) -> impl Stream<Item = ApiResult<Bytes>> {
        stream::unfold(self, |mut events| async move {
            let bytes = events.next().await?;
            Some((Ok(bytes), events))
        })
    }

    /// Returns the next bytes; `None` at the end of the stream.
    async fn next(&mut self) -> Option<Bytes> {
        if let Some((state, unread)) = self.first.take() {
            // The caller was authorized when the stream was opened.
            return Some(Bytes::from(format!("{RETRY}{}", self.events(&state, unread))));
        }
        loop {
            let now = Instant::now();
            if now >= self.ends {
                return None;
            }
            let quiet = tokio::time::sleep_until(self.quiet.min(self.ends));
            tokio::select! {
                changed = self.states.changed() => changed.ok()?,
                () = quiet => {
                    self.quiet = Instant::now() + QUIET;
                    return Some(Bytes::from_static(COMMENT.as_bytes()));
                }
            }
            let state = self.states.borrow_and_update().clone()?;
            // If authorization fails for any reason, the stream ends. The client reconnects from its last position.
            self.authorize().await.ok()?;
            let unread = self.unread(&state).await.ok()?;
            let events = self.events(&state, unread);
            if !events.is_empty() {
                self.quiet = Instant::now() + QUIET;
                return Some(Bytes::from(events));
            }
        }
    }

    /// Checks that the caller may still see the space, and its imports if the stream follows one.
    async fn authorize(&self) -> ApiResult<()> {
        let Some(head) = self.head else { return Ok(()) };
        let key = SpaceKey { credentials: self.caller, space: head.space };
        let action = if self.import.is_some() { Action::ViewImports } else { Action::ViewSpace };
        self.state.space(key).await?.authorize(action)?;
        Ok(())
    }

    /// Returns the number of unread entries that the caller may see; `None` if the inbox has not changed.
    async fn unread(&self, state: &Observed) -> ApiResult<Option<u64>> {
        let sent = self.sent.as_ref().and_then(|sent| sent.position.inbox);
        if state.inbox.is_none() || sent == state.inbox {
            return Ok(None);
        }
        self.state.read(self.caller, |reader| Ok(Some(reader.unread_in_inbox()?))).await
    }

    /// Returns the events that bring the client to a state, as text.
    fn events(&mut self, state: &Observed, unread: Option<u64>) -> String {
        let position = Position::new(state.head.as_deref(), state.inbox);
        let sent = self.sent.as_ref();
        let before = sent.map(|sent| &sent.position);
        let mut events = match position.head {
            Some(head) => head.since(before.and_then(|before| before.head.as_ref())),
            None => Vec::new(),
        };
        if before.and_then(|before| before.inbox) != position.inbox {
            events.extend(unread.map(|unread| Event::Inbox(InboxEvent { unread })));
        }
        let mut text = String::new();
        let last = events.len().saturating_sub(1);
        for (index, event) in events.iter().enumerate() {
            // Only the last event has an id, so a client that received some of the events gets all of them again.
            let id = (index == last).then(|| position.to_string());
            text.push_str(&self.written(event, id.as_deref()));
        }
        let presence = state.head.as_ref().map(|head| self.others(head)).unwrap_or_default();
        let is_present = sent.and_then(|sent| sent.presence.as_ref()) != Some(&presence);
        if self.head.is_some() && is_present {
            let urls = &self.state.urls;
            let users = presence.iter().map(|presence| PresentUser {
                user: present::user(urls, &presence.user),
                page: presence.location.page,
                block: presence.location.block.clone(),
                typing: presence.location.typing,
            });
            text.push_str(&self.written(&Event::Presence(PresenceEvent { users: users.collect() }), None));
        }
        let step = state.import.filter(|step| sent.and_then(|sent| sent.import) != Some(*step));
        if let (Some(ImportStep { state, phase, progress }), Some(key)) = (step, self.import) {
            let event = ImportEvent { import: key.import, status: state, phase, progress };
            text.push_str(&self.written(&Event::Import(event), None));
        }
        self.sent = Some(Sent { position, presence: Some(presence), import: state.import });
        text
    }

    /// Returns the other users who have the content of a head open.
    fn others(&self, state: &HeadState) -> Vec<Presence> {
        let user = self.registered.user;
        state.presence.iter().filter(|presence| presence.user.id() != Some(user)).cloned().collect()
    }

    fn written(&self, event: &Event, id: Option<&str>) -> String {
        let head = match event {
            Event::Inbox(_) => None,
            _ => self.head,
        };
        let (space, change_request) =
            (head.map(|head| head.space), head.and_then(|head| head.change_request));
        let data = serde_json::to_string(&Data { space, change_request, event }).unwrap_or_default();
        let id = id.map(|id| format!("id: {id}\n")).unwrap_or_default();
        format!("event: {}\n{id}data: {data}\n\n", event.name())
    }
}

/// Data of an event, with the space and change request of the stream.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<SpaceId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change_request: Option<ChangeRequestId>,
    #[serde(flatten)]
    event: &'a Event,
}
