//! Packages of Node that tests run with, installed once into the build folder, whoever of several tests comes first.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files of a folder of tests beside their packages, in the build folder, which keeps them out of the tree; else
/// why they cannot be had.
pub fn prepared(name: &str) -> Result<PathBuf, String> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    // Tests run at once, as threads or as processes: the others wait for the one that installs.
    let lock = File::create(folder.with_extension("lock")).map_err(|error| error.to_string())?;
    lock.lock().map_err(|error| error.to_string())?;
    for file in fs::read_dir(&own).map_err(|error| error.to_string())? {
        let file = file.map_err(|error| error.to_string())?.path();
        if let (true, Some(name)) = (file.is_file(), file.file_name()) {
            fs::copy(&file, folder.join(name)).map_err(|error| error.to_string())?;
        }
    }
    // What was installed stands beside the packages only once all of them are there.
    let (wanted, installed) = (fs::read(own.join("package.json")).ok(), folder.join("node_modules/.installed"));
    if fs::read(&installed).ok() != wanted {
        let ran = Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--no-package-lock", "--silent"])
            .current_dir(&folder)
            .output()
            .map_err(|error| format!("npm: {error}"))?;
        if !ran.status.success() {
            return Err(format!("npm install: {}", String::from_utf8_lossy(&ran.stderr)));
        }
        fs::write(installed, wanted.unwrap_or_default()).map_err(|error| error.to_string())?;
    }
    Ok(folder)
}
