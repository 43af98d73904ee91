//! Bound on the memory for response bytes that clients have not received yet (`docs/adr/0027-unread-bytes.md`).

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::web::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes of a stream that are read at once if no memory is available. A connection asks for more bytes when fewer than
/// these wait in its buffer.
pub const PIECE: usize = 16 << 10;
/// Bytes that are passed to a connection at once, and bytes of a stream that are read at once if memory is available.
/// The connection keeps a copy until its client receives them. Each piece is a system call: with 16 KiB, answers of 120
/// KiB were a fifth slower.
pub(crate) const CHUNK: usize = 64 << 10;
/// Maximum size of a whole body that is not counted. It is passed to the connection at once, so the copy in the buffer
/// replaces it.
const UNCOUNTED: usize = CHUNK;

/// Memory budget for the unsent bytes of all responses of this node. Chunks of streams use at most half of it, so that
/// file downloads cannot exhaust it.
pub struct UnreadBudget {
    all: Arc<Semaphore>,
    /// Memory budget for whole bodies, in bytes.
    most: usize,
    streams: Arc<Semaphore>,
}

/// Bytes with their memory reservation, which is released when the last copy is dropped.
struct ReservedBytes {
    bytes: Bytes,
    _reserved: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for ReservedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl UnreadBudget {
    /// Creates a budget of this many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let bytes = bytes.min(Semaphore::MAX_PERMITS);
        let most = bytes.div_ceil(2);
        Self {
            all: Arc::new(Semaphore::new(most)),
            most,
            streams: Arc::new(Semaphore::new(bytes.div_euclid(2))),
        }
    }

    /// Reserves memory for the next chunk of a stream. Without enough memory, the stream continues in small pieces
    /// without a reservation, so that slow clients do not stop others.
    pub(crate) fn of_chunk(&self) -> Chunk {
        Chunk(reserve(&self.streams, CHUNK))
    }

    /// Reserves memory for a whole body until it was sent; `None` if there is not enough memory. Short bodies and
    /// bodies held by a cache are not counted. A body larger than the budget takes all of it, so it is sent when no
    /// other body waits.
    fn of_body(&self, bytes: Bytes) -> Option<Bytes> {
        if bytes.len() <= UNCOUNTED || !bytes.is_unique() {
            return Some(bytes);
        }
        let reserved = reserve(&self.all, bytes.len().min(self.most))?;
        Some(Bytes::from_owner(ReservedBytes { bytes, _reserved: reserved }))
    }
}

fn reserve(semaphore: &Arc<Semaphore>, bytes: usize) -> Option<OwnedSemaphorePermit> {
    Arc::clone(semaphore).try_acquire_many_owned(u32::try_from(bytes).ok()?).ok()
}

/// Memory for one chunk of a stream.
pub(crate) struct Chunk(Option<OwnedSemaphorePermit>);

impl Chunk {
    /// Returns the number of bytes to read.
    pub(crate) fn length(&self) -> usize {
        if self.0.is_some() { CHUNK } else { PIECE }
    }

    /// Ties the reservation to the bytes that were read.
    pub(crate) fn holds(self, bytes: Bytes) -> Bytes {
        match self.0 {
            Some(reserved) => Bytes::from_owner(ReservedBytes { bytes, _reserved: reserved }),
            None => bytes,
        }
    }
}

/// Response body that is passed to its connection in pieces. actix-web copies each piece into the buffer of the
/// connection, and requests the next when the buffer has room.
pub struct Paced {
    size: BodySize,
    /// Rest of the last chunk of the body.
    rest: Bytes,
    body: BoxBody,
}

impl Paced {
    /// Wraps a body and counts it in `budget`; `None` if there is not enough memory.
    pub(crate) fn of(body: BoxBody, budget: Option<&UnreadBudget>) -> Option<Self> {
        let size = body.size();
        Some(match body.try_into_bytes() {
            Ok(bytes) => {
                let rest = match budget {
                    Some(budget) => budget.of_body(bytes)?,
                    None => bytes,
                };
                Self { size, rest, body: BoxBody::new(()) }
            }
            Err(body) => Self { size, rest: Bytes::new(), body },
        })
    }
}

impl From<BoxBody> for Paced {
    fn from(body: BoxBody) -> Self {
        Self { size: body.size(), rest: Bytes::new(), body }
    }
}

impl MessageBody for Paced {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        self.size
    }

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let paced = self.get_mut();
        while paced.rest.is_empty() {
            match ready!(Pin::new(&mut paced.body).poll_next(cx)) {
                Some(Ok(bytes)) => paced.rest = bytes,
                end => return Poll::Ready(end),
            }
        }
        let length = paced.rest.len().min(CHUNK);
        Poll::Ready(Some(Ok(paced.rest.split_to(length))))
    }

    fn try_into_bytes(self) -> Result<Bytes, Self> {
        match self.size {
            BodySize::Sized(size) if u64::try_from(self.rest.len()) == Ok(size) => Ok(self.rest),
            _ => Err(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::Error;
    use actix_web::body::SizedStream;
    use futures_util::{future, stream};

    use super::*;

    fn length(bytes: usize) -> u64 {
        u64::try_from(bytes).unwrap()
    }

    async fn pieces(mut body: Paced) -> Vec<usize> {
        let mut pieces = Vec::new();
        while let Some(piece) = future::poll_fn(|cx| Pin::new(&mut body).poll_next(cx)).await {
            pieces.push(piece.unwrap().len());
        }
        pieces
    }

    #[actix_web::test]
    async fn bodies_are_passed_on_in_pieces() {
        let whole = Paced::of(BoxBody::new(vec![0; 2 * CHUNK + 1]), None).unwrap();
        assert_eq!(whole.size(), BodySize::Sized(length(2 * CHUNK + 1)));
        assert_eq!(pieces(whole).await, [CHUNK, CHUNK, 1]);
        let parts = [CHUNK + 2, 0, 3].map(|bytes| Ok::<_, Error>(Bytes::from(vec![0; bytes])));
        let streamed = SizedStream::new(length(CHUNK + 5), stream::iter(parts));
        let streamed = Paced::of(BoxBody::new(streamed), None).unwrap();
        assert_eq!(pieces(streamed).await, [CHUNK, 2, 3]);
        assert_eq!(pieces(Paced::of(BoxBody::new(()), None).unwrap()).await, [0; 0]);
    }

    #[actix_web::test]
    async fn unread_bodies_share_the_memory_and_release_it() {
        let budget = UnreadBudget::new(8 * UNCOUNTED);
        let of = |bytes: usize| Paced::of(BoxBody::new(Bytes::from(vec![0; bytes])), Some(&budget));
        assert!(of(9 * UNCOUNTED).is_some(), "one that is larger than the memory is sent alone");
        let (first, second) = (of(3 * UNCOUNTED), of(3 * UNCOUNTED));
        assert!(first.is_some() && second.is_none());
        assert!(of(UNCOUNTED).is_some(), "short bodies are not counted");
        let cached = Bytes::from(vec![0; 3 * UNCOUNTED]);
        assert!(Paced::of(BoxBody::new(cached.clone()), Some(&budget)).is_some());
        assert_eq!(pieces(first.unwrap()).await.len(), 3);
        assert!(of(3 * UNCOUNTED).is_some());
    }

    #[test]
    fn streams_go_on_in_small_pieces_without_memory() {
        let budget = UnreadBudget::new(4 * CHUNK);
        let held: Vec<Bytes> = (0..2)
            .map(|_| {
                let chunk = budget.of_chunk();
                let bytes = Bytes::from(vec![0; chunk.length()]);
                chunk.holds(bytes)
            })
            .collect();
        assert_eq!(held.iter().map(Bytes::len).sum::<usize>(), 2 * CHUNK);
        assert_eq!(budget.of_chunk().length(), PIECE);
        assert!(budget.of_body(Bytes::from(vec![0; 2 * CHUNK])).is_some(), "streams have a half");
        drop(held);
        assert_eq!(budget.of_chunk().length(), CHUNK);
    }
}
