//! HTTPS in front of something on this machine, with an authority of its own: what production demands of the
//! services it talks to.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::aws_lc_rs,
        pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
    },
};

/// An authority for certificates of `localhost`.
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    file: PathBuf,
}

impl Authority {
    /// Its certificate is written into `folder`, for `SSL_CERT_FILE`.
    pub fn new(folder: &Path) -> Authority {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let file = folder.join("authority.pem");
        std::fs::write(&file, issuer.pem()).unwrap();
        Authority { issuer, file }
    }

    /// For `SSL_CERT_FILE`.
    pub fn file(&self) -> String {
        self.file.display().to_string()
    }

    fn acceptor(&self) -> TlsAcceptor {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec!["localhost".to_owned(), "127.0.0.1".to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .unwrap();
        TlsAcceptor::from(Arc::new(config))
    }

    /// Hands each request on to `target` with `path` for its own path, one a connection; the address to call.
    pub async fn in_front_of(&self, target: SocketAddr, path: &'static str) -> String {
        let (listener, acceptor) = (TcpListener::bind("127.0.0.1:0").await.unwrap(), self.acceptor());
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    let mut outside = acceptor.accept(socket).await.ok()?;
                    let mut head = Vec::new();
                    while !head.ends_with(b"\r\n\r\n") {
                        head.push(outside.read_u8().await.ok()?);
                    }
                    let head = String::from_utf8(head).ok()?;
                    let (line, rest) = head.split_once("\r\n")?;
                    let method = line.split(' ').next()?;
                    let mut inside = TcpStream::connect(target).await.ok()?;
                    let head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n{rest}");
                    inside.write_all(head.as_bytes()).await.ok()?;
                    copy_bidirectional(&mut outside, &mut inside).await.ok()
                });
            }
        });
        format!("https://localhost:{}/graphql", address.port())
    }
}
