//! Deserialization of structs from objects only. Serde would accept lists of their values as well.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::patch::Patch;

struct Strict<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Strict<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(entries))
            }
        }

        deserializer.deserialize_map(Object(PhantomData)).map(Self)
    }
}

/// Reads an optional key with an object, which cannot be null.
///
/// # Errors
/// Other values.
pub(crate) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Strict::<T>::deserialize(deserializer).map(|object| Some(object.0))
}

/// Reads an object.
///
/// # Errors
/// Other values.
pub(crate) fn object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    Ok(Strict::<T>::deserialize(deserializer)?.0)
}

/// Reads a list of objects.
///
/// # Errors
/// Other values, and items that are not objects.
pub(crate) fn objects<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    Ok(Vec::<Strict<T>>::deserialize(deserializer)?.into_iter().map(|item| item.0).collect())
}

/// Reads an optional key with a list of objects.
///
/// # Errors
/// Other values.
pub(crate) fn present_objects<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<T>>, D::Error> {
    objects(deserializer).map(Some)
}

/// Reads objects by name.
///
/// # Errors
/// Other values.
pub(crate) fn objects_by_name<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, T>, D::Error> {
    let objects = BTreeMap::<String, Strict<T>>::deserialize(deserializer)?;
    Ok(objects.into_iter().map(|(name, object)| (name, object.0)).collect())
}

/// Reads an optional key with objects by name.
///
/// # Errors
/// Other values.
pub(crate) fn present_by_name<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<BTreeMap<String, T>>, D::Error> {
    objects_by_name(deserializer).map(Some)
}

/// Reads a list of `MIN` to `MAX` objects.
///
/// # Errors
/// The errors of [`objects`], and a number of items out of bounds.
pub(crate) fn bounded<'de, T: Deserialize<'de>, D: Deserializer<'de>, const MIN: usize, const MAX: usize>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    counted::<_, _, MIN, MAX>(Vec::deserialize(deserializer)?)
}

/// Returns the objects of a list of `MIN` to `MAX`.
fn counted<T, E: serde::de::Error, const MIN: usize, const MAX: usize>(
    items: Vec<Strict<T>>,
) -> Result<Vec<T>, E> {
    if (MIN..=MAX).contains(&items.len()) {
        return Ok(items.into_iter().map(|item| item.0).collect());
    }
    Err(E::custom(format!("must have {MIN} to {MAX} items, has {}", items.len())))
}

/// Reads a key of a PATCH body with an object or null.
///
/// # Errors
/// Other values.
pub(crate) fn patch<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Patch<T>, D::Error> {
    Ok(Option::<Strict<T>>::deserialize(deserializer)?.map_or(Patch::Clear, |object| Patch::Set(object.0)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Sample {
        a: u8,
    }

    #[test]
    fn lists_are_no_objects() {
        assert_eq!(objects::<Sample, _>(json!([{"a": 1}])).unwrap(), [Sample { a: 1 }]);
        assert!(objects::<Sample, _>(json!([[1]])).is_err());
        assert_eq!(patch::<Sample, _>(json!({"a": 1})).unwrap(), Patch::Set(Sample { a: 1 }));
        assert_eq!(patch::<Sample, _>(json!(null)).unwrap(), Patch::Clear);
        assert!(patch::<Sample, _>(json!([])).is_err());
    }
}
