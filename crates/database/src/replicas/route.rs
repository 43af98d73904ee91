//! Route of a request: the server of its reads.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Server of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Server {
    /// The primary.
    Primary,
    /// Replica, by its index in the configuration.
    Replica(usize),
}

/// Server of a request's reads. All reads use the same server, or the primary after a replica, so that no read sees
/// less than an earlier one.
#[derive(Debug)]
pub struct ReadRoute(AtomicUsize);

const PRIMARY: usize = 0;
const OPEN: usize = 1;
const FIRST_REPLICA: usize = 2;

impl ReadRoute {
    /// Creates a route that allows replicas.
    #[must_use]
    pub const fn open() -> Self {
        Self(AtomicUsize::new(OPEN))
    }

    /// Creates a route that allows only the primary.
    #[must_use]
    pub const fn primary() -> Self {
        Self(AtomicUsize::new(PRIMARY))
    }

    /// Returns the server of the reads so far, or `None` before the first.
    #[must_use]
    pub fn server(&self) -> Option<Server> {
        match self.0.load(Ordering::Relaxed) {
            PRIMARY => Some(Server::Primary),
            OPEN => None,
            replica => Some(Server::Replica(replica.saturating_sub(FIRST_REPLICA))),
        }
    }

    /// Records the server of a read. A request that has used the primary stays there.
    pub fn note(&self, server: Server) {
        match server {
            Server::Primary => self.0.store(PRIMARY, Ordering::Relaxed),
            Server::Replica(replica) => {
                let replica = replica.saturating_add(FIRST_REPLICA);
                // Concurrent reads of a request may have used different servers. The remaining reads then use the
                // primary.
                let noted = self.0.compare_exchange(OPEN, replica, Ordering::Relaxed, Ordering::Relaxed);
                if noted.is_err_and(|noted| noted != replica) {
                    self.0.store(PRIMARY, Ordering::Relaxed);
                }
            }
        }
    }
}

impl Default for ReadRoute {
    fn default() -> Self {
        Self::primary()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_stays_on_its_server_or_moves_to_the_primary() {
        let route = ReadRoute::open();
        assert_eq!(route.server(), None);
        route.note(Server::Replica(1));
        route.note(Server::Replica(1));
        assert_eq!(route.server(), Some(Server::Replica(1)));
        route.note(Server::Primary);
        route.note(Server::Replica(1));
        assert_eq!(route.server(), Some(Server::Primary));
        let route = ReadRoute::open();
        route.note(Server::Replica(0));
        route.note(Server::Replica(1));
        assert_eq!(route.server(), Some(Server::Primary));
    }
}
