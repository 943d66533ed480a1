//! Passwords: the rules, and Argon2id on a blocking thread.

use std::sync::{Arc, OnceLock};

use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version, password_hash::phc::PasswordHash};
use kernel::Email;
use secrecy::{ExposeSecret, SecretString};
use service::ports::Entropy;
use tokio::sync::Semaphore;

use crate::accounts::FieldCode;

/// Fewest characters of a new password.
pub(crate) const MIN_CHARS: usize = 10;
/// Most characters of a new password. Longer ones are not even hashed at sign-in.
pub(crate) const MAX_CHARS: usize = 200;

/// Memory in KiB, passes, lanes.
type Cost = (u32, u32, u32);

/// The first choice of OWASP's password storage cheat sheet for Argon2id, and what the crate itself
/// starts from.
const COST: Cost = (19 * 1024, 2, 1);

/// The lowest parameters that Argon2 allows.
const LEAST: Cost = (8, 1, 1);

/// May this be somebody's new password?
pub(crate) fn judge(password: &SecretString, email: Option<&Email>) -> Result<(), FieldCode> {
    let text = password.expose_secret();
    let length = text.chars().count();
    if length == 0 {
        return Err(FieldCode::Required);
    }
    if length < MIN_CHARS {
        return Err(FieldCode::PasswordTooShort);
    }
    if length > MAX_CHARS {
        return Err(FieldCode::PasswordTooLong);
    }
    if email.is_some_and(|e| e.key() == text.trim().to_lowercase()) {
        return Err(FieldCode::PasswordIsEmail);
    }
    Ok(())
}

/// Hashing could not be done at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the password could not be hashed")]
pub struct HashingFailed;

/// What checking a password found.
pub(crate) struct Checked {
    pub matches: bool,
    /// The password in today's parameters, when it matched a hash made with others.
    pub renewed: Option<String>,
}

/// Hashes and checks passwords, a few at a time: each takes 19 MiB and a core for some 25 ms, so
/// a flood of sign-ins waits here instead of taking the machine down.
#[derive(Clone)]
pub(crate) struct Hasher {
    entropy: Arc<dyn Entropy>,
    slots: Arc<Semaphore>,
    decoy: Arc<OnceLock<String>>,
    cost: Cost,
    /// Hashes are made on the spot, without a thread of their own.
    #[cfg(any(test, feature = "testing"))]
    here: bool,
}

impl Hasher {
    pub fn new(entropy: Arc<dyn Entropy>) -> Hasher {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Hasher {
            entropy,
            slots: Arc::new(Semaphore::new(cores.max(2))),
            decoy: Arc::default(),
            cost: COST,
            #[cfg(any(test, feature = "testing"))]
            here: false,
        }
    }

    /// Hashes that cost next to nothing and need no thread: for tests, of which some have virtual time, where
    /// nothing may depend on who runs first.
    #[cfg(any(test, feature = "testing"))]
    pub fn cheap(entropy: Arc<dyn Entropy>) -> Hasher {
        Hasher { cost: LEAST, here: true, ..Hasher::new(entropy) }
    }

    /// The PHC string of a password.
    pub async fn hash(&self, password: SecretString) -> Result<String, HashingFailed> {
        let (entropy, cost) = (self.entropy.clone(), self.cost);
        self.run(move || make(&*entropy, cost, password.expose_secret().as_bytes())).await
    }

    /// The PHC string, at the lowest cost, of a password that a stronger hash would not protect: one that is published, or a
    /// random one that nobody is told. The first sign-in replaces it by a hash of full cost ([`Checked::renewed`]).
    pub async fn hash_lightly(&self, password: SecretString) -> Result<String, HashingFailed> {
        let entropy = self.entropy.clone();
        self.run(move || make(&*entropy, LEAST, password.expose_secret().as_bytes())).await
    }

    /// Checks a password. Without a stored hash (`None`: nobody has that address) it works just as
    /// long and finds no match.
    pub async fn check(&self, password: SecretString, stored: Option<String>) -> Result<Checked, HashingFailed> {
        let (entropy, cost) = (self.entropy.clone(), self.cost);
        let decoy = self.decoy.clone();
        self.run(move || {
            let typed = password.expose_secret();
            if typed.chars().count() > MAX_CHARS {
                return Ok(Checked { matches: false, renewed: None });
            }
            let (phc, real) = match stored {
                Some(phc) => (phc, true),
                None => {
                    let made = match decoy.get() {
                        Some(made) => made.clone(),
                        None => make(&*entropy, cost, b"nobody's password")?,
                    };
                    (decoy.get_or_init(|| made).clone(), false)
                }
            };
            let parsed = PasswordHash::new(&phc).map_err(|_| HashingFailed)?;
            let argon = argon(cost)?;
            let matches = argon.verify_password(typed.as_bytes(), &parsed).is_ok() && real;
            let renewed =
                if matches && outdated(&parsed, cost) { Some(make(&*entropy, cost, typed.as_bytes())?) } else { None };
            Ok(Checked { matches, renewed })
        })
        .await
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, HashingFailed> + Send + 'static,
    ) -> Result<T, HashingFailed> {
        let _slot = self.slots.acquire().await.map_err(|_| HashingFailed)?;
        #[cfg(any(test, feature = "testing"))]
        if self.here {
            return work();
        }
        tokio::task::spawn_blocking(work).await.map_err(|_| HashingFailed)?
    }
}

fn argon((memory, passes, lanes): Cost) -> Result<Argon2<'static>, HashingFailed> {
    let params = Params::new(memory, passes, lanes, None).map_err(|_| HashingFailed)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn make(entropy: &dyn Entropy, cost: Cost, password: &[u8]) -> Result<String, HashingFailed> {
    let mut salt = [0u8; 16];
    entropy.fill(&mut salt);
    let hash: PasswordHash = argon(cost)?.hash_password_with_salt(password, &salt).map_err(|_| HashingFailed)?;
    Ok(hash.to_string())
}

fn outdated(hash: &PasswordHash, cost: Cost) -> bool {
    Params::try_from(hash)
        .map_or(true, |p| hash.algorithm.as_str() != "argon2id" || (p.m_cost(), p.t_cost(), p.p_cost()) != cost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Numbers;

    fn hasher() -> Hasher {
        Hasher::new(Arc::new(Numbers::default()))
    }

    #[test]
    fn the_rules() {
        let email: Email = "ana@example.test".parse().unwrap();
        let judge = |p: &str| judge(&p.to_owned().into(), Some(&email));
        assert_eq!(judge(""), Err(FieldCode::Required));
        assert_eq!(judge("123456789"), Err(FieldCode::PasswordTooShort));
        assert_eq!(judge("1234567890"), Ok(()));
        assert_eq!(judge("九个字的密码不够长吧"), Ok(()), "ten characters, not ten bytes");
        assert_eq!(judge(&"x".repeat(200)), Ok(()));
        assert_eq!(judge(&"x".repeat(201)), Err(FieldCode::PasswordTooLong));
        assert_eq!(judge("ANA@example.test"), Err(FieldCode::PasswordIsEmail));
    }

    #[tokio::test]
    async fn right_wrong_and_nobody() {
        let hasher = hasher();
        let phc = hasher.hash("correct horse".to_owned().into()).await.unwrap();
        assert!(phc.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{phc}");
        let check =
            |password: &str, stored: Option<&str>| hasher.check(password.to_owned().into(), stored.map(str::to_owned));
        assert!(check("correct horse", Some(&phc)).await.unwrap().matches);
        assert!(!check("correct Horse", Some(&phc)).await.unwrap().matches);
        assert!(!check("nobody's password", None).await.unwrap().matches, "the decoy lets nobody in");
        assert_ne!(phc, hasher.hash("correct horse".to_owned().into()).await.unwrap(), "a salt each");
    }

    #[tokio::test]
    async fn weak_hashes_are_renewed() {
        let hasher = hasher();
        let light = hasher.hash_lightly("correct horse".to_owned().into()).await.unwrap();
        assert!(light.contains("m=8,t=1,p=1"), "{light}");
        let wrong = hasher.check("correct Horse".to_owned().into(), Some(light.clone())).await.unwrap();
        assert!(!wrong.matches && wrong.renewed.is_none());
        let checked = hasher.check("correct horse".to_owned().into(), Some(light)).await.unwrap();
        assert!(checked.matches && checked.renewed.is_some_and(|h| h.contains("m=19456")));
    }
}
