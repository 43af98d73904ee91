//! Master key: configured by the operator, or in a file of the data folder that the first start creates.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use anyhow::Context;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quire_storage::operations::keys::{KeyId, MasterKeys};
use quire_storage::{Error, SystemStorage};
use tempfile::NamedTempFile;

use crate::config::DatabaseOptions;
use crate::usage::WrongInput;

/// Bytes of a master key.
type Key = [u8; 32];

/// Maximum size of a key file in bytes: room for many more keys than a replacement needs.
const FILE_BYTES: u64 = 64 << 10;

/// Unlocks the keys in the database, and returns the id of the master key.
///
/// A sentence that names the variable or the file, if the master key is missing, malformed, readable by others, or does
/// not match the database.
pub fn unlock(storage: &SystemStorage, options: &DatabaseOptions) -> anyhow::Result<KeyId> {
    Ok(unlock_with_keys(storage, options)?.current())
}

/// Unlocks the keys in the database as [`unlock`] does, and returns the master keys.
///
/// # Errors
/// As for [`unlock`].
pub fn unlock_with_keys(storage: &SystemStorage, options: &DatabaseOptions) -> anyhow::Result<MasterKeys> {
    let source = match options.secret_key() {
        Some(_) => "QUIRE_SECRET_KEY".to_owned(),
        None => options.secret_key_file().display().to_string(),
    };
    let keys = find(options, || Ok(storage.needed_master_keys()?))?;
    storage.unlock(keys.clone()).map_err(|error| match error {
        Error::Internal(..) => {
            anyhow::Error::new(error).context(format!("{source} isn't the master key of this database"))
        }
        other => other.into(),
    })?;
    Ok(keys)
}

/// Compares the master keys with the database, without creating one. Returns `false` if neither has a key.
///
/// # Errors
/// As for [`unlock`].
pub fn opens(storage: &SystemStorage, options: &DatabaseOptions) -> anyhow::Result<bool> {
    let needed = storage.needed_master_keys()?;
    if needed.is_empty() && options.secret_key().is_none() && !options.secret_key_file().exists() {
        return Ok(false);
    }
    let source = match options.secret_key() {
        Some(_) => "QUIRE_SECRET_KEY".to_owned(),
        None => options.secret_key_file().display().to_string(),
    };
    let keys = find(options, || Ok(needed.clone()))?;
    match needed.iter().find(|id| !keys.has(**id)) {
        None => Ok(true),
        Some(id) => {
            Err(WrongInput(format!("{source} isn't the master key {id} of this database: restore that key"))
                .into())
        }
    }
}

/// Checks the configured master keys before anything is started.
///
/// # Errors
/// A sentence that names the variable of a malformed key.
pub fn check(options: &DatabaseOptions) -> anyhow::Result<()> {
    given(options).map(drop)
}

/// Returns the configured master keys: the current key, and the previous keys.
fn given(options: &DatabaseOptions) -> anyhow::Result<(Option<Key>, Vec<Key>)> {
    let current = options.secret_key().map(|key| decode("QUIRE_SECRET_KEY", key)).transpose()?;
    let previous = options.previous_secret_keys().map(|key| decode("QUIRE_SECRET_KEY_PREVIOUS", key));
    Ok((current, previous.collect::<Result<_, _>>()?))
}

/// Returns the master keys. `needed` returns the ids of the master keys that the database uses. If it uses any, no key
/// is created.
fn find(
    options: &DatabaseOptions,
    needed: impl FnOnce() -> anyhow::Result<Vec<KeyId>>,
) -> anyhow::Result<MasterKeys> {
    let (current, mut previous) = given(options)?;
    if let Some(current) = current {
        return Ok(MasterKeys::new(current, &previous));
    }
    let path = options.secret_key_file();
    let mut keys = match read(&path)? {
        Some(keys) => keys,
        None => {
            let needed: Vec<String> = needed()?.iter().map(ToString::to_string).collect();
            if !needed.is_empty() {
                return Err(WrongInput(format!(
                    "QUIRE_SECRET_KEY: the keys of this database are wrapped by the master key {}, which isn't \
                     here: set the variable, or restore {}",
                    needed.join(", "),
                    path.display()
                ))
                .into());
            }
            make(&path).with_context(|| format!("QUIRE_DATA_DIR: {} can't be made", path.display()))?;
            read(&path)?.unwrap_or_default()
        }
    };
    if keys.is_empty() {
        return Err(WrongInput(format!("{} has no master key", path.display())).into());
    }
    let current = keys.remove(0);
    previous.extend(keys);
    Ok(MasterKeys::new(current, &previous))
}

/// Returns the keys in a file, one per line, the current one first; `None` without a file.
fn read(path: &Path) -> anyhow::Result<Option<Vec<Key>>> {
    let name = path.display().to_string();
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("{name} can't be read")),
    };
    let about = file.metadata().with_context(|| format!("{name} can't be examined"))?;
    if about.mode() & 0o077 != 0 {
        return Err(WrongInput(format!(
            "{name} holds the master key and can be read by others (mode {:04o}): chmod 600 {name}",
            about.mode() & 0o7777
        ))
        .into());
    }
    let mut text = String::new();
    let _ =
        file.take(FILE_BYTES).read_to_string(&mut text).with_context(|| format!("{name} can't be read"))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(Some(lines.map(|line| decode(&name, line)).collect::<Result<_, _>>()?))
}

/// Creates a file with a new key. The file gets its name only when it is complete and private. A file that another
/// process has created concurrently is kept.
fn make(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // Temporary files are accessible to their owner alone, independent of the umask.
    let mut file = NamedTempFile::new_in(folder)?;
    writeln!(file, "{}", STANDARD.encode(MasterKeys::generate()))?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(error.error),
        _ => File::open(folder)?.sync_all(),
    }
}

/// Decodes a key. Errors do not contain it.
fn decode(source: &str, text: &str) -> Result<Key, WrongInput> {
    let bytes = STANDARD.decode(text.trim()).ok().and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or_else(|| {
        WrongInput(format!(
            "{source}: a master key is 32 random bytes in base64, such as `openssl rand -base64 32` prints"
        ))
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_file_is_made_once_and_is_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data/secret.key");
        assert_eq!(read(&path).unwrap(), None);
        let made: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        make(&path).unwrap();
                        read(&path).unwrap().unwrap()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(made.iter().all(|keys| keys.len() == 1 && *keys == made[0]));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
        let names: Vec<_> =
            fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["secret.key"]);
    }

    #[test]
    fn a_file_may_hold_several_keys_and_only_its_owner_may_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.key");
        let (first, second) = (STANDARD.encode([1; 32]), STANDARD.encode([2; 32]));
        fs::write(&path, format!("# 2026\n{first}\n\n{second}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let refused = read(&path).unwrap_err().to_string();
        assert!(refused.contains("mode 0640") && refused.contains("chmod 600"), "{refused}");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
        assert_eq!(read(&path).unwrap(), Some(vec![[1; 32], [2; 32]]));
    }

    #[test]
    fn an_invalid_key_is_refused_without_being_shown() {
        for text in ["", "hunter2", &STANDARD.encode([1; 31]), &"ab".repeat(32)] {
            let refused = decode("QUIRE_SECRET_KEY", text).unwrap_err().to_string();
            assert!(refused.starts_with("QUIRE_SECRET_KEY: "), "{refused}");
            assert!(text.is_empty() || !refused.contains(text), "{refused}");
        }
    }
}
