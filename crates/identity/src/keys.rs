//! The keys tokens are signed with: ES256, one that signs and any number that still verify.
//!
//! They live in one PEM file with one or more PKCS#8 private keys: the first signs, the others
//! belong to tokens already issued. To rotate, put a new key in front ([`SigningKeys::rotate`]),
//! restart, and remove the old one when its last token has expired (15 minutes later).

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use base64::{Engine, engine::general_purpose::STANDARD};
use jsonwebtoken::{
    Algorithm, DecodingKey, EncodingKey, Header,
    jwk::{Jwk, JwkSet, PublicKeyUse, ThumbprintHash},
};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;

const FILE: &str = "identity-signing.pem";
const BEGIN: &str = "-----BEGIN ";

/// Where the keys come from.
#[derive(Debug, Clone)]
pub enum KeySource {
    /// A folder; the file in it is made when it is missing.
    Folder(PathBuf),
    /// The PEM text itself, so that several replicas sign alike.
    Pem(SecretString),
}

/// Why there are no keys.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file cannot be read or written.
    #[error("the signing keys at {path} cannot be used: {source}")]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Not PEM with PKCS#8 EC P-256 private keys.
    #[error("the signing keys must be one or more PKCS#8 PEM private keys on the curve P-256")]
    Unusable,
    /// The crypto library refused to make a key.
    #[error("no signing key could be generated")]
    Generation,
}

/// A signing key and those that still verify. Cheap to clone.
#[derive(Clone)]
pub struct SigningKeys {
    inner: Arc<Inner>,
}

struct Inner {
    signer: EncodingKey,
    keys: Vec<VerifyingKey>,
}

struct VerifyingKey {
    kid: String,
    jwk: Jwk,
    decoding: DecodingKey,
}

impl std::fmt::Debug for SigningKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.inner.keys.iter().map(|k| &k.kid)).finish()
    }
}

impl SigningKeys {
    /// Loads the keys; makes the first one (file mode 0600) when the folder has none.
    ///
    /// # Errors
    /// When the file cannot be read or written, or holds something else.
    pub fn load(source: &KeySource) -> Result<SigningKeys, KeyError> {
        match source {
            KeySource::Pem(text) => SigningKeys::from_pem(text.expose_secret()),
            KeySource::Folder(folder) => {
                let path = folder.join(FILE);
                if !path.exists() {
                    let fresh = generate()?;
                    create(folder, &path, &fresh).map_err(|source| KeyError::File { path: path.clone(), source })?;
                }
                let text = fs::read_to_string(&path).map_err(|source| KeyError::File { path, source })?;
                SigningKeys::from_pem(&text)
            }
        }
    }

    /// Puts a new signing key in front of those in the folder.
    ///
    /// # Errors
    /// As [`SigningKeys::load`].
    pub fn rotate(folder: &Path) -> Result<SigningKeys, KeyError> {
        SigningKeys::load(&KeySource::Folder(folder.to_owned()))?;
        let path = folder.join(FILE);
        let replace = || -> io::Result<Result<String, KeyError>> {
            let old = fs::read_to_string(&path)?;
            let fresh = match generate() {
                Ok(pem) => pem,
                Err(error) => return Ok(Err(error)),
            };
            let text = format!("{fresh}{old}");
            let draft = draft(folder, &text)?;
            fs::rename(draft, &path)?;
            Ok(Ok(text))
        };
        let text = replace().map_err(|source| KeyError::File { path: path.clone(), source })??;
        SigningKeys::from_pem(&text)
    }

    fn from_pem(text: &str) -> Result<SigningKeys, KeyError> {
        let mut signer = None;
        let mut keys = Vec::new();
        for block in text.split(BEGIN).skip(1) {
            let pem = format!("{BEGIN}{block}");
            let private = EncodingKey::from_ec_pem(pem.as_bytes()).map_err(|_| KeyError::Unusable)?;
            let mut jwk = Jwk::from_encoding_key(&private, Algorithm::ES256).map_err(|_| KeyError::Unusable)?;
            // RFC 7638: the same key has the same name on every replica.
            let kid = jwk.thumbprint(ThumbprintHash::SHA256).map_err(|_| KeyError::Unusable)?;
            jwk.common.key_id = Some(kid.clone());
            jwk.common.public_key_use = Some(PublicKeyUse::Signature);
            let decoding = DecodingKey::from_jwk(&jwk).map_err(|_| KeyError::Unusable)?;
            keys.push(VerifyingKey { kid, jwk, decoding });
            signer.get_or_insert(private);
        }
        let signer = signer.ok_or(KeyError::Unusable)?;
        let keys = SigningKeys { inner: Arc::new(Inner { signer, keys }) };
        // A P-384 key gets this far; it cannot sign ES256.
        keys.sign("JWT", &serde_json::json!({})).map_err(|_| KeyError::Unusable)?;
        Ok(keys)
    }

    /// The public keys, as served at `jwks_uri`.
    pub fn jwks(&self) -> JwkSet {
        JwkSet { keys: self.inner.keys.iter().map(|k| k.jwk.clone()).collect() }
    }

    /// Signs `claims` as a JWT of type `typ`.
    pub(crate) fn sign(&self, typ: &str, claims: &impl Serialize) -> Result<String, jsonwebtoken::errors::Error> {
        let mut header = Header::new(Algorithm::ES256);
        header.typ = Some(typ.to_owned());
        header.kid = self.inner.keys.first().map(|k| k.kid.clone());
        jsonwebtoken::encode(&header, claims, &self.inner.signer)
    }

    /// The public key of that name.
    pub(crate) fn verifying(&self, kid: &str) -> Option<&DecodingKey> {
        self.inner.keys.iter().find(|k| k.kid == kid).map(|k| &k.decoding)
    }
}

/// A new private key. It draws on the crypto library's own generator, the one place where
/// randomness is not a parameter: a key anybody could replay would not be one.
fn generate() -> Result<String, KeyError> {
    let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).map_err(|_| KeyError::Generation)?;
    let document = pair.to_pkcs8v1().map_err(|_| KeyError::Generation)?;
    let body = STANDARD.encode(document.as_ref());
    let mut pem = String::from("-----BEGIN PRIVATE KEY-----\n");
    let mut rest = body.as_str();
    while !rest.is_empty() {
        let (line, after) = rest.split_at(rest.len().min(64));
        pem.push_str(line);
        pem.push('\n');
        rest = after;
    }
    pem.push_str("-----END PRIVATE KEY-----\n");
    Ok(pem)
}

/// Makes the file unless it exists. Two programs starting at once end up with one key: both write
/// a draft, the first link wins.
fn create(folder: &Path, path: &Path, text: &str) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    let draft = draft(folder, text)?;
    let linked = fs::hard_link(&draft, path);
    fs::remove_file(&draft)?;
    match linked {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        other => other,
    }
}

fn draft(folder: &Path, text: &str) -> io::Result<PathBuf> {
    let path = folder.join(format!("{FILE}.{}.draft", std::process::id()));
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_once_and_only_for_us() {
        let folder = tempfile::tempdir().unwrap();
        let source = KeySource::Folder(folder.path().join("keys"));
        let first = SigningKeys::load(&source).unwrap();
        let again = SigningKeys::load(&source).unwrap();
        assert_eq!(first.jwks(), again.jwks());
        let jwk = serde_json::to_value(&first.jwks().keys[0]).unwrap();
        assert_eq!(
            (jwk["kty"].as_str(), jwk["crv"].as_str(), jwk["use"].as_str(), jwk["alg"].as_str()),
            (Some("EC"), Some("P-256"), Some("sig"), Some("ES256"))
        );
        assert!(jwk.get("d").is_none(), "the private part must never be served");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(folder.path().join("keys").join(FILE)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn rotation_keeps_the_old_key_for_checking() {
        let folder = tempfile::tempdir().unwrap();
        let old = SigningKeys::load(&KeySource::Folder(folder.path().to_owned())).unwrap();
        let new = SigningKeys::rotate(folder.path()).unwrap();
        let kid = |keys: &SigningKeys| keys.jwks().keys[0].common.key_id.clone().unwrap();
        assert_ne!(kid(&old), kid(&new));
        assert!(new.verifying(&kid(&old)).is_some());
        assert_eq!(new.jwks().keys.len(), 2);
    }

    #[test]
    fn nonsense_is_refused() {
        for bad in ["", "hello", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
            assert!(SigningKeys::load(&KeySource::Pem(bad.to_owned().into())).is_err(), "{bad:?}");
        }
    }
}
