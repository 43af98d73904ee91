//! Values of columns whose types say less than those of the domain, for `#[diesel(deserialize_as = …)]` on fields.

use std::num::TryFromIntError;

use diesel::deserialize::{self, FromStaticSqlRow, Queryable};
use diesel::pg::Pg;

/// Elements of an array. The types of arrays allow nulls, which no array has.
#[derive(Debug)]
pub struct Elements<T>(T);

/// Optional number that is never negative.
#[derive(Debug)]
pub struct Number<T>(T);

/// Implements diesel's trait for a wrapper around the value of a column.
macro_rules! queryable {
    ($($wrapper:ident)+) => {$(
        impl<T, ST> Queryable<ST, Pg> for $wrapper<T>
        where
            T: FromStaticSqlRow<ST, Pg>,
        {
            type Row = T;

            fn build(row: T) -> deserialize::Result<Self> {
                Ok(Self(row))
            }
        }
    )+};
}

queryable!(Elements Number);

impl<T> From<Elements<Vec<Option<T>>>> for Vec<T> {
    fn from(elements: Elements<Vec<Option<T>>>) -> Self {
        elements.0.into_iter().flatten().collect()
    }
}

impl<T> From<Elements<Option<Vec<Option<T>>>>> for Option<Vec<T>> {
    fn from(elements: Elements<Option<Vec<Option<T>>>>) -> Self {
        elements.0.map(|elements| elements.into_iter().flatten().collect())
    }
}

impl TryFrom<Number<Option<i32>>> for Option<u16> {
    type Error = TryFromIntError;

    fn try_from(number: Number<Option<i32>>) -> Result<Self, TryFromIntError> {
        number.0.map(u16::try_from).transpose()
    }
}

impl TryFrom<Number<Option<i64>>> for Option<u64> {
    type Error = TryFromIntError;

    fn try_from(number: Number<Option<i64>>) -> Result<Self, TryFromIntError> {
        number.0.map(u64::try_from).transpose()
    }
}
