//! `turnwise chat --server https://…` through the real binary: TLS ends in a proxy before the real server, as people
//! run it. The authority is made here, and the system's own are not asked. Whoever is not who they should be gets
//! nothing, and the person is told why and what to do. Next: `remote`.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use crate::client::{Server, customers, pipe, told, turnwise};

/// An authority, with its certificate in a file.
struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    file: PathBuf,
}

impl Authority {
    fn new(folder: &Path, name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::<String>::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let file = folder.join(name);
        std::fs::write(&file, issuer.pem()).unwrap();
        Self { issuer, file }
    }

    /// A proxy that ends TLS as `name`, and passes on what comes.
    fn proxy(&self, name: &str, change: impl Fn(&mut CertificateParams), to: &str) -> Proxy {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        change(&mut params);
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .unwrap();
        Proxy::start(TlsAcceptor::from(Arc::new(config)), to.to_owned())
    }
}

/// A proxy that ends with its test.
struct Proxy {
    address: SocketAddr,
    /// Connections whose encryption stood.
    passed: Arc<AtomicUsize>,
    _runtime: tokio::runtime::Runtime,
}

impl Proxy {
    fn start(acceptor: TlsAcceptor, to: String) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let passed = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&passed);
        runtime.spawn(async move {
            while let Ok((line, _)) = listener.accept().await {
                let (acceptor, to, counted) = (acceptor.clone(), to.clone(), Arc::clone(&counted));
                tokio::spawn(async move {
                    let Ok(mut line) = acceptor.accept(line).await else { return };
                    counted.fetch_add(1, Ordering::SeqCst);
                    let mut behind = TcpStream::connect(&to).await.unwrap();
                    let _ = tokio::io::copy_bidirectional(&mut line, &mut behind).await;
                });
            }
        });
        Self { address, passed, _runtime: runtime }
    }

    fn url(&self) -> String {
        format!("https://localhost:{}", self.address.port())
    }
}

/// A chat in a pipe that trusts `authority` alone.
fn chat(url: &str, authority: &Path, more: &[&str], script: &str) -> Output {
    pipe(url, more, &[("SSL_CERT_FILE", authority.to_str().unwrap())], script)
}

#[test]
fn a_chat_over_tls_is_the_chat_as_it_is_here() {
    let state = tempfile::tempdir().unwrap();
    let tokens = state.path().join("people");
    let made = turnwise(&["token", "anna", "--tokens", tokens.to_str().unwrap()]).output().unwrap();
    let kept = state.path().join("token");
    std::fs::write(&kept, made.stdout).unwrap();
    let server = Server::start(state.path(), &["--tokens", tokens.to_str().unwrap()]);
    let authority = Authority::new(state.path(), "authority.pem");
    let proxy = authority.proxy("localhost", |_| {}, &server.address);
    let token = ["--token-file", kept.to_str().unwrap()];
    let script = "how many customers are there?\ny\n";
    let done = chat(&proxy.url(), &authority.file, &token, script);
    assert_eq!(done.status.code(), Some(0), "{}", told(&done));
    assert!(told(&done).contains(&format!("This conversation is on {}", proxy.url())), "{}", told(&done));
    assert!(told(&done).contains(&customers()), "{}", told(&done));
    assert!(!told(&done).contains("unencrypted"), "{}", told(&done));
    assert!(proxy.passed.load(Ordering::SeqCst) > 3, "it went through the proxy");
}

#[test]
fn whoever_is_not_who_they_should_be_is_told_as_such_and_gets_nothing() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &["--ephemeral"]);
    let authority = Authority::new(state.path(), "authority.pem");
    let other = Authority::new(state.path(), "other.pem");
    let namesake_folder = tempfile::tempdir().unwrap();
    let namesake = Authority::new(namesake_folder.path(), "authority.pem");
    let check = |url: &str, trusted: &Path, words: &[&str]| {
        let refused = chat(url, trusted, &[], "/status\n");
        assert_eq!(refused.status.code(), Some(1), "{}", told(&refused));
        let start = format!("error: no secure connection to {url} is possible: ");
        for words in [&[start.as_str()], words].concat() {
            assert!(told(&refused).contains(words), "{words}: {}", told(&refused));
        }
    };
    let well = authority.proxy("localhost", |_| {}, &server.address);
    for untrusting in [&other, &namesake] {
        let words = ["by an authority that this system does not trust", "SSL_CERT_FILE names"];
        check(&well.url(), &untrusting.file, &words);
    }
    let named = authority.proxy("talk.example.org", |_| {}, &server.address);
    check(&named.url(), &authority.file, &["for talk.example.org and not for this name", "by a name its certificate"]);
    let past = |params: &mut CertificateParams| {
        params.not_before = rcgen::date_time_ymd(2020, 1, 1);
        params.not_after = rcgen::date_time_ymd(2021, 1, 1);
    };
    let old = authority.proxy("localhost", past, &server.address);
    check(&old.url(), &authority.file, &["its certificate has expired", "has to be renewed"]);
    let plain = format!("https://{}", server.address);
    check(&plain, &authority.file, &["does not speak TLS", "write the address with http://"]);
    let nobody = state.path().join("nobody.pem");
    std::fs::write(&nobody, "").unwrap();
    check(&well.url(), &nobody, &["this system trusts no authorities", "in SSL_CERT_FILE"]);
    for proxy in [&well, &named, &old] {
        assert_eq!(proxy.passed.load(Ordering::SeqCst), 0, "nothing was said to whoever is not trusted");
    }
}
