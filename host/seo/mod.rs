//! What search engines and link previews read: the head and its structured data, and the files
//! that lead to the pages.

mod description;
pub mod discovery;
mod head;
mod robots;
mod structured_data;

pub use head::Head;
pub use robots::{is_indexable, robots};
