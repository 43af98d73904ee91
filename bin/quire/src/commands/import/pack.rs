//! Packs a folder into an archive in an unnamed temporary file.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use anyhow::Context;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Folders of version control: large, and never documentation.
const LEFT_OUT: [&str; 3] = [".git", ".hg", ".svn"];

/// Packs a folder, in the order of its names. Links are packed as links, which the server reports and does not follow.
///
/// # Errors
/// If a file cannot be read or the disk is full.
pub fn folder(folder: &Path) -> anyhow::Result<File> {
    let mut archive = ZipWriter::new(tempfile::tempfile().context("no temporary file can be made")?);
    add(&mut archive, folder, "")?;
    Ok(archive.finish()?)
}

fn add(archive: &mut ZipWriter<File>, folder: &Path, prefix: &str) -> anyhow::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    // The server refuses archives of more than 4 GiB, but should be the one to say so.
    let options = SimpleFileOptions::default().large_file(true);
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        let name = format!("{prefix}{}", name.to_string_lossy());
        let kind = entry.file_type()?;
        let failed = || format!("{} can't be read", path.display());
        if kind.is_symlink() {
            let target = fs::read_link(&path).with_context(failed)?;
            archive.add_symlink(name, target.to_string_lossy(), options)?;
        } else if kind.is_dir() {
            if !LEFT_OUT.iter().any(|left| entry.file_name() == *left) {
                add(archive, &path, &format!("{name}/"))?;
            }
        } else if kind.is_file() {
            archive.start_file(name, options)?;
            io::copy(&mut File::open(&path).with_context(failed)?, archive).with_context(failed)?;
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
        let mut archive = ZipArchive::new(folder(scratch.path()).unwrap()).unwrap();
        let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
        assert_eq!(names, ["a.md", "b.md", "guide/c.md", "link.md"]);
        assert!(archive.by_name("link.md").unwrap().is_symlink());
        assert_eq!(io::read_to_string(archive.by_name("guide/c.md").unwrap()).unwrap(), "C");
    }
}
