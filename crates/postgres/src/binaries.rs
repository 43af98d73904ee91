//! Finds PostgreSQL's server programs.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::ClusterError;

/// The oldest maintained major version that supports all options given to `initdb`.
pub(crate) const OLDEST_MAJOR: u32 = 14;

/// Debian's packages have one folder per major version, outside `PATH`.
const DEBIAN: &str = "/usr/lib/postgresql";

/// Folder with `initdb` and `postgres` of one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Binaries {
    folder: PathBuf,
    pub(crate) major: u32,
}

impl Binaries {
    /// Returns the programs for a cluster: those of the `wanted` major version if given, else the first ones found. The
    /// configured folder is the only one searched; without it, `PATH`, `pg_config` and Debian's folders, newest first.
    pub(crate) fn find(
        configured: Option<&Path>,
        wanted: Option<(u32, &Path)>,
    ) -> Result<Self, ClusterError> {
        let folders = match configured {
            Some(folder) => vec![folder.to_owned()],
            None => search_path(),
        };
        let found: Vec<Self> = folders.iter().filter_map(|folder| Self::in_folder(folder)).collect();
        Self::pick(found, wanted, || match configured {
            Some(folder) => folder.display().to_string(),
            None => format!("PATH, pg_config --bindir and {DEBIAN}/*/bin"),
        })
    }

    fn pick(
        found: Vec<Self>,
        wanted: Option<(u32, &Path)>,
        searched: impl FnOnce() -> String,
    ) -> Result<Self, ClusterError> {
        let majors: BTreeSet<u32> = found.iter().map(|binaries| binaries.major).collect();
        let Some(newest) = majors.last().copied() else {
            return Err(ClusterError::BinariesNotFound { searched: searched() });
        };
        let fits = |binaries: &Self| match wanted {
            Some((major, _)) => binaries.major == major,
            None => binaries.major >= OLDEST_MAJOR,
        };
        found.into_iter().find(fits).ok_or_else(|| match wanted {
            Some((cluster, data_dir)) => {
                let found = majors.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
                ClusterError::OtherMajorVersion { data_dir: data_dir.to_owned(), cluster, found }
            }
            None => ClusterError::TooOld { found: newest, oldest: OLDEST_MAJOR },
        })
    }

    /// Returns the programs in `folder`, if both exist and `postgres` prints its version.
    fn in_folder(folder: &Path) -> Option<Self> {
        // Links are resolved, because the programs find their libraries and templates relative to their real folder.
        let postgres = executable(&folder.join("postgres"))?;
        let folder = postgres.parent()?.to_owned();
        executable(&folder.join("initdb"))?;
        let output = Command::new(&postgres).arg("--version").stdin(Stdio::null()).output().ok()?;
        let major = major_of_version_line(&String::from_utf8_lossy(&output.stdout))?;
        Some(Self { folder, major })
    }

    pub(crate) fn initdb(&self) -> PathBuf {
        self.folder.join("initdb")
    }

    pub(crate) fn pg_basebackup(&self) -> PathBuf {
        self.folder.join("pg_basebackup")
    }

    pub(crate) fn postgres(&self) -> PathBuf {
        self.folder.join("postgres")
    }
}

fn executable(path: &Path) -> Option<PathBuf> {
    let path = path.canonicalize().ok()?;
    let metadata = fs::metadata(&path).ok()?;
    (metadata.is_file() && metadata.permissions().mode() & 0o111 != 0).then_some(path)
}

fn search_path() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default();
    folders.extend(pg_config_bindir());
    folders.extend(versioned_folders(Path::new(DEBIAN)));
    // The same programs are often found twice, and each is run for its version.
    let mut seen = BTreeSet::new();
    folders.retain(|folder| match executable(&folder.join("postgres")) {
        Some(postgres) => seen.insert(postgres),
        None => false,
    });
    folders
}

fn pg_config_bindir() -> Option<PathBuf> {
    let output = Command::new("pg_config").arg("--bindir").stdin(Stdio::null()).output().ok()?;
    let folder = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| PathBuf::from(folder.trim_end()))
}

/// Returns the folders `root/<major>/bin`, newest first.
fn versioned_folders(root: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(root) else { return Vec::new() };
    let mut versions: Vec<(u32, PathBuf)> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let major = entry.file_name().to_str()?.parse().ok()?;
            Some((major, entry.path().join("bin")))
        })
        .collect();
    versions.sort_by_key(|(major, _)| std::cmp::Reverse(*major));
    versions.into_iter().map(|(_, folder)| folder).collect()
}

/// `postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)` → 15.
fn major_of_version_line(line: &str) -> Option<u32> {
    let version = line.split_whitespace().nth(2)?;
    let digits = version.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binaries(major: u32) -> Binaries {
        Binaries { folder: format!("/pg/{major}").into(), major }
    }

    fn pick(found: &[u32], wanted: Option<u32>) -> Result<u32, String> {
        let found = found.iter().copied().map(binaries).collect();
        let wanted = wanted.map(|major| (major, Path::new("/data")));
        let picked = Binaries::pick(found, wanted, || "PATH".to_owned());
        picked.map(|binaries| binaries.major).map_err(|error| error.to_string())
    }

    #[test]
    fn version_lines() {
        assert_eq!(major_of_version_line("postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)"), Some(15));
        assert_eq!(major_of_version_line("postgres (PostgreSQL) 18beta1"), Some(18));
        assert_eq!(major_of_version_line("something else"), None);
    }

    #[test]
    fn the_first_that_is_new_enough_is_picked() {
        assert_eq!(pick(&[13, 16, 17], None), Ok(16));
    }

    #[test]
    fn a_cluster_keeps_its_major_version() {
        assert_eq!(pick(&[17, 15, 16], Some(15)), Ok(15));
    }

    #[test]
    fn another_major_version_is_refused_with_a_sentence() {
        let sentence = pick(&[15, 17], Some(14)).unwrap_err();
        assert!(
            sentence
                .starts_with("/data was created by PostgreSQL 14, which is not installed (found: 15, 17)")
        );
    }

    #[test]
    fn too_old_and_absent_programs_are_refused() {
        assert_eq!(
            pick(&[12, 13], None).unwrap_err(),
            "PostgreSQL 13 is too old: version 14 or newer is needed"
        );
        assert!(pick(&[], None).unwrap_err().contains("were not found in PATH"));
    }

    #[test]
    fn debians_folders_come_newest_first() {
        let root = tempfile::tempdir().unwrap();
        for name in ["9", "15", "16", "README"] {
            fs::create_dir(root.path().join(name)).unwrap();
        }
        let expected = ["16", "15", "9"].map(|version| root.path().join(version).join("bin"));
        assert_eq!(versioned_folders(root.path()), expected);
    }
}
