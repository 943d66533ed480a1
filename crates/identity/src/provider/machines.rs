//! Partners' machines.

use kernel::PartnerId;
use secrecy::SecretString;
use service::ports::{StoreError, identity::MachineClient};

use crate::{Identity, secret};

/// A machine client just made. The secret is shown this once.
#[derive(Debug, Clone)]
pub struct NewMachineClient {
    /// `partner-` and 16 hexadecimal digits.
    pub client_id: String,
    /// 43 characters of base64url.
    pub client_secret: SecretString,
}

/// Why no machine client was made.
#[derive(Debug, thiserror::Error)]
pub enum MachineClientError {
    /// A name is needed, of at most 80 characters.
    #[error("a machine client needs a name of at most 80 characters")]
    Name,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Identity {
    /// Makes a client that may fetch tokens on a partner's behalf.
    ///
    /// # Errors
    /// See [`MachineClientError`].
    pub async fn add_machine_client(
        &self,
        partner: PartnerId,
        name: &str,
    ) -> Result<NewMachineClient, MachineClientError> {
        let name = name.trim().to_owned();
        if name.is_empty() || name.chars().count() > 80 {
            return Err(MachineClientError::Name);
        }
        let mut random = [0u8; 8];
        self.deps.entropy.fill(&mut random);
        let client_id = format!("partner-{:016x}", u64::from_be_bytes(random));
        let (client_secret, secret_hash) = secret::fresh(&*self.deps.entropy);
        let client = MachineClient {
            client_id: client_id.clone(),
            secret_hash,
            partner_id: partner,
            name,
            created_at: self.now(),
            disabled_at: None,
        };
        let (deps, now) = (self.deps.clone(), self.now());
        self.deps
            .store
            .write(move |u| {
                if !u.machine_clients().insert(&client)? {
                    return Err(StoreError::Duplicate("machine_clients.client_id".to_owned()));
                }
                deps.trail(now, None, None).note(u, "machine_client.create", &client.client_id)
            })
            .await?;
        Ok(NewMachineClient { client_id, client_secret: client_secret.into() })
    }
}
