//! Changes that add, rename, replace or remove files.

use quire_domain::content::{DeleteFiles, InsertFiles, ReplaceFile, UpdateFile};
use quire_domain::ids::FileId;
use quire_domain::texts::FileName;
use quire_revision::FileNode;

use super::editor::Editor;
use super::problems::Problems;
use crate::media;

impl Editor<'_> {
    pub(super) fn insert_files(&mut self, index: usize, change: InsertFiles) -> Result<(), Problems> {
        for (number, file) in change.files.into_iter().enumerate() {
            let here = format!("files[{number}]");
            let name = checked_name(file.name).map_err(|problems| problems.below(&here))?;
            let stored = self
                .context
                .attachments
                .get(index, number)
                .ok_or_else(|| Problems::new(here.as_str(), "has no bytes"))?;
            let id = FileId::from_uuid(self.changes.inserted().get(index, number));
            let node = FileNode {
                id,
                name,
                content_type: stored.content_type.clone(),
                size: stored.size,
                dimensions: stored.dimensions,
                blob: stored.blob,
                created_at: Some(self.context.now.millis()),
                git: None,
            };
            self.tree.insert_file(node).map_err(|error| Problems::new(here.as_str(), error.to_string()))?;
            self.files.push(id);
        }
        Ok(())
    }

    pub(super) fn update_file(&mut self, change: UpdateFile) -> Result<(), Problems> {
        let UpdateFile { file: id, name } = change;
        let name = checked_name(name)?;
        let present = self.tree.file(id).cloned().ok_or_else(|| no_such_file("file"))?;
        self.tree.update_file(FileNode { name, ..present }).map_err(|_| no_such_file("file"))
    }

    pub(super) fn replace_file(&mut self, change: ReplaceFile) -> Result<(), Problems> {
        let ReplaceFile { file: id, by } = change;
        if id == by {
            return Err(Problems::new("by", "must be another file"));
        }
        self.tree.file(id).ok_or_else(|| no_such_file("file"))?;
        let other = self.tree.file(by).cloned().ok_or_else(|| no_such_file("by"))?;
        self.tree.remove_file(by).map_err(|_| no_such_file("by"))?;
        self.files.retain(|added| *added != by);
        self.tree.update_file(FileNode { id, ..other }).map_err(|_| no_such_file("file"))
    }

    pub(super) fn delete_files(&mut self, change: &DeleteFiles) -> Result<(), Problems> {
        for (number, id) in change.files.iter().enumerate() {
            self.tree.remove_file(*id).map_err(|_| no_such_file(&format!("files[{number}]")))?;
            self.files.retain(|added| added != id);
        }
        Ok(())
    }
}

fn checked_name(name: FileName) -> Result<String, Problems> {
    let name = name.into_text().map_err(|error| Problems::new("name", error.to_string()))?;
    media::check_file_name(&name).map_err(|message| Problems::new("name", message))?;
    Ok(name)
}

fn no_such_file(field: &str) -> Problems {
    Problems::new(field, "does not exist")
}
