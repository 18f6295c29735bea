//! The ids of items that are left out, for files in which lines do not tell items apart. The file is read once more for
//! them, so that ids are not kept in memory.

use std::collections::BTreeSet;
use std::io::BufRead;

use super::error::FileError;
use super::form::Form;
use super::options::FileOptions;
use super::report::{Report, short};
use super::row::{Field, Position};
use super::{json, json_names, xml};

/// Names the items that a report counts as left out. An item whose id cannot be read again has none.
pub(super) fn name(text: impl BufRead, options: &FileOptions, report: &mut Report) {
    let rows = report.left_out.kinds().flat_map(|(_, left_out)| &left_out.first);
    let wanted: BTreeSet<u32> = rows.map(|row| row.number).collect();
    let Some(last) = wanted.last().copied() else { return };
    let ids = &mut report.ids;
    let mut take = |Position { number, .. }, id: &dyn Fn() -> Option<String>| {
        if wanted.contains(&number)
            && let Some(id) = id()
            && !id.is_empty()
        {
            ids.insert(number, short(&id).replace(char::is_control, " "));
        }
        // Any error ends the reading.
        if number < last { Ok(()) } else { Err(FileError::Empty) }
    };
    match Form::of(text) {
        Ok((Form::Xml, text)) => {
            xml::read(text, |row| take(row.position, &|| Some(row.get(Field::Key).to_owned()))).ok();
        }
        Ok((Form::Json, text)) => {
            let columns = options.of_table().columns;
            json::each(text, &mut |position, text| take(position, &|| json_names::id(text, columns))).ok();
        }
        _ => {}
    }
}
