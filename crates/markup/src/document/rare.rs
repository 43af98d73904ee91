//! Optional parts of nodes that are usually empty.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::slice;
use std::sync::LazyLock;

use super::Fragment;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// A part that is empty in most nodes of a document, stored in one machine word. Dereferences to an empty value when
/// absent.
#[derive(Clone)]
pub struct Rare<T>(Option<Box<T>>);

/// Type with a static empty value, which is read if the part is absent.
pub trait Absent: Default + 'static {
    /// Returns the empty part.
    fn absent() -> &'static Self;
}

impl Absent for Map<String, Value> {
    fn absent() -> &'static Self {
        static EMPTY: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
        &EMPTY
    }
}

impl Absent for Vec<Fragment> {
    fn absent() -> &'static Self {
        static EMPTY: Vec<Fragment> = Vec::new();
        &EMPTY
    }
}

impl<T> Rare<T> {
    /// Returns the part for a change if it is present. Mutable dereferencing would create an absent one.
    pub fn present_mut(&mut self) -> Option<&mut T> {
        self.0.as_deref_mut()
    }
}

impl<T: Absent> Rare<T> {
    /// Returns the part.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.0.map(|part| *part).unwrap_or_default()
    }
}

impl<T> Default for Rare<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Absent> Deref for Rare<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.0 {
            Some(part) => part,
            None => T::absent(),
        }
    }
}

impl<T: Absent> DerefMut for Rare<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

impl<T: Absent + PartialEq> From<T> for Rare<T> {
    fn from(part: T) -> Self {
        Self((part != *T::absent()).then(|| Box::new(part)))
    }
}

impl<T: Absent + PartialEq> PartialEq for Rare<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Absent + fmt::Debug> fmt::Debug for Rare<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

impl<T: Absent + Serialize> Serialize for Rare<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'a> IntoIterator for &'a Rare<Vec<Fragment>> {
    type Item = &'a Fragment;
    type IntoIter = slice::Iter<'a, Fragment>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Rare<Vec<Fragment>> {
    type Item = &'a mut Fragment;
    type IntoIter = slice::IterMut<'a, Fragment>;

    fn into_iter(self) -> Self::IntoIter {
        self.present_mut().map(Vec::as_mut_slice).unwrap_or_default().iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_part_is_an_empty_one() {
        let mut part: Rare<Map<String, Value>> = Rare::default();
        assert!(part.is_empty() && part.present_mut().is_none() && size_of_val(&part) == size_of::<usize>());
        let _: &mut Map<String, Value> = &mut part;
        assert_eq!(part, Rare::default());
        part.insert("a".to_owned(), 1.into());
        assert_ne!(part, Rare::default());
        assert_eq!(Rare::from(part.clone().into_inner()), part);
        assert!(Rare::from(Map::new()).0.is_none());
    }
}
