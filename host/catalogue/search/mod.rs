//! How texts are searched.

mod text;

pub(crate) use text::fold;
