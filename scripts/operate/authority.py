"""A certificate authority of this run's own, by openssl."""
from .processes import call, find

NAMES = "subjectAltName=DNS:localhost,IP:127.0.0.1"


class Authority:
    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.openssl = find("openssl")
        self.certificate, self.key = folder / f"{name}-ca.pem", folder / f"{name}-ca.key"
        self._make(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-keyout", self.key, "-out", self.certificate, "-days", "30", "-subj", f"/CN={name} authority",
                    "-addext", "keyUsage=critical,keyCertSign,cRLSign"])

    def _make(self, arguments):
        call([self.openssl, *arguments])

    def issue(self, name, subject=NAMES, dates=()):
        """A certificate and its key as files. `dates` are arguments of `openssl ca`: an expired one has its own."""
        key, request, certificate = (self.folder / f"{self.name}-{name}.{end}" for end in ("key", "csr", "pem"))
        self._make(["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-keyout", key, "-out", request, "-subj", f"/CN={name}"])
        extensions = self.folder / f"{self.name}-{name}.cnf"
        index = self.folder / f"{self.name}-{name}.index"
        index.write_text("")
        extensions.write_text(f"""
[ca]
default_ca = own
[own]
database = {index}
new_certs_dir = {self.folder}
rand_serial = yes
default_md = sha256
policy = anything
unique_subject = no
[anything]
commonName = supplied
[leaf]
basicConstraints = critical,CA:FALSE
extendedKeyUsage = serverAuth
{subject.replace("=", " = ", 1)}
""")
        self._make(["ca", "-batch", "-notext", "-config", extensions, "-extensions", "leaf", "-cert", self.certificate,
                    "-keyfile", self.key, "-in", request, "-out", certificate, *(dates or ("-days", "20"))])
        return certificate, key

    def issue_expired(self, name):
        return self.issue(name, dates=("-startdate", "20200101000000Z", "-enddate", "20200201000000Z"))


def signing_key():
    """A P-256 key as Portage takes it (PKCS#8, PEM)."""
    return call([find("openssl"), "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"])
