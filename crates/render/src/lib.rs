#![doc = include_str!("../README.md")]

mod address;
mod api;
mod block;
mod blocks;
mod diff;
mod highlight;
mod icons;
mod inline;
mod language;
mod limits;
mod listing;
mod math;
mod page;
mod references;
mod render;
mod resolve;
mod summary;
mod words;

pub use address::{image_address, link_address};
pub use diff::{DifferenceView, render_difference};
pub use highlight::Highlighter;
pub use icons::{Symbol, icon_name, symbols};
pub use page::{Heading, Options, Rendered};
pub use quire_markup::frames::FRAME_HOSTS;
pub use references::{ApiPart, References, references};
pub use render::{render, render_api};
pub use resolve::{ApiPiece, Resolved, Resolver, Target};
pub use summary::{reading_minutes, summary, word_count};
pub use words::Words;
