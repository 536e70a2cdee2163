//! Open files: a connection is one. Many systems begin with 1 024 for old programs' sake and allow far more, so a
//! server asks for all it may have, and takes no more connections than fit. Next: `http::serve`.

/// Open files this process may have, after asking for as many as the system lets it have.
#[cfg(unix)]
#[must_use]
pub fn raised() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // Where raising is refused, what holds now goes on holding.
    let held = match setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        Ok(()) => maximum,
        Err(_) => current,
    };
    held.unwrap_or(u64::MAX)
}

/// Open files this process may have: there is no limit worth naming.
#[cfg(not(unix))]
#[must_use]
pub fn raised() -> u64 {
    u64::MAX
}
