//! Functions of PostgreSQL that statements of the query builder call.

use diesel::sql_types::{Array, BigInt, Inet, Integer, Nullable, SingleValue, Text, Uuid};

#[diesel::declare_sql_function]
extern "SQL" {
    /// The array without a value.
    fn array_remove(array: Nullable<Array<Nullable<Uuid>>>, value: Uuid) -> Nullable<Array<Nullable<Uuid>>>;
    /// The number of elements.
    fn cardinality(array: Array<Nullable<Uuid>>) -> Integer;
    /// The first of two values that is not null.
    fn coalesce<ST: SingleValue>(first: Nullable<ST>, second: Nullable<ST>) -> Nullable<ST>;
    /// A number for a text, the same at all times.
    fn hashtextextended(text: Text, seed: BigInt) -> BigInt;
    /// The address as text, without its mask.
    fn host(address: Nullable<Inet>) -> Nullable<Text>;
    /// The text in lower case.
    fn lower(text: Text) -> Text;
    /// Takes a lock until the transaction ends. The result is `void`, which is not read.
    fn pg_advisory_xact_lock(key: BigInt) -> Text;
    /// Takes a lock until the transaction ends, unless another transaction has it. Returns whether it was taken.
    fn pg_try_advisory_xact_lock(key: BigInt) -> Bool;
    /// The part with this number, from 1, between delimiters.
    fn split_part(text: Text, delimiter: Text, part: Integer) -> Text;
    /// The position of a part in a text, from 1; 0 if it is not in it.
    fn strpos(text: Text, part: Text) -> Integer;
}
