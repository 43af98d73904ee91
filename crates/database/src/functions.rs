//! PostgreSQL functions for the query builder.

use diesel::sql_types::{Array, BigInt, Inet, Integer, Nullable, SingleValue, Text, Uuid};

#[diesel::declare_sql_function]
extern "SQL" {
    /// Returns the array without a value.
    fn array_remove(array: Nullable<Array<Nullable<Uuid>>>, value: Uuid) -> Nullable<Array<Nullable<Uuid>>>;
    /// Returns the number of elements.
    fn cardinality(array: Array<Nullable<Uuid>>) -> Integer;
    /// Returns the first of two values that is not null.
    fn coalesce<ST: SingleValue>(first: Nullable<ST>, second: Nullable<ST>) -> Nullable<ST>;
    /// Returns a 64-bit hash of a text that is stable over time.
    fn hashtextextended(text: Text, seed: BigInt) -> BigInt;
    /// Returns the address as text, without its netmask.
    fn host(address: Nullable<Inet>) -> Nullable<Text>;
    /// Returns the text in lower case.
    fn lower(text: Text) -> Text;
    /// Takes a lock until the transaction ends. The result is `void` and is not read.
    fn pg_advisory_xact_lock(key: BigInt) -> Text;
    /// Takes a lock until the transaction ends, unless another transaction holds it. Returns whether it was taken.
    fn pg_try_advisory_xact_lock(key: BigInt) -> Bool;
    /// Returns the field with this number, from 1, between delimiters.
    fn split_part(text: Text, delimiter: Text, part: Integer) -> Text;
    /// Returns the position of a part in a text, from 1; 0 if the text does not contain it.
    fn strpos(text: Text, part: Text) -> Integer;
}
