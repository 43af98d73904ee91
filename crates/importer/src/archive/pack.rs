//! Packing of a folder into an archive in an unnamed temporary file.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use zip::ZipWriter;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;

/// Folders of version control: large, and never documentation.
const LEFT_OUT: [&str; 3] = [".git", ".hg", ".svn"];

/// Reason why a folder is not packed.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// No temporary file can be created.
    #[error("no temporary file can be made")]
    NoFile(#[source] io::Error),
    /// A file or folder can't be added: it can't be read, or the disk is full.
    #[error("{} can't be added", .path.display())]
    Entry {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The archive can't be written.
    #[error("the archive can't be written")]
    Archive(#[from] ZipError),
}

/// Packs a folder, in the order of its names. Links are packed as links, which an import reports and does not follow.
///
/// # Errors
/// If a file can't be read or the disk is full.
pub fn pack_folder(folder: &Path) -> Result<File, PackError> {
    let mut archive = ZipWriter::new(tempfile::tempfile().map_err(PackError::NoFile)?);
    add(&mut archive, folder, "")?;
    Ok(archive.finish()?)
}

fn add(archive: &mut ZipWriter<File>, folder: &Path, prefix: &str) -> Result<(), PackError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| PackError::Entry { path, source }
    };
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = entries.map_err(failed(folder))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    // Allows more than 4 GiB, so that the server reports its own limit.
    let options = SimpleFileOptions::default().large_file(true);
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        let name = format!("{prefix}{}", name.to_string_lossy());
        let kind = entry.file_type().map_err(failed(&path))?;
        if kind.is_symlink() {
            let target = fs::read_link(&path).map_err(failed(&path))?;
            archive.add_symlink(name, target.to_string_lossy(), options)?;
        } else if kind.is_dir() {
            if !LEFT_OUT.iter().any(|left| entry.file_name() == *left) {
                add(archive, &path, &format!("{name}/"))?;
            }
        } else if kind.is_file() {
            archive.start_file(name, options)?;
            let copied = File::open(&path).and_then(|mut file| io::copy(&mut file, archive));
            copied.map_err(failed(&path))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use zip::ZipArchive;

    use super::*;

    #[test]
    fn a_folder_is_packed_without_version_control_and_with_links_as_links() {
        let scratch = tempfile::tempdir().unwrap();
        let at = |path: &str| scratch.path().join(path);
        fs::create_dir_all(at("guide/.git")).unwrap();
        for (path, text) in [("b.md", "B"), ("a.md", "A"), ("guide/c.md", "C"), ("guide/.git/HEAD", "x")] {
            fs::write(at(path), text).unwrap();
        }
        symlink("/etc/passwd", at("link.md")).unwrap();
        let mut archive = ZipArchive::new(pack_folder(scratch.path()).unwrap()).unwrap();
        let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
        assert_eq!(names, ["a.md", "b.md", "guide/c.md", "link.md"]);
        assert!(archive.by_name("link.md").unwrap().is_symlink());
        assert_eq!(io::read_to_string(archive.by_name("guide/c.md").unwrap()).unwrap(), "C");
    }
}
