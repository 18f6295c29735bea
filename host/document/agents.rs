//! Whether pages name what assistants are answered.

use clap::ValueEnum;

/// Whether the shop answers assistants, and offers its pages as Markdown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Agents {
    #[default]
    On,
    Off,
}
