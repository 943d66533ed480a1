"""Reverse proxies with TLS in front of Portage: nginx and Caddy as packaged, configured as an operator would."""
import os
import signal
import socket
import time

from .processes import Failed, find, free_port, until


def _listens(port):
    with socket.socket() as one:
        one.settimeout(1)
        return one.connect_ex(("127.0.0.1", port)) == 0


class Nginx:
    """`rewrites` are further locations that lead to other places: {path: (address, path there)}."""

    def __init__(self, shop, certificate, servers, rewrites=None, name="nginx"):
        self.folder = shop.folder(name)
        self.port = free_port()
        self.url = f"https://localhost:{self.port}"
        self.certificate, self.servers, self.rewrites = certificate, servers, rewrites or {}
        self.configuration = self.folder / "nginx.conf"
        self.log = self.folder / "error.log"
        self._write(away=None)
        command = [find("nginx"), "-p", self.folder, "-c", self.configuration, "-e", self.log]
        self.process = shop.spawn(command, self.folder)
        until("the start of nginx", lambda: _alive(self) and _listens(self.port), 20)

    def _write(self, away):
        """`away` is the server that gets no requests."""
        folder, (certificate, key) = self.folder, self.certificate
        servers = "\n".join(
            f"    server {address} {'down' if address == away else 'max_fails=0'};" for address in self.servers
        )
        more = "\n".join(
            f"    location {path} {{ proxy_pass http://{address}{there}; proxy_http_version 1.1; }}"
            for path, (address, there) in self.rewrites.items()
        )
        temporary = "\n".join(
            f"  {kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        self.configuration.write_text(f"""
{"user root;" if os.geteuid() == 0 else ""}
daemon off;
worker_processes 1;
pid {folder}/pid;
error_log {folder}/error.log warn;
events {{ worker_connections 1024; }}
http {{
{temporary}
  log_format short '$status $upstream_status $upstream_addr $request_method $uri';
  access_log {folder}/access.log short;
  upstream portage {{
    # No server is left out after a failure (`max_fails`): with one away and one left out there would be none.
    # A refused connection goes to the other one at once.
{servers}
    keepalive 32;
    # Shorter than the five seconds after which Portage closes an idle connection: a request that is sent at the
    # moment in which its connection is closed is lost, and a POST is not sent twice.
    keepalive_timeout 4s;
  }}
  server {{
    listen 127.0.0.1:{self.port} ssl;
    ssl_certificate {certificate};
    ssl_certificate_key {key};
    client_max_body_size 1m;
{more}
    location / {{
      proxy_pass http://portage;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      # A POST that was sent is never sent to the other server (no `non_idempotent` here).
      proxy_next_upstream error timeout;
      proxy_connect_timeout 2s;
      proxy_read_timeout 90s;
    }}
  }}
}}
""")

    def tell(self, away):
        """Nothing more goes to this server (`down`), or, with None, to all again: `nginx -s reload`."""
        self._write(away)
        self.process.send_signal(signal.SIGHUP)
        # The new worker has begun when the old one says that it is leaving; a moment is enough.
        time.sleep(1)

    def told(self):
        return self.log.read_text() if self.log.exists() else ""


class Caddy:
    """With active health checks on `/readyz`, and the policy of the example in `deploy/`: Caddy's `round_robin` counts on
    one number for all requests, so that two at once may both be sent past the only server that is there (503)."""

    def __init__(self, shop, certificate, servers, name="caddy"):
        folder = shop.folder(name)
        self.port = free_port()
        self.url = f"https://localhost:{self.port}"
        certificate, key = certificate
        (folder / "Caddyfile").write_text(f"""
{{
  admin off
  auto_https off
  storage file_system {folder}/storage
}}
{self.url} {{
  bind 127.0.0.1
  tls {certificate} {key}
  reverse_proxy {" ".join(servers)} {{
    lb_policy least_conn
    lb_try_duration 5s
    lb_try_interval 100ms
    health_uri /readyz
    health_interval 500ms
    health_timeout 2s
    transport http {{
      # Shorter than the five seconds after which Portage closes an idle connection.
      keepalive 4s
    }}
  }}
}}
""")
        self.log = folder / "log"
        environment = dict(os.environ, HOME=str(folder), XDG_DATA_HOME=str(folder), XDG_CONFIG_HOME=str(folder))
        self.process = shop.spawn(
            [find("caddy"), "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"], folder, environment)
        until("the start of Caddy", lambda: _alive(self) and _listens(self.port), 20)

    def told(self):
        return self.log.read_text() if self.log.exists() else ""


def _alive(front):
    if front.process.poll() is not None:
        raise Failed(f"the proxy ended at once: {front.told()}")
    return True
