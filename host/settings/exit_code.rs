//! The codes that every command exits with.

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitCode {
    /// It did what it was asked for.
    Done,
    /// It could not.
    Failed,
    /// The command line, a variable, the settings file or the certificate is wrong, so it did not begin.
    Usage,
}

impl ExitCode {
    pub(crate) const EVERY: [Self; 3] = [Self::Done, Self::Failed, Self::Usage];

    /// The number that the process exits with. Scripts rely on it: it never changes.
    pub(crate) fn number(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
        }
    }

    /// When a command exits with this code, as the documentation says it.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Self::Done => {
                "Done. The storefront was ended by SIGTERM, Ctrl-C or (without `--supervise`) SIGHUP, and \
                 finished what it was answering; `check` found no error; `healthcheck` found a storefront that \
                 serves."
            }
            Self::Failed => {
                "Failed. The storefront could not be started, also because a limit on address space (`ulimit -v`) \
                 leaves the engine no room, or was ended at once by a second signal; `check` \
                 found an error, or with `--strict` a warning; `healthcheck` got no good answer in time. One line \
                 on standard error says why."
            }
            Self::Usage => {
                "Not begun. The command line, an environment variable, the settings file or the certificate is wrong; \
                 the message on standard error names it and says what is expected."
            }
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        code.number().into()
    }
}
