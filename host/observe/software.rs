/// The name of the program, which operators see. The shop has a name of its own.
pub(crate) const SOFTWARE: &str = "Vitrine";
