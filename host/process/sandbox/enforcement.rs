//! Whether the sandbox is wanted, and how far the kernel enforces it.

use std::fmt;

use clap::ValueEnum;

/// Whether the kernel restricts what the worker may do with files and programs.
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
    /// Not enforced: the kernel cannot do it, has it switched off or failed, or the architecture has no known rules.
    Unsupported,
    /// The settings switch the rules off.
    Off,
}

impl Enforcement {
    /// A few words for people.
    pub fn text(self) -> &'static str {
        match self {
            Self::Full => "fully enforced",
            Self::Partial => "partly enforced by this kernel",
            Self::Unsupported => "not supported on this machine",
            Self::Off => "off",
        }
    }
}

/// How far the kernel enforces each kind of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restrictions {
    /// What may be done with files, sockets and other processes (Landlock).
    pub files: Enforcement,
    /// Which system calls are refused (seccomp).
    pub calls: Enforcement,
}

impl Restrictions {
    /// Both kinds of rules are off.
    pub const OFF: Self = Self { files: Enforcement::Off, calls: Enforcement::Off };
}

impl fmt::Display for Restrictions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.files, self.calls) {
            (files, calls) if files == calls => files.fmt(formatter),
            (files, calls) => write!(formatter, "files: {files}; system calls: {calls}"),
        }
    }
}

impl fmt::Display for Enforcement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.text())
    }
}
