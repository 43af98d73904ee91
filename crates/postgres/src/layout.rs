//! Folders and files of a cluster, and their permissions.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, lchown};
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;

use crate::account::Account;
use crate::error::{ClusterError, IoContext};
use crate::wire;

/// Maximum length of a socket's path. Systems allow 107 bytes on Linux, 103 elsewhere; PostgreSQL appends to the path
/// for temporary names.
const LONGEST_SOCKET_PATH: usize = 100;

/// Paths of a cluster.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) data_dir: PathBuf,
    pub(crate) run_dir: PathBuf,
    pub(crate) account: Account,
}

impl Layout {
    /// Finds or creates the data directory and its socket's folder.
    pub(crate) fn prepare(data_dir: &Path) -> Result<Self, ClusterError> {
        let account = Account::choose(data_dir)?;
        if let Some(parent) = data_dir.parent() {
            fs::create_dir_all(parent).context("make the folder", parent)?;
        }
        make_private_dir(data_dir, &account, Existing::IsFine)?;
        let data_dir = data_dir.canonicalize().context("find", data_dir)?;
        account.check_can_enter(&data_dir)?;
        let run_dir = run_dir(&data_dir, &account);
        make_private_dir(&run_dir, &account, Existing::MustBePrivate)?;
        Ok(Self { data_dir, run_dir, account })
    }

    /// Returns PostgreSQL's own data directory.
    pub(crate) fn pgdata(&self) -> PathBuf {
        self.data_dir.join("pgdata")
    }

    /// Returns the temporary data directory of a cluster under creation.
    pub(crate) fn unfinished_pgdata(&self) -> PathBuf {
        self.data_dir.join("pgdata.new")
    }

    pub(crate) fn log_file(&self) -> PathBuf {
        self.data_dir.join("postgres.log")
    }

    /// Returns the major version that created the cluster, or `None` without a cluster.
    pub(crate) fn cluster_version(&self) -> Result<Option<u32>, ClusterError> {
        let path = self.pgdata().join("PG_VERSION");
        match fs::read_to_string(&path) {
            Ok(text) => match text.trim().parse() {
                Ok(major) => Ok(Some(major)),
                Err(_) => Err(io::Error::from(io::ErrorKind::InvalidData)).context("understand", &path),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).context("read", &path),
        }
    }

    /// Creates an empty folder that only the account can use.
    pub(crate) fn make_dir(&self, path: &Path) -> Result<(), ClusterError> {
        make_private_dir(path, &self.account, Existing::MustBePrivate)
    }

    /// Gives a folder and everything in it to the account alone.
    pub(crate) fn assign_to_account(&self, folder: &Path) -> Result<(), ClusterError> {
        let mut pending = vec![folder.to_owned()];
        while let Some(path) = pending.pop() {
            let metadata = fs::symlink_metadata(&path).context("look at", &path)?;
            if self.account.switch {
                lchown(&path, Some(self.account.uid), Some(self.account.gid)).context("give away", &path)?;
            }
            if metadata.is_dir() {
                fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).context("protect", &path)?;
                for entry in fs::read_dir(&path).context("read", &path)? {
                    pending.push(entry.context("read", &path)?.path());
                }
            }
        }
        Ok(())
    }

    /// Opens a file that only the account can use; creates it if missing.
    pub(crate) fn open_file(&self, path: &Path) -> Result<File, ClusterError> {
        // Root works in a folder of another account, which could redirect writes with a symbolic link.
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true).mode(0o600).custom_flags(OFlag::O_NOFOLLOW.bits());
        let file = options.open(path).context("open", path)?;
        if self.account.switch {
            std::os::unix::fs::fchown(&file, Some(self.account.uid), Some(self.account.gid))
                .context("give away", path)?;
        }
        Ok(file)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Existing {
    /// The caller has chosen the folder and its permissions.
    IsFine,
    /// The folder protects the socket or the data.
    MustBePrivate,
}

fn make_private_dir(path: &Path, account: &Account, existing: Existing) -> Result<(), ClusterError> {
    match DirBuilder::new().mode(0o700).create(path) {
        Ok(()) if account.switch => {
            lchown(path, Some(account.uid), Some(account.gid)).context("give away", path)
        }
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && existing == Existing::IsFine => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => check_private(path, account),
        Err(error) => Err(error).context("make the folder", path),
    }
}

/// Refuses a folder prepared by another account, which anyone can do below `/tmp`.
fn check_private(path: &Path, account: &Account) -> Result<(), ClusterError> {
    let metadata = fs::symlink_metadata(path).context("look at", path)?;
    if metadata.is_dir() && metadata.uid() == account.uid && metadata.mode() & 0o077 == 0 {
        return Ok(());
    }
    Err(ClusterError::NotPrivate { path: path.to_owned(), account: account.name.clone() })
}

/// Returns the socket's folder: in the data directory, or below `/tmp` if the socket's path would be too long, or has a
/// quote (which PostgreSQL's setting cannot hold) or a comma (at which libpq would split it). The result depends only
/// on the arguments, not on the environment of the process.
fn run_dir(data_dir: &Path, account: &Account) -> PathBuf {
    let beside_data = data_dir.join("run");
    let socket = wire::socket_path(&beside_data);
    let socket = socket.as_os_str().as_bytes();
    if socket.len() <= LONGEST_SOCKET_PATH && !socket.iter().any(|byte| b"\",".contains(byte)) {
        return beside_data;
    }
    let hash = fnv1a(data_dir.as_os_str().as_bytes());
    PathBuf::from(format!("/tmp/postgres-{}-{hash:016x}", account.uid))
}

/// FNV-1a, 64 bits (<http://www.isthe.com/chongo/tech/comp/fnv/>), for a name that is stable across builds. It need not
/// be collision-resistant, because the folder's owner and mode are checked.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn account() -> Account {
        Account {
            name: "tester".into(),
            uid: nix::unistd::geteuid().as_raw(),
            gid: nix::unistd::getegid().as_raw(),
            switch: false,
        }
    }

    #[test]
    fn fnv1a_of_known_texts() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn a_long_data_directory_gets_a_short_run_folder() {
        assert_eq!(run_dir(Path::new("/srv/quire"), &account()), Path::new("/srv/quire/run"));
        let long = PathBuf::from(format!("/srv/{}", "x".repeat(120)));
        let short = run_dir(&long, &account());
        assert!(wire::socket_path(&short).as_os_str().len() <= LONGEST_SOCKET_PATH);
        assert_eq!(short, run_dir(&long, &account()));
        assert_ne!(short, run_dir(&long.join("y"), &account()));
        assert!(run_dir(Path::new("/srv/a,b"), &account()).starts_with("/tmp"));
    }

    #[test]
    fn a_prepared_folder_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let open = root.path().join("open");
        fs::create_dir(&open).unwrap();
        fs::set_permissions(&open, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(check_private(&open, &account()).is_err());
        fs::set_permissions(&open, fs::Permissions::from_mode(0o700)).unwrap();
        assert!(check_private(&open, &account()).is_ok());
        let link = root.path().join("link");
        symlink(&open, &link).unwrap();
        assert!(check_private(&link, &account()).is_err());
        let stranger = Account { uid: account().uid + 1, ..account() };
        assert!(check_private(&open, &stranger).is_err());
    }
}
