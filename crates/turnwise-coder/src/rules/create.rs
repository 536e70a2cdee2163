//! Creating: a new file with the text that was said, and only where none is. What is said becomes the file as it is,
//! and nothing is added to it but the end of its last line. Next: `make`.

use turnwise_assistant::place::FilePath;

use super::Trouble;
use super::make::Made;
use crate::edit::{Draft, Edit};

pub(super) fn make(draft: &mut Draft<'_>, path: &str, text: &str) -> Result<Made, Trouble> {
    let path = FilePath::new(path)?;
    draft.edit(&Edit::Create { path: path.clone(), text: text.to_owned() })?;
    Ok(Made { title: format!("Create {path}"), notes: Vec::new() })
}
