/// The name of the program, which operators see. The shop's name is another one.
pub(crate) const SOFTWARE: &str = "Vitrine";
