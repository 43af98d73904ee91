//! File bytes: permissions for other accounts of the machine.

use std::os::unix::fs::PermissionsExt as _;

use quire_storage::content::files::FileStore;

#[test]
fn a_new_folder_of_files_is_for_its_owner_alone() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("data").join("files");
    drop(FileStore::in_folder(&folder).unwrap());
    assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o077, 0);
    // An existing folder keeps the permissions that its owner chose.
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o750)).unwrap();
    drop(FileStore::in_folder(&folder).unwrap());
    assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o750);
}
