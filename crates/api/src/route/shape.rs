//! Schemas of bodies and responses, generated with the OpenAPI document.

use quire_domain::list::List;
use utoipa::openapi::{ArrayBuilder, Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Schema with the schemas that it refers to.
pub struct Shape {
    /// Name for references.
    pub name: String,
    /// Schema.
    pub schema: RefOr<Schema>,
    /// Schemas that it refers to, by name.
    pub others: Vec<(String, RefOr<Schema>)>,
}

impl Shape {
    /// Returns the shape of a type.
    #[must_use]
    pub fn of<T: ToSchema>() -> Self {
        let mut others = Vec::new();
        T::schemas(&mut others);
        Self { name: T::name().into_owned(), schema: <T as PartialSchema>::schema(), others }
    }

    /// Returns the shape of a list with its envelope.
    pub(super) fn of_list<T: ToSchema>() -> Self
    where
        List<T>: ToSchema,
    {
        let mut shape = Self::of::<List<T>>();
        let item = Self::of::<T>();
        shape.others.extend(item.others);
        // Each list has a schema name of its own, because a shared name would describe only the items of the last list.
        shape.name = format!("{}List", item.name);
        shape.others.push((item.name, item.schema));
        shape
    }

    /// Returns the shape of an array without an envelope.
    pub(super) fn of_array<T: ToSchema>() -> Self {
        let Self { name, schema, others } = Self::of::<T>();
        let items = Ref::from_schema_name(name.as_str());
        let array = ArrayBuilder::new().items(items).build();
        let others = others.into_iter().chain([(name.clone(), schema)]).collect();
        Self { name: format!("{name}Array"), schema: array.into(), others }
    }
}

/// Function that returns a shape. Routes hold the function, because only the OpenAPI document needs the shape.
pub type MakeShape = fn() -> Shape;

/// Content of a body or a response.
#[derive(Clone, Copy)]
pub enum Content {
    /// JSON of this shape.
    Json(MakeShape),
    /// Form whose parts are the keys of this shape.
    Form(MakeShape),
    /// Other media type.
    Media(&'static str),
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use actix_web::HttpResponse;
    use utoipa::openapi::{RefOr, Schema};
    use utoipa::{PartialSchema, ToSchema};

    use crate::route::{Access, Route, Tag};

    /// Type that must not be described.
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
        let route = Route::post(Tag::Service.at("/", None), Access::Public, "Answers", answer);
        let route = route.body::<Undescribed>().form::<Undescribed>().async_response::<Undescribed>();
        let route = route.answers::<Undescribed>(200).answers_array::<Undescribed>();
        assert_eq!(route.bodies.len(), 2);
    }
}
