//! The files of a project in one ZIP archive, for taking along and bringing back where nobody reaches the disk. Next:
//! `mod`.

use std::io::{Cursor, Read as _, Result, Write as _};

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::Files;
use super::read::{BYTES_MAX, FILES_MAX, wrong};

/// The files as an archive, in a folder named `folder`.
///
/// # Errors
/// When they cannot be packed.
pub fn pack(folder: &str, files: &Files) -> Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, content) in &files.0 {
        archive.start_file(format!("{folder}/{path}"), SimpleFileOptions::default())?;
        archive.write_all(content)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// The files of an archive: those in the folder that holds `project.md`, wherever in it that is.
///
/// # Errors
/// When it is no archive, or is too large when it is unpacked.
pub fn unpack(packed: &[u8]) -> Result<Files> {
    let unreadable = |error: zip::result::ZipError| wrong(format!("that is no ZIP archive that can be read ({error})"));
    let mut archive = ZipArchive::new(Cursor::new(packed)).map_err(unreadable)?;
    if archive.len() > FILES_MAX {
        return Err(wrong(format!("there are more than {FILES_MAX} files in that archive")));
    }
    let names = archive.file_names().map(|name| name.map(|name| name.into_owned()));
    let names: Vec<String> = names.collect::<std::result::Result<_, _>>().map_err(unreadable)?;
    let head =
        names.iter().filter(|name| name.rsplit('/').next() == Some(super::PROJECT)).min_by_key(|name| name.len());
    let folder = head.map(|head| head[..head.len() - super::PROJECT.len()].to_owned()).unwrap_or_default();
    let (mut files, mut bytes) = (Files::default(), 0);
    for name in names {
        let Some(path) = name.strip_prefix(folder.as_str()).filter(|path| !path.ends_with('/')) else { continue };
        let mut content = Vec::new();
        let file = archive.by_name(&name).map_err(unreadable)?;
        // What an archive says of its lengths is not believed.
        file.take(BYTES_MAX + 1).read_to_end(&mut content)?;
        bytes += content.len();
        if content.len() as u64 > BYTES_MAX || bytes > UNPACKED_BYTES_MAX {
            return Err(wrong("that archive holds more than can be brought in".to_owned()));
        }
        files.0.insert(path.to_owned(), content);
    }
    Ok(files)
}

/// Bytes of a project's files.
const UNPACKED_BYTES_MAX: usize = 256 << 20;
