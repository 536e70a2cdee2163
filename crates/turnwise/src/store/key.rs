//! The key that decision references are signed with. It belongs to a store: whoever can read the store's conversations
//! can read the key beside it and nobody else can, so a reference that verifies was issued by someone who may see what
//! it decides on. Next: `driver::reference`.

use std::fmt;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::StoreError;

/// 32 random bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningKey([u8; BYTES]);

impl SigningKey {
    /// One that nobody else has.
    ///
    /// # Errors
    /// When the system has no randomness to give.
    pub fn random() -> Result<Self, StoreError> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(|error| StoreError::Randomness(error.to_string()))?;
        Ok(Self(bytes))
    }

    /// The key of the store in the file `store`, made on first use.
    ///
    /// # Errors
    /// When it cannot be read or made, is no key, or others than its owner may read it.
    pub fn beside(store: &Path) -> Result<Self, StoreError> {
        let path = path_beside(store);
        match std::fs::read(&path) {
            Ok(bytes) => checked(&path, &bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                make(&path).map_err(|error| unusable(&path, error.to_string()))?;
                let bytes = std::fs::read(&path).map_err(|error| unusable(&path, error.to_string()))?;
                checked(&path, &bytes)
            }
            Err(error) => Err(unusable(&path, error.to_string())),
        }
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Keys are never shown, not even to whoever reads a log.
impl fmt::Debug for SigningKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("SigningKey(…)")
    }
}

fn path_beside(store: &Path) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push(".key");
    PathBuf::from(name)
}

/// Written whole under another name and then given its own, which fails where another process was faster: nobody ever
/// reads half a key, and nobody's references lose theirs.
fn make(path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let key = SigningKey::random()?;
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{}", uuid::Uuid::now_v7().simple()));
    let draft = PathBuf::from(draft);
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&draft)?;
    file.write_all(&key.0)?;
    file.sync_all()?;
    let linked = std::fs::hard_link(&draft, path);
    std::fs::remove_file(&draft)?;
    match linked {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error.into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn checked(path: &Path, bytes: &[u8]) -> Result<SigningKey, StoreError> {
    #[cfg(unix)]
    {
        let found = std::fs::metadata(path).map_err(|error| unusable(path, error.to_string()))?;
        let mode = std::os::unix::fs::PermissionsExt::mode(&found.permissions());
        if mode & 0o077 != 0 {
            return Err(unusable(path, format!("others may read it: its mode is {:03o}", mode & 0o777)));
        }
    }
    let length = bytes.len();
    let bytes = bytes.try_into().map_err(|_| unusable(path, format!("it has {length} bytes instead of {BYTES}")))?;
    Ok(SigningKey(bytes))
}

fn unusable(path: &Path, reason: String) -> StoreError {
    StoreError::Key { path: path.to_owned(), reason }
}

/// As many as the digest has that the signature is made with; more would not make it stronger.
const BYTES: usize = 32;

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::{SigningKey, path_beside};

    #[test]
    fn a_key_is_made_once_and_only_its_owner_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("t.db");
        let first = SigningKey::beside(&store).unwrap();
        assert!(SigningKey::beside(&store).unwrap() == first);
        assert!(SigningKey::beside(&folder.path().join("u.db")).unwrap() != first);
        let files = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(files, 2, "nothing but the two keys is left behind");
        #[cfg(unix)]
        {
            let mode =
                |path| std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(path).unwrap().permissions()) & 0o777;
            assert_eq!(mode(path_beside(&store)), 0o600);
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_key_that_others_may_read_or_that_is_cut_short_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("t.db");
        SigningKey::beside(&store).unwrap();
        let open = std::fs::Permissions::from_mode(0o644);
        std::fs::set_permissions(path_beside(&store), open).unwrap();
        let error = SigningKey::beside(&store).unwrap_err();
        assert!(error.to_string().ends_with("(others may read it: its mode is 644)"), "{error}");
        std::fs::set_permissions(path_beside(&store), std::fs::Permissions::from_mode(0o600)).unwrap();
        std::fs::write(path_beside(&store), "short").unwrap();
        let error = SigningKey::beside(&store).unwrap_err();
        assert!(error.to_string().ends_with("(it has 5 bytes instead of 32)"), "{error}");
    }

    #[test]
    fn of_processes_that_make_it_at_once_all_get_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("t.db");
        let keys: Vec<SigningKey> = std::thread::scope(|scope| {
            let made: Vec<_> = (0..8).map(|_| scope.spawn(|| SigningKey::beside(&store).unwrap())).collect();
            made.into_iter().map(|made| made.join().unwrap()).collect()
        });
        assert!(keys.windows(2).all(|pair| pair[0] == pair[1]));
    }
}
