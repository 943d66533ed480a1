"""Processes in a folder of their own, which end and disappear with the run."""
import atexit
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time


class Failed(Exception):
    """A part could not be started, or a claim did not hold."""


def find(*names):
    """The first of these programs there is; servers are often installed where a user's path does not lead."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin", "/sbin"])
    for name in names:
        found = shutil.which(name, path=path)
        if found:
            return found
    raise Failed(f"none of {', '.join(names)} was found")


_given = set()


def free_port():
    """A port nobody listens on, and that this run has not given away yet."""
    while True:
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        if port not in _given:
            _given.add(port)
            return port


def until(what, done, seconds=60.0, pause=0.1):
    """Waits for something to become true, and gives what it was."""
    end = time.monotonic() + seconds
    while True:
        value = done()
        if value:
            return value
        if time.monotonic() > end:
            raise Failed(f"{what} did not happen within {seconds:.0f} s")
        time.sleep(pause)


class Workshop:
    """A temporary folder with everything that runs in it."""

    def __init__(self, name):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix=f"portage-{name}-"))
        # Servers that drop their rights must get through it; what is in it is closed by itself.
        self.path.chmod(0o711)
        self._running = []
        atexit.register(self.close)
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda n, _: sys.exit(128 + n))

    def folder(self, name):
        path = self.path / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    def spawn(self, arguments, folder, environment=None, log="log", user=None):
        """Starts a program whose output goes to a file."""
        with open(pathlib.Path(folder) / log, "ab") as out:
            child = subprocess.Popen(
                [str(a) for a in arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                stdout=out, stderr=out, **(user or {}),
            )
        self._running.append(child)
        return child

    def close(self):
        for child in reversed(self._running):
            if child.poll() is None:
                child.terminate()
        end = time.monotonic() + 5
        for child in reversed(self._running):
            try:
                child.wait(max(0.1, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        self._running.clear()
        if os.environ.get("OPERATE_KEEP"):
            return
        shutil.rmtree(self.path, ignore_errors=True)


def without_rights():
    """Arguments of `Popen` for a user that is not root, and its ids; both empty unless this is root."""
    if os.geteuid() != 0:
        return {}, None
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}, (user.pw_uid, user.pw_gid)
    raise Failed(f"there is no user to run PostgreSQL as: neither postgres nor nobody")


def call(arguments, **kw):
    """Runs a program to its end; its output, or `Failed` with what it said."""
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, **kw)
    if done.returncode != 0:
        raise Failed(f"{arguments[0]} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout
