//! Exclusive ownership of a data directory.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};

use crate::error::{ClusterError, IoContext};
use crate::layout::Layout;

/// Exclusive right to run PostgreSQL on a data directory. The kernel releases it when the process ends for any reason.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

/// Outcome of an attempt to take the lock.
pub(crate) enum Attempt {
    Held(Lock),
    /// Another process holds the lock; its id, if it has written it.
    TakenBy(Option<u32>),
}

impl Lock {
    /// Tries once to take the lock.
    pub(crate) fn attempt(layout: &Layout) -> Result<Attempt, ClusterError> {
        let path = layout.data_dir.join("lock");
        let mut file = layout.open_file(&path)?;
        match file.try_lock() {
            Ok(()) => {
                // The id is only for error messages; the kernel holds the lock itself.
                file.set_len(0).context("write to", &path)?;
                write!(file, "{}", std::process::id()).context("write to", &path)?;
                Ok(Attempt::Held(Self { _file: file }))
            }
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                file.rewind().and_then(|()| file.read_to_string(&mut text)).context("read", &path)?;
                Ok(Attempt::TakenBy(text.trim().parse().ok()))
            }
            Err(TryLockError::Error(error)) => Err(error).context("lock", &path),
        }
    }
}
