//! Whether the sandbox is wanted, and how far the kernel enforces it.

use std::fmt;

use clap::ValueEnum;

/// Whether the kernel restricts what the worker may do with files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sandbox {
    #[default]
    On,
    Off,
}

/// How far the kernel enforces the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enforcement {
    Full,
    /// The kernel is older than some of the rules.
    Partial,
    /// The kernel has no Landlock, or it is not switched on.
    Unsupported,
    /// The settings say so.
    Off,
}

impl Enforcement {
    /// A few words for people.
    pub fn text(self) -> &'static str {
        match self {
            Self::Full => "fully enforced",
            Self::Partial => "partly enforced by this kernel",
            Self::Unsupported => "not supported by this kernel",
            Self::Off => "off",
        }
    }
}

impl fmt::Display for Enforcement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.text())
    }
}
