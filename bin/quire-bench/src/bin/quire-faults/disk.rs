//! Small file systems that can be filled.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

/// A folder, on a file system of its own if this process has the right to mount one.
pub struct Disk {
    folder: PathBuf,
    is_mounted: bool,
}

impl Disk {
    /// Makes the folder and mounts a file system of this many MiB. Without the right to mount, the folder stays plain.
    pub fn mount(folder: &Path, mebibytes: u32) -> Result<Self> {
        fs::create_dir_all(folder)?;
        let size = format!("size={mebibytes}m,mode=0755");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "quire-faults"])
            .arg(folder)
            .stderr(std::process::Stdio::null())
            .status();
        Ok(Self { folder: folder.to_owned(), is_mounted: mounted.is_ok_and(|status| status.success()) })
    }

    /// Returns whether the folder is a mount, which can be filled without filling the machine's disk.
    pub fn is_mounted(&self) -> bool {
        self.is_mounted
    }

    /// Writes a file until the file system has no room.
    pub fn fill(&self) -> Result<()> {
        ensure!(self.is_mounted, "{} is on the machine's disk", self.folder.display());
        let mut file = File::create(self.balloon())?;
        let block = vec![0_u8; 1 << 16];
        while file.write_all(&block).is_ok() {}
        // Smaller writes fill the rest.
        while file.write_all(&[0; 512]).is_ok() {}
        Ok(())
    }

    /// Removes the file that [`Self::fill`] wrote.
    pub fn empty(&self) -> Result<()> {
        fs::remove_file(self.balloon()).context("the file that fills the disk can't be removed")
    }

    fn balloon(&self) -> PathBuf {
        self.folder.join("balloon")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if self.is_mounted {
            // Lazy unmount, because a process that is being killed may still have files open.
            drop(Command::new("umount").arg("-l").arg(&self.folder).status());
        }
    }
}
