//! Positions in streams, and the events between two of them.

use std::str::FromStr;

use quire_domain::change_requests::Status;
use quire_domain::events::{CommentsEvent, ContentEvent, Event, OutdatedEvent, ReviewsEvent, StatusEvent};
use quire_domain::ids::RevisionId;
use quire_storage::operations::events::{CommentState, HeadState, InboxState, RequestState};
use serde::Deserialize as _;
use serde::de::IntoDeserializer;
use serde::de::value::Error as WordError;

/// Position in a stream: the state that the client has. Nodes therefore store no events, and a client may reconnect to
/// any node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Position {
    pub(super) head: Option<HeadPosition>,
    pub(super) inbox: Option<InboxState>,
}

impl Position {
    pub(super) fn new(head: Option<&HeadState>, inbox: Option<InboxState>) -> Self {
        Self { head: head.map(HeadPosition::of), inbox }
    }
}

/// Formats the position as an event id.
impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(head) = &self.head {
            write!(f, "{head}")?;
        }
        let Some(InboxState { newest, unread }) = self.inbox else { return Ok(()) };
        write!(f, "~{unread}")?;
        newest.map_or(Ok(()), |newest| write!(f, ".{newest}"))
    }
}

impl FromStr for Position {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (head, inbox) = match text.split_once('~') {
            Some((head, inbox)) => (head, Some(inbox)),
            None => (text, None),
        };
        let inbox = inbox.map(|inbox| {
            let (unread, newest) = match inbox.split_once('.') {
                Some((unread, newest)) => (unread, Some(newest)),
                None => (inbox, None),
            };
            let newest = newest.map(str::parse).transpose().map_err(drop)?;
            Ok(InboxState { newest, unread: unread.parse().map_err(drop)? })
        });
        let inbox = inbox.transpose()?;
        let head = if head.is_empty() && inbox.is_some() { None } else { Some(head.parse()?) };
        Ok(Self { head, inbox })
    }
}

/// State of a head that the client has, without the users who are present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HeadPosition {
    revision: RevisionId,
    comments: CommentState,
    change_request: Option<RequestState>,
}

impl HeadPosition {
    fn of(state: &HeadState) -> Self {
        Self { revision: state.revision, comments: state.comments, change_request: state.change_request }
    }

    /// Returns the events that lead from an earlier position to this one; all events without an earlier position.
    pub(super) fn since(&self, before: Option<&Self>) -> Vec<Event> {
        let mut events = Vec::new();
        if before.is_none_or(|before| before.revision != self.revision) {
            events.push(Event::Content(ContentEvent { revision: self.revision }));
        }
        if before.is_none_or(|before| before.comments != self.comments) {
            let CommentState { open, resolved, changes } = self.comments;
            events.push(Event::Comments(CommentsEvent { open, resolved, changes }));
        }
        let Some(now) = self.change_request else { return events };
        let before = before.and_then(|before| before.change_request);
        let differs =
            |same: fn(&RequestState, &RequestState) -> bool| before.is_none_or(|before| !same(&before, &now));
        if differs(|a, b| (a.reviews, a.reviewers) == (b.reviews, b.reviewers)) {
            let RequestState { reviews, reviewers, .. } = now;
            events.push(Event::Reviews(ReviewsEvent { reviews, requested_reviewers: reviewers }));
        }
        if differs(|a, b| a.status == b.status) {
            events.push(Event::Status(StatusEvent { status: now.status }));
        }
        if differs(|a, b| a.outdated == b.outdated) {
            events.push(Event::Outdated(OutdatedEvent { outdated: now.outdated }));
        }
        events
    }
}

impl std::fmt::Display for HeadPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let CommentState { open, resolved, changes } = self.comments;
        write!(f, "{}.{open}.{resolved}.{changes}", self.revision)?;
        match self.change_request {
            Some(RequestState { status, outdated, reviews, reviewers }) => {
                write!(f, ".{}.{}.{reviews}.{reviewers}", status.as_str(), u8::from(outdated))
            }
            None => Ok(()),
        }
    }
}

impl FromStr for HeadPosition {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        fn number<T: FromStr>(part: Option<&str>) -> Result<T, ()> {
            part.and_then(|part| part.parse().ok()).ok_or(())
        }
        let mut parts = text.split('.');
        let revision = number(parts.next())?;
        let comments = CommentState {
            open: number(parts.next())?,
            resolved: number(parts.next())?,
            changes: number(parts.next())?,
        };
        let change_request = match parts.next() {
            None => None,
            Some(status) => {
                let status = IntoDeserializer::<WordError>::into_deserializer(status);
                let status = Status::deserialize(status).map_err(drop)?;
                let outdated: u8 = number(parts.next())?;
                let (reviews, reviewers) = (number(parts.next())?, number(parts.next())?);
                Some(RequestState { status, outdated: outdated == 1, reviews, reviewers })
            }
        };
        parts.next().is_none().then_some(Self { revision, comments, change_request }).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(change_request: Option<RequestState>) -> HeadPosition {
        let revision = "01890000-0000-7000-8000-000000000000".parse().unwrap();
        HeadPosition { revision, comments: CommentState { open: 2, resolved: 1, changes: 7 }, change_request }
    }

    fn request() -> HeadPosition {
        position(Some(RequestState { status: Status::Open, outdated: false, reviews: 1, reviewers: 2 }))
    }

    fn names(events: &[Event]) -> Vec<&'static str> {
        events.iter().map(Event::name).collect()
    }

    #[test]
    fn a_position_is_read_as_it_was_written() {
        for position in [position(None), request()] {
            assert_eq!(position.to_string().parse(), Ok(position));
        }
        let newest = Some("01890000-0000-7000-8000-000000000001".parse().unwrap());
        let inboxes = [(None, 0), (newest, 2)].map(|(newest, unread)| InboxState { newest, unread });
        let inboxes = [None].into_iter().chain(inboxes.map(Some));
        for (head, inbox) in inboxes.flat_map(|inbox| [(None, inbox), (Some(request()), inbox)]) {
            let position = Position { head, inbox };
            let read = if position == Position::default() { Err(()) } else { Ok(position) };
            assert_eq!(position.to_string().parse(), read);
        }
        for wrong in ["~", "~x", "~1.x", "x~1", &format!("{}~1~1", request())] {
            assert_eq!(wrong.parse::<Position>(), Err(()), "{wrong}");
        }
        let written = request().to_string();
        for wrong in ["", "x", &written.replace("open", "closed"), &format!("{written}.1"), &written[1..]] {
            assert_eq!(wrong.parse::<HeadPosition>(), Err(()), "{wrong}");
        }
    }

    #[test]
    fn the_events_between_two_positions_are_of_what_differs() {
        assert_eq!(names(&position(None).since(None)), ["content", "comments"]);
        assert_eq!(names(&request().since(None)), ["content", "comments", "reviews", "status", "outdated"]);
        assert_eq!(names(&request().since(Some(&request()))), [""; 0]);
        let mut later = request();
        later.comments.changes += 1;
        let state = RequestState { status: Status::Merged, outdated: false, reviews: 2, reviewers: 2 };
        later.change_request = Some(state);
        assert_eq!(names(&later.since(Some(&request()))), ["comments", "reviews", "status"]);
    }
}
