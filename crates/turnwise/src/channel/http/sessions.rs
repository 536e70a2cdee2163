//! Browser sessions: who came in with a token is known by a random name from then on, so that the token itself is
//! not kept in a browser, and coming in can be taken back. A session ends when its person signs out, when its time is
//! over, when its token is revoked, and with the server: what is kept here lives in memory, and after a restart the
//! page asks for the token again. Next: `guard`.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};

use super::guard::Digest;
use super::limits;

/// The sessions there are, by the digest of their names.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    kept: Mutex<HashMap<Digest, Kept>>,
}

#[derive(Debug)]
struct Kept {
    /// The digest of the token it was begun with.
    token: Digest,
    until: Instant,
}

impl Sessions {
    /// Begins one for whoever has the token of this digest, and gives its name, which is shown only now. Of too many of
    /// one token the one that would end first gives way.
    pub(super) fn begin(&self, token: Digest, now: Instant) -> String {
        let random = [uuid::Uuid::new_v4(), uuid::Uuid::new_v4()];
        let name: String = random.iter().map(|half| half.simple().to_string()).collect();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|_, session| session.until > now);
        let theirs = kept.iter().filter(|(_, session)| session.token == token);
        if theirs.clone().count() >= limits::SESSIONS_MAX
            && let Some(first) = theirs.min_by_key(|(_, session)| session.until).map(|(name, _)| *name)
        {
            kept.remove(&first);
        }
        let until = now + Duration::from_secs(limits::SESSION_SECONDS_MAX);
        kept.insert(digest(&name), Kept { token, until });
        name
    }

    /// The digest of the token that the session of this digest was begun with, while it lasts.
    pub(super) fn token(&self, session: &Digest, now: Instant) -> Option<Digest> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(session).filter(|session| session.until > now).map(|session| session.token)
    }

    /// Ends the session of this digest.
    pub(super) fn end(&self, session: &Digest) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).remove(session);
    }
}

/// What is kept of a name or a token: comparing it says nothing about either, and reading it lets nobody in.
pub(super) fn digest(name: &str) -> Digest {
    Digest(Sha256::digest(name.as_bytes()).into())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::super::limits;
    use super::{Sessions, digest};

    #[test]
    fn a_session_ends_with_its_time_and_the_oldest_gives_way() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        let (ada, ben) = (digest("ada"), digest("ben"));
        let whose = |name: &str, at| sessions.token(&digest(name), at);
        let of_ben = sessions.begin(ben, now);
        let later = |seconds| now + Duration::from_secs(seconds);
        let names: Vec<String> = (0..=limits::SESSIONS_MAX as u64).map(|at| sessions.begin(ada, later(at))).collect();
        let at = later(limits::SESSIONS_MAX as u64);
        assert_eq!(whose(&names[0], at), None, "one too many");
        assert!(names[1..].iter().all(|name| whose(name, at) == Some(ada)));
        assert_eq!(whose(&of_ben, at), Some(ben), "each has their own");
        assert_eq!(whose(&of_ben, later(limits::SESSION_SECONDS_MAX)), None, "its time is over");
        sessions.end(&digest(&names[1]));
        assert_eq!(whose(&names[1], at), None);
        assert_eq!(whose("", at), None);
    }
}
