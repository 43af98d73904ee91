//! The server that reads of a request are done on.

use std::sync::atomic::{AtomicUsize, Ordering};

/// A server that reads are done on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Server {
    /// The primary.
    Primary,
    /// A replica, by its place in the configuration.
    Replica(usize),
}

/// The server of a request's reads: the same one for all of them, or the primary after a replica, so that no read sees
/// less than the one before it.
#[derive(Debug)]
pub struct ReadRoute(AtomicUsize);

const PRIMARY: usize = 0;
const OPEN: usize = 1;
const FIRST_REPLICA: usize = 2;

impl ReadRoute {
    /// A route that may lead to a replica.
    #[must_use]
    pub const fn open() -> Self {
        Self(AtomicUsize::new(OPEN))
    }

    /// A route that leads to the primary.
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

    /// Notes the server of a read. A request that was on the primary stays there.
    pub fn note(&self, server: Server) {
        match server {
            Server::Primary => self.0.store(PRIMARY, Ordering::Relaxed),
            Server::Replica(replica) => {
                let replica = replica.saturating_add(FIRST_REPLICA);
                // Reads of a request that run at once may have been on different servers: then the rest goes to the
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
