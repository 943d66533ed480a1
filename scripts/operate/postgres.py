"""A PostgreSQL of this run's own."""
import glob
import os
import pathlib
import shutil

from .processes import Failed, call, free_port, until, without_rights


def programs():
    """The folder of `initdb`, the newest version first."""
    on_path = shutil.which("initdb")
    folders = [pathlib.Path(on_path).parent] if on_path else []
    installed = glob.glob("/usr/lib/postgresql/*/bin")
    installed.sort(key=lambda path: int(path.split("/")[-2]), reverse=True)
    for folder in [pathlib.Path(p) for p in installed] + folders:
        if all((folder / name).is_file() for name in ("initdb", "postgres", "psql", "pg_dump", "pg_restore")):
            return folder
    raise Failed("PostgreSQL's programs were not found")


class Postgres:
    """A cluster reached over the loopback device, durable as a real one is."""

    def __init__(self, shop):
        self.bin = programs()
        self.port = free_port()
        # Not the name of a server that works on it: that one has a folder, too.
        folder = shop.folder("cluster")
        rights, ids = without_rights()
        if ids:
            os.chown(folder, *ids)
        data = folder / "data"
        call([self.bin / "initdb", "-D", data, "-U", "portage", "--auth=trust", "--encoding=UTF8", "--locale=C"],
             cwd=folder, **rights)
        settings = {
            "listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": folder,
            "max_connections": 200, "shared_buffers": "64MB",
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        self.server = shop.spawn([self.bin / "postgres", "-D", data, *options], folder, user=rights)
        until("the start of PostgreSQL", self._answers, 60)

    def _answers(self):
        try:
            self.psql("postgres", "SELECT 1")
            return True
        except Failed:
            return False

    def _to(self, database):
        return ["-h", "127.0.0.1", "-p", str(self.port), "-U", "portage", "-d", database]

    def psql(self, database, sql):
        """Rows of a query, each a list of texts."""
        out = call([self.bin / "psql", *self._to(database), "-XAtq", "-F", "\t", "-c", sql])
        return [line.split("\t") for line in out.splitlines()]

    def create(self, database):
        self.psql("postgres", f'CREATE DATABASE "{database}"')
        return f"postgres://portage@127.0.0.1:{self.port}/{database}"

    def dump(self, database, file):
        call([self.bin / "pg_dump", *self._to(database), "-Fc", "-f", file])

    def restore(self, database, file):
        call([self.bin / "pg_restore", *self._to(database), "--no-owner", "--exit-on-error", file])
