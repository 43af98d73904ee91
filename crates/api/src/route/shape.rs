//! The schemas of bodies and answers, made when the OpenAPI document is.

use quire_domain::list::List;
use utoipa::openapi::{ArrayBuilder, Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A schema and those it refers to.
pub struct Shape {
    /// The name it is referred to by.
    pub name: String,
    /// The schema.
    pub schema: RefOr<Schema>,
    /// All schemas it refers to, by name.
    pub others: Vec<(String, RefOr<Schema>)>,
}

impl Shape {
    /// The shape of a type.
    #[must_use]
    pub fn of<T: ToSchema>() -> Self {
        let mut others = Vec::new();
        T::schemas(&mut others);
        Self { name: T::name().into_owned(), schema: <T as PartialSchema>::schema(), others }
    }

    /// The shape of a list with its envelope.
    pub(super) fn of_list<T: ToSchema>() -> Self
    where
        List<T>: ToSchema,
    {
        let mut shape = Self::of::<List<T>>();
        let item = Self::of::<T>();
        shape.others.extend(item.others);
        // Every list has a schema of its own: one name for all would show the items of the last.
        shape.name = format!("{}List", item.name);
        shape.others.push((item.name, item.schema));
        shape
    }

    /// The shape of an array without an envelope.
    pub(super) fn of_array<T: ToSchema>() -> Self {
        let Self { name, schema, others } = Self::of::<T>();
        let items = Ref::from_schema_name(name.as_str());
        let array = ArrayBuilder::new().items(items).build();
        let others = others.into_iter().chain([(name.clone(), schema)]).collect();
        Self { name: format!("{name}Array"), schema: array.into(), others }
    }
}

/// Makes a shape. Only the OpenAPI document needs shapes, so a route holds this instead.
pub type MakeShape = fn() -> Shape;

/// Content of a body or an answer.
#[derive(Clone, Copy)]
pub enum Content {
    /// JSON of this shape.
    Json(MakeShape),
    /// A form whose parts are the keys of this shape.
    Form(MakeShape),
    /// Another media type.
    Media(&'static str),
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use actix_web::HttpResponse;
    use utoipa::openapi::{RefOr, Schema};
    use utoipa::{PartialSchema, ToSchema};

    use crate::route::{Access, Route, Tag};

    /// A type that must not be described.
    struct Undescribed;

    impl PartialSchema for Undescribed {
        fn schema() -> RefOr<Schema> {
            panic!("a schema is made")
        }
    }

    impl ToSchema for Undescribed {
        fn name() -> Cow<'static, str> {
            panic!("a schema is named")
        }
    }

    async fn answer() -> HttpResponse {
        HttpResponse::Ok().finish()
    }

    #[test]
    fn a_route_makes_no_shape_before_it_is_asked_for() {
        let route = Route::post(Tag::Service.at("/", None), "answer", Access::Public, "Answers", answer);
        let route = route.body::<Undescribed>().form::<Undescribed>().or_later::<Undescribed>();
        let route = route.answers::<Undescribed>(200).answers_array::<Undescribed>();
        assert_eq!(route.bodies.len(), 2);
    }
}
