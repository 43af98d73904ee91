//! Deserialization of a change by its operation.
//!
//! Serde's derived code for tagged enums and flattened structs loses the path of an error. A change has at most a dozen
//! keys, so its parts are read one by one, which keeps the path.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::{ContentChange, PageMetadata};
use crate::error::path;

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Operation {
    UpdatePage,
    InsertPage,
    DeletePage,
    RevertPage,
    InsertFiles,
    InsertGroup,
    InsertLink,
    InsertComputed,
    UpdateFile,
    ReplaceFile,
    DeleteFiles,
    InsertReusableContent,
    UpdateReusableContent,
    DeleteReusableContent,
}

#[derive(Deserialize)]
struct Tag {
    operation: Operation,
}

impl<'de> Deserialize<'de> for ContentChange {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let change = Value::Object(Map::deserialize(deserializer)?);
        read(&change).map_err(D::Error::custom)
    }
}

fn read(change: &Value) -> Result<ContentChange, String> {
    let Tag { operation } = part(change)?;
    Ok(match operation {
        Operation::UpdatePage => ContentChange::UpdatePage(Box::new(with_metadata(change)?)),
        Operation::InsertPage => ContentChange::InsertPage(Box::new(with_metadata(change)?)),
        Operation::InsertGroup => ContentChange::InsertGroup(Box::new(with_metadata(change)?)),
        Operation::InsertLink => ContentChange::InsertLink(Box::new(with_metadata(change)?)),
        Operation::InsertComputed => ContentChange::InsertComputed(Box::new(with_metadata(change)?)),
        Operation::DeletePage => ContentChange::DeletePage(part(change)?),
        Operation::RevertPage => ContentChange::RevertPage(part(change)?),
        Operation::InsertFiles => ContentChange::InsertFiles(part(change)?),
        Operation::UpdateFile => ContentChange::UpdateFile(part(change)?),
        Operation::ReplaceFile => ContentChange::ReplaceFile(part(change)?),
        Operation::DeleteFiles => ContentChange::DeleteFiles(part(change)?),
        Operation::InsertReusableContent => ContentChange::InsertReusableContent(part(change)?),
        Operation::UpdateReusableContent => ContentChange::UpdateReusableContent(part(change)?),
        Operation::DeleteReusableContent => ContentChange::DeleteReusableContent(part(change)?),
    })
}

/// Reads a struct that flattens [`PageMetadata`]. The metadata is read separately first, for the paths of its errors.
fn with_metadata<T: DeserializeOwned>(change: &Value) -> Result<T, String> {
    part::<PageMetadata>(change)?;
    part(change)
}

fn part<T: DeserializeOwned>(change: &Value) -> Result<T, String> {
    serde_path_to_error::deserialize(change)
        .map_err(|error| path::with_path(&error.path().to_string(), &error.inner().to_string()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn errors_know_where_they_are() {
        let id = "0197f1d0-0000-7000-8000-000000000001";
        for (change, path) in [
            (json!({"operation": "insert_page", "document": {"markdown": 1}}), "document.markdown"),
            (json!({"operation": "insert_page", "document": {}, "title": 1}), "title"),
            (json!({"operation": "insert_page", "document": {}, "layout": {"outline": 1}}), "layout.outline"),
            (json!({"operation": "insert_page", "document": {}, "layout": []}), "layout"),
            (json!({"operation": "update_page", "page": "x"}), "page"),
            (json!({"operation": "insert_files", "files": [{"name": 1}]}), "files[0].name"),
            (json!({"operation": "no_such"}), "operation"),
        ] {
            let error = serde_json::from_value::<ContentChange>(change).unwrap_err().to_string();
            assert_eq!(path::split_path(&error).0, path, "{error}");
        }
        let missing =
            serde_json::from_value::<ContentChange>(json!({"operation": "delete_page"})).unwrap_err();
        assert_eq!(missing.to_string(), "missing field `page`");
        let good = json!({"operation": "update_page", "page": id, "title": "A", "hidden": true});
        let read: ContentChange = serde_json::from_value(good.clone()).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), good);
    }
}
