//! Connections to a remote repository: refs, fetches and pushes.

mod push;

use std::cell::RefCell;
use std::io::{BufRead, Read as _};
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gix_hash::{Kind, ObjectId};
use gix_object::find::Never;
use gix_pack::Bundle;
use gix_pack::bundle::write::Options;
use gix_pack::data::input::Mode;
use gix_protocol::fetch::{Arguments, Response};
use gix_protocol::handshake::Ref;
use gix_protocol::ls_refs::RefPrefixes;
use gix_protocol::{Command, Handshake, LsRefsCommand};
use gix_transport::client::blocking_io::ExtendedBufRead as _;
use gix_transport::client::blocking_io::http::Transport;
use gix_transport::client::{self, TransportWithoutIO as _};
use gix_transport::{Protocol, Service};
use gix_utils::progress::Discard;
use quire_importer::blocking::Threads;
use quire_importer::fetch::Fetcher;
use tempfile::TempDir;
use tokio::runtime::Handle;

use crate::address::Address;
use crate::error::GitError;
use crate::http::{Client, Connections};
use crate::limits::{Limits, Usage};
use crate::shared::{Fetched, Part, Shared};
use crate::store::Store;
use crate::trees::Snapshot;

/// User agent.
pub(crate) const AGENT: &str = concat!("quire/", env!("CARGO_PKG_VERSION"));

/// Prefix of branch refs.
const BRANCHES: &str = "refs/heads/";

/// Filter that requests only commits and trees.
const WITHOUT_BLOBS: &str = "blob:none";

/// Branch or tag of a remote repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteRef {
    /// Full name, such as `refs/heads/main`.
    pub name: String,
    /// Commit. `None` for a branch without commits.
    pub commit: Option<ObjectId>,
}

/// Remote repository during one run.
pub struct Remote {
    pub(crate) address: Address,
    pub(crate) connections: Rc<Connections>,
    folder: TempDir,
    pub(crate) shared: Option<Arc<dyn Shared>>,
    /// Greeted server for the next request, unless the last one failed.
    session: RefCell<Option<Session>>,
}

/// Connection to a server for reading, after the handshake.
struct Session {
    transport: Transport<Client>,
    handshake: Handshake,
}

/// Objects to fetch.
pub(crate) struct Request<'r> {
    pub(crate) ids: &'r [ObjectId],
    /// Number of commits from each id. `None` for all of them.
    pub(crate) depth: Option<usize>,
    pub(crate) filter: Filter,
    /// Commit that the server leaves out, with its history.
    pub(crate) known: Option<ObjectId>,
    /// Maximum size of the pack in bytes.
    pub(crate) max_bytes: u64,
}

impl<'r> Request<'r> {
    /// Returns a request for objects without blobs, unless their own ids are requested or the server has no filters.
    fn of(ids: &'r [ObjectId], depth: Option<usize>) -> Self {
        let filter = Filter { spec: WITHOUT_BLOBS, is_required: false };
        Self { ids, depth, filter, known: None, max_bytes: u64::MAX }
    }
}

/// Kinds of objects that a server leaves out.
pub(crate) struct Filter {
    pub(crate) spec: &'static str,
    /// False to fetch all objects from a server without filters.
    pub(crate) is_required: bool,
}

/// Sets the flag that stops a run when the waiting task ends or is dropped.
struct StopOnDrop(Arc<Usage>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }
}

impl Remote {
    /// Runs `work` with a repository on one of the fetcher's threads, within the limits. Must be called within a Tokio
    /// runtime.
    ///
    /// # Errors
    /// The errors of `work`. [`GitError::InvalidUrl`] for a connection without TLS to a host that the operator does not
    /// trust.
    pub async fn run<T: Send + 'static>(
        fetcher: &Fetcher,
        address: Address,
        limits: Limits,
        work: impl FnOnce(&Self) -> Result<T, GitError> + Send + 'static,
    ) -> Result<T, GitError> {
        Self::run_with(fetcher, address, (limits, None), work).await
    }

    /// Like [`Remote::run`], with access to commits that other runs fetched.
    ///
    /// # Errors
    /// The errors of [`Remote::run`].
    pub async fn run_with<T: Send + 'static>(
        fetcher: &Fetcher,
        address: Address,
        (limits, shared): (Limits, Option<Arc<dyn Shared>>),
        work: impl FnOnce(&Self) -> Result<T, GitError> + Send + 'static,
    ) -> Result<T, GitError> {
        if !address.is_allowed_by(fetcher) {
            return Err(GitError::InvalidUrl { reason: "only https is supported" });
        }
        let usage = Usage::new(limits);
        let _stop = StopOnDrop(Arc::clone(&usage));
        let (fetcher, runtime) = (fetcher.clone(), Handle::current());
        let threads: Threads = fetcher.threads().clone();
        let ends = Arc::clone(&usage);
        let running = threads.run(move || {
            let folder = TempDir::new().map_err(GitError::Disk)?;
            let connections = Connections::new(fetcher, runtime, usage);
            work(&Self { address, connections, folder, shared, session: RefCell::new(None) })
        });
        tokio::pin!(running);
        tokio::select! {
            result = &mut running => return result.map_err(GitError::Disk)?,
            () = tokio::time::sleep_until(ends.deadline.into()) => ends.stop.store(true, Ordering::Relaxed),
        }
        // The thread checks the flag regularly.
        running.await.map_err(GitError::Disk)?
    }

    /// Returns the number of bytes transferred so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.connections.usage.bytes()
    }

    /// Returns a branch or tag. Without a name, returns the branch that HEAD points to.
    ///
    /// # Errors
    /// [`GitError::NoSuchRef`] if it does not exist. In a repository without commits, each branch counts as existing.
    pub fn find_ref(&self, name: Option<&str>) -> Result<RemoteRef, GitError> {
        let mut session = self.open()?;
        let refs = self.list(&mut session, name)?;
        let name = match name {
            Some(name) => name.to_owned(),
            None => head_of(&refs).ok_or_else(|| GitError::NoSuchRef { name: "HEAD".to_owned() })?,
        };
        let found = refs.iter().find_map(|found| match found {
            Ref::Direct { full_ref_name, object } | Ref::Peeled { full_ref_name, object, .. } => {
                (*full_ref_name == name.as_str()).then_some(*object)
            }
            Ref::Symbolic { full_ref_name, target, object, .. } => {
                (*full_ref_name == name.as_str() || *target == name.as_str()).then_some(*object)
            }
            Ref::Unborn { .. } => None,
        });
        // In a repository without commits, HEAD may name any branch. Another branch can be the first.
        let is_empty = refs.iter().all(|found| matches!(found, Ref::Unborn { .. }));
        let is_known =
            found.is_some() || is_empty && name.starts_with(BRANCHES) && self.is_empty(&mut session)?;
        self.keep(session);
        match is_known {
            true => Ok(RemoteRef { name, commit: found }),
            false => Err(GitError::NoSuchRef { name }),
        }
    }

    /// Returns at most `most` names of branches, without `refs/heads/`, in alphabetical order.
    ///
    /// # Errors
    /// If the repository is unreadable or exceeds a limit.
    pub fn branches(&self, most: usize) -> Result<Vec<String>, GitError> {
        let mut session = self.open()?;
        let refs = self.list(&mut session, Some(BRANCHES))?;
        self.keep(session);
        let names = refs.iter().filter_map(|found| match found {
            Ref::Direct { full_ref_name, .. } | Ref::Symbolic { full_ref_name, .. } => {
                let name = std::str::from_utf8(full_ref_name).ok()?;
                name.strip_prefix(BRANCHES).map(str::to_owned)
            }
            Ref::Peeled { .. } | Ref::Unborn { .. } => None,
        });
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        names.truncate(most);
        Ok(names)
    }

    /// Returns whether the repository has no refs at all.
    fn is_empty(&self, session: &mut Session) -> Result<bool, GitError> {
        let refs = self.list(session, Some("refs/"))?;
        Ok(refs.iter().all(|found| matches!(found, Ref::Unborn { .. })))
    }

    /// Fetches a commit with its trees. Includes all blobs if the server does not support filters.
    ///
    /// # Errors
    /// If the repository cannot be fetched or exceeds a limit.
    pub fn fetch(&self, commit: ObjectId) -> Result<Snapshot, GitError> {
        let usage = &self.connections.usage;
        let read = |Fetched(bundle)| {
            let mut store = Store::new(usage.limits.object_bytes);
            store.add(bundle);
            Snapshot::read(commit, store, usage)
        };
        let part = Part::Commit(commit);
        if let Some(known) = self.shared.as_ref().and_then(|shared| shared.get(part)) {
            return read(known);
        }
        let bundle = self.receive(&Request::of(&[commit], Some(1)))?;
        let fetched = Fetched(Arc::new(bundle.ok_or_else(no_objects)?));
        let snapshot = read(fetched.clone())?;
        if let Some(shared) = &self.shared {
            shared.keep(part, fetched);
        }
        Ok(snapshot)
    }

    /// Fetches blobs that a snapshot lacks.
    ///
    /// # Errors
    /// The errors of [`Remote::fetch`].
    pub fn fetch_blobs(&self, snapshot: &mut Snapshot, ids: &[ObjectId]) -> Result<(), GitError> {
        let mut missing: Vec<ObjectId> = ids.iter().copied().filter(|id| !snapshot.store.has(id)).collect();
        missing.sort_unstable();
        missing.dedup();
        if missing.is_empty() {
            return Ok(());
        }
        let bundle = self.receive(&Request::of(&missing, None))?;
        snapshot.store.add(Arc::new(bundle.ok_or_else(no_objects)?));
        let lost = missing.iter().find(|id| !snapshot.store.has(id));
        lost.map_or(Ok(()), |id| Err(GitError::Missing { id: id.to_string() }))
    }

    fn connect(&self) -> Result<Transport<Client>, GitError> {
        let url = gix_url::parse(self.address.url.as_str()).map_err(|error| GitError::unreadable(&error))?;
        let client = Client::new(Rc::clone(&self.connections));
        let mut transport = Transport::new_http(client, url, Protocol::V2, false);
        if let Some(account) = &self.address.account {
            let account = client::Account {
                username: account.username.clone(),
                password: account.password.clone(),
                oauth_refresh_token: None,
            };
            self.connections.checked(transport.set_identity(account))?;
        }
        Ok(transport)
    }

    fn greet(&self, transport: &mut Transport<Client>, service: Service) -> Result<Handshake, GitError> {
        let greeted = gix_protocol::handshake(transport, service, |_| Ok(None), Vec::new(), &mut Discard);
        let handshake = self.connections.checked(greeted)?;
        let format = handshake.capabilities.capability("object-format");
        match format.and_then(|format| format.value()).is_some_and(|format| format != "sha1") {
            true => Err(GitError::Unsupported { reason: "its repository uses SHA-256" }),
            false => Ok(handshake),
        }
    }

    /// Returns the kept connection, or makes another one.
    fn open(&self) -> Result<Session, GitError> {
        if let Some(session) = self.session.take() {
            return Ok(session);
        }
        let mut transport = self.connect()?;
        let handshake = self.greet(&mut transport, Service::UploadPack)?;
        Ok(Session { transport, handshake })
    }

    /// Keeps a connection for the next request. The handshakes of older protocols have the refs, which may change.
    fn keep(&self, session: Session) {
        if session.handshake.server_protocol_version == Protocol::V2 {
            self.session.replace(Some(session));
        }
    }

    fn list(
        &self,
        Session { transport, handshake }: &mut Session,
        name: Option<&str>,
    ) -> Result<Vec<Ref>, GitError> {
        if let Some(refs) = &handshake.refs {
            return Ok(refs.clone());
        }
        let mut prefixes = RefPrefixes::new();
        prefixes.extend([name.unwrap_or("HEAD").into()]);
        let command =
            LsRefsCommand::new(Some(prefixes), &handshake.capabilities, ("agent", Some(AGENT.into())));
        self.connections.checked(command.invoke_blocking(transport, &mut Discard, false))
    }

    /// Fetches objects, and writes the pack with its index to the run's folder. Returns `None` for a pack without
    /// objects.
    pub(crate) fn receive(&self, request: &Request<'_>) -> Result<Option<Bundle>, GitError> {
        let mut session = self.open()?;
        let Session { transport, handshake } = &mut session;
        let Connections { usage, reads_pack, .. } = &*self.connections;
        let version = handshake.server_protocol_version;
        let mut features = Command::Fetch.default_features(version, &handshake.capabilities);
        features.push(("agent", Some(AGENT.into())));
        let mut arguments = Arguments::new(version, features, false);
        if let Some(depth) = request.depth {
            arguments.deepen(depth);
        }
        // Also for blobs: without the filter, some servers send objects that a requested object refers to.
        if version == Protocol::V2 && arguments.can_use_filter() {
            arguments.filter(request.filter.spec);
        } else if request.filter.is_required {
            self.keep(session);
            return Err(GitError::Unsupported { reason: "it has no filters" });
        }
        for id in request.ids {
            arguments.want(id);
        }
        if let Some(known) = request.known {
            arguments.have(known);
        }
        let mut reader = self.connections.checked(arguments.send(transport, true))?;
        self.connections.checked(Response::from_line_reader(version, &mut reader, true, false))?;
        reader.set_progress_handler(Some(Box::new(|_, _| ControlFlow::Continue(()))));
        reads_pack.set(true);
        let options = Options {
            thread_limit: Some(1),
            iteration_mode: Mode::Verify,
            alloc_limit_bytes: Some(usage.limits.object_bytes),
            ..Options::default()
        };
        let stop: &AtomicBool = &usage.stop;
        let mut limited = reader.by_ref().take(request.max_bytes);
        let mut pack: &mut dyn BufRead = &mut limited;
        let written = Bundle::write_to_directory(
            &mut pack,
            Some(self.folder.path()),
            &mut Discard,
            stop,
            None::<Never>,
            Kind::Sha1,
            options,
        );
        let bundle = self.connections.checked(written).and_then(|written| {
            written.to_bundle().map(|bundle| self.connections.checked(bundle)).transpose()
        });
        // The connection can be reused only after the whole response is read.
        let rest = bundle.is_ok().then(|| reader.read_to_end(&mut Vec::new())).transpose();
        reads_pack.set(false);
        self.connections.checked(rest)?;
        drop(reader);
        if bundle.is_ok() {
            self.keep(session);
        }
        bundle
    }
}

/// Returns the error for a pack without the requested objects.
fn no_objects() -> GitError {
    GitError::protocol("it sent no objects")
}

/// Returns the full name of the branch that HEAD points to.
fn head_of(refs: &[Ref]) -> Option<String> {
    let (target, commit) = refs.iter().find_map(|found| match found {
        Ref::Symbolic { full_ref_name, target, .. } | Ref::Unborn { full_ref_name, target }
            if *full_ref_name == "HEAD" =>
        {
            Some((Some(target), None))
        }
        Ref::Direct { full_ref_name, object } if *full_ref_name == "HEAD" => Some((None, Some(*object))),
        _ => None,
    })?;
    // Servers without symbolic refs send only the commit of HEAD. A branch with the same commit is used.
    let same = || {
        refs.iter().find_map(|found| match found {
            Ref::Direct { full_ref_name, object }
                if Some(*object) == commit && full_ref_name.starts_with(BRANCHES.as_bytes()) =>
            {
                Some(full_ref_name.to_string())
            }
            _ => None,
        })
    };
    target.map(ToString::to_string).or_else(same)
}
