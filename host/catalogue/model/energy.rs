//! Energy classes of the European Union.

use serde::{Deserialize, Serialize};

/// The classes, from the best.
const CLASSES: [&str; 10] = ["A+++", "A++", "A+", "A", "B", "C", "D", "E", "F", "G"];

/// An energy class on its scale, such as C of A to G.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "[String; 3]", into = "[String; 3]")]
pub struct EnergyClass {
    class: u8,
    best: u8,
    worst: u8,
}

impl EnergyClass {
    /// The class with the best and the worst one of its scale, which is A to G if they are blank. `None` if a class is not
    /// known, or the class is not on the scale.
    pub(crate) fn parse(class: &str, best: &str, worst: &str) -> Option<Self> {
        let place = |text: &str, usual: &str| {
            let text = if text.trim().is_empty() { usual } else { text.trim() };
            CLASSES.iter().position(|class| class.eq_ignore_ascii_case(text)).map(|place| place as u8)
        };
        let usual = if class.contains('+') { "A+++" } else { "A" };
        let energy = Self { class: place(class, "")?, best: place(best, usual)?, worst: place(worst, "G")? };
        (energy.best..=energy.worst).contains(&energy.class).then_some(energy)
    }

    /// The class, and the best and the worst one of its scale.
    pub(crate) fn names(self) -> [&'static str; 3] {
        // Every place is one of the list.
        [self.class, self.best, self.worst]
            .map(|place| CLASSES.get(usize::from(place)).copied().unwrap_or_default())
    }
}

impl From<EnergyClass> for [String; 3] {
    fn from(energy: EnergyClass) -> Self {
        energy.names().map(String::from)
    }
}

impl TryFrom<[String; 3]> for EnergyClass {
    type Error = &'static str;

    fn try_from([class, best, worst]: [String; 3]) -> Result<Self, Self::Error> {
        Self::parse(&class, &best, &worst).ok_or("no energy class")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_on_its_scale() {
        let names = |class, best, worst| EnergyClass::parse(class, best, worst).map(EnergyClass::names);
        assert_eq!(names("c", "", ""), Some(["C", "A", "G"]));
        assert_eq!(names("A++", "", "D"), Some(["A++", "A+++", "D"]));
        assert_eq!(names("A+", "A+++", "D"), Some(["A+", "A+++", "D"]));
        for (class, best, worst) in
            [("", "", ""), ("H", "", ""), ("E", "A", "D"), ("A", "B", "G"), ("A", "x", "")]
        {
            assert_eq!(names(class, best, worst), None, "{class} of {best} to {worst}");
        }
    }
}
