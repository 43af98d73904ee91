//! Storage of this crate's and the domain's types in PostgreSQL columns, through diesel.

/// Implements diesel's traits for a type that a column of the SQL type `$sql` holds in the form of `$stored`.
///
/// `$read` converts the stored form to a value; its error becomes an error of deserialization. `$write` converts a
/// reference to the stored form. The crate that calls the macro needs `diesel` among its dependencies.
#[macro_export]
macro_rules! column_type {
    ($($type:ty: $sql:ty as $stored:ty, $read:expr, $write:expr;)+) => {$(
        impl ::diesel::deserialize::FromSql<$sql, ::diesel::pg::Pg> for $type {
            fn from_sql(bytes: ::diesel::pg::PgValue<'_>) -> ::diesel::deserialize::Result<Self> {
                let stored = <$stored as ::diesel::deserialize::FromSql<$sql, ::diesel::pg::Pg>>::from_sql(bytes)?;
                Ok($read(stored)?)
            }
        }

        impl ::diesel::deserialize::Queryable<$sql, ::diesel::pg::Pg> for $type {
            type Row = Self;

            fn build(row: Self) -> ::diesel::deserialize::Result<Self> {
                Ok(row)
            }
        }

        impl ::diesel::serialize::ToSql<$sql, ::diesel::pg::Pg> for $type {
            fn to_sql<'b>(
                &'b self,
                out: &mut ::diesel::serialize::Output<'b, '_, ::diesel::pg::Pg>,
            ) -> ::diesel::serialize::Result {
                let stored = $write(self);
                ::diesel::serialize::ToSql::<$sql, ::diesel::pg::Pg>::to_sql(&stored, &mut out.reborrow())
            }
        }

        impl ::diesel::serialize::ToSql<::diesel::sql_types::Nullable<$sql>, ::diesel::pg::Pg> for $type {
            fn to_sql<'b>(
                &'b self,
                out: &mut ::diesel::serialize::Output<'b, '_, ::diesel::pg::Pg>,
            ) -> ::diesel::serialize::Result {
                ::diesel::serialize::ToSql::<$sql, ::diesel::pg::Pg>::to_sql(self, out)
            }
        }

        $crate::column_type!(@bound $type, $sql, $sql);
        $crate::column_type!(@bound $type, $sql, ::diesel::sql_types::Nullable<$sql>);
    )+};
    (@bound $type:ty, $sql:ty, $expression:ty) => {
        impl ::diesel::expression::AsExpression<$expression> for $type {
            type Expression = ::diesel::internal::derives::as_expression::Bound<$expression, Self>;

            fn as_expression(self) -> Self::Expression {
                ::diesel::internal::derives::as_expression::Bound::new(self)
            }
        }

        impl<'e> ::diesel::expression::AsExpression<$expression> for &'e $type {
            type Expression = ::diesel::internal::derives::as_expression::Bound<$expression, Self>;

            fn as_expression(self) -> Self::Expression {
                ::diesel::internal::derives::as_expression::Bound::new(self)
            }
        }
    };
}

column_type! {
    crate::Position: diesel::sql_types::Text as String,
        |stored: String| stored.parse::<Self>(), |position: &Self| position.to_string();
    crate::TreeHash: diesel::sql_types::Binary as Vec<u8>,
        |stored| sha256_of_column(stored).map(Self::from_bytes), |hash: &Self| hash.as_bytes().to_vec();
    crate::DocumentId: diesel::sql_types::Binary as Vec<u8>,
        |stored| sha256_of_column(stored).map(Self::from_bytes), |hash: &Self| hash.as_bytes().to_vec();
    crate::BlobHash: diesel::sql_types::Binary as Vec<u8>,
        |stored| sha256_of_column(stored).map(Self::from_bytes), |hash: &Self| hash.as_bytes().to_vec();
}

fn sha256_of_column(stored: Vec<u8>) -> Result<[u8; 32], &'static str> {
    stored.try_into().map_err(|_| "a stored hash does not have 32 bytes")
}
