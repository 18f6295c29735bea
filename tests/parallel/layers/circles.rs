//! Files that import each other.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::uses::Use;

/// For each set of files that reach each other, the shortest circle through its first file.
pub(crate) fn circles(uses: &[Use]) -> Vec<Vec<Use>> {
    let mut steps: BTreeMap<&str, Vec<&Use>> = BTreeMap::new();
    for step in uses.iter().filter(|step| step.target.is_some()) {
        steps.entry(&step.file).or_default().push(step);
    }
    let mut done = BTreeSet::new();
    let mut found = Vec::new();
    for file in steps.keys() {
        if done.contains(file) {
            continue;
        }
        if let Some(circle) = shortest(&steps, file) {
            done.extend(together(&steps, file));
            found.push(circle.into_iter().cloned().collect());
        }
    }
    found
}

/// The files that a file reaches and that reach it.
fn together<'a>(steps: &BTreeMap<&'a str, Vec<&'a Use>>, file: &str) -> BTreeSet<&'a str> {
    let reached = reached(steps, file);
    reached.into_iter().filter(|other| self::reached(steps, other).contains(file)).collect()
}

fn reached<'a>(steps: &BTreeMap<&'a str, Vec<&'a Use>>, file: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut left: Vec<&str> = vec![file];
    while let Some(from) = left.pop() {
        for target in steps.get(from).into_iter().flatten().filter_map(|step| step.target.as_deref()) {
            if reached.insert(target) {
                left.push(target);
            }
        }
    }
    reached
}

/// The shortest way from a file back to itself.
fn shortest<'a>(steps: &BTreeMap<&'a str, Vec<&'a Use>>, file: &str) -> Option<Vec<&'a Use>> {
    // The step that first led to each file.
    let mut led: BTreeMap<&str, &Use> = BTreeMap::new();
    let mut left: VecDeque<&str> = VecDeque::from([file]);
    while let Some(from) = left.pop_front() {
        for step in steps.get(from).into_iter().flatten() {
            let Some(target) = step.target.as_deref() else { continue };
            if led.contains_key(target) {
                continue;
            }
            led.insert(target, step);
            if target == file {
                let mut way = vec![*step];
                while let Some(before) = way.last().filter(|step| step.file != file) {
                    let before = led[before.file.as_str()];
                    way.push(before);
                }
                way.reverse();
                return Some(way);
            }
            left.push_back(target);
        }
    }
    None
}
