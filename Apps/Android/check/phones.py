"""Checks without a picture at first: which phone is meant, and one that has not allowed debugging."""

import contextlib
import os
import socketserver
import subprocess
import threading

from world import until

# The same adbd at another address: to adb it is another phone.
OTHER = "192.0.2.1:5555"


def two_phones(check, serial):
    """With two phones one has to be named, and both can be shared at once."""
    check.prepare()
    until(lambda: "connected" in adb("connect", OTHER), "a second phone")
    try:
        refused = subprocess.run(
            [check.program, "share", "--android", "--android-server", check.server],
            capture_output=True, text=True, timeout=30,
        )  # fmt: skip
        said = refused.stdout + refused.stderr
        if refused.returncode == 0 or not all(each in said for each in ("More than one phone", serial, OTHER)):
            raise RuntimeError(f"not told to choose: {said}")
        with check.host("--codec", "h264") as one, check.host("--codec", "h264", serial=OTHER) as other:
            pages = [check.page(host)[0] for host in (one, other)]
            for page in pages:
                check.moves(page)
                page.close()
    finally:
        adb("disconnect", OTHER)
    return "has to choose; both shared at once"


def adb(*arguments):
    return subprocess.run(["adb", *arguments], capture_output=True, text=True).stdout


class UnauthorizedADB(socketserver.ThreadingTCPServer):
    """A server that speaks adb's protocol and knows one phone, which has not allowed debugging."""

    allow_reuse_address = True
    daemon_threads = True

    class RequestHandlerClass(socketserver.BaseRequestHandler):
        def handle(self):
            request = self.request.recv(4)
            request = self.request.recv(int(request, 16)).decode() if request else ""
            if not request.startswith(("host:track-devices", "host:devices")):
                answer = "0029" if request == "host:version" else f"FAIL{len(request):04x}{request}"
                self.request.sendall(f"OKAY0004{answer}".encode() if answer == "0029" else answer.encode())
                return
            phones = "0123456789ABCDEF\tunauthorized\n"
            self.request.sendall(f"OKAY{len(phones):04x}{phones}".encode())
            # Who tracks the list hears nothing more.
            if "track" in request:
                with contextlib.suppress(OSError):
                    self.request.recv(1)

    def __init__(self):
        super().__init__(("127.0.0.1", 0), self.RequestHandlerClass)
        threading.Thread(target=self.serve_forever, daemon=True).start()


def unauthorised(check):
    """A phone that has not allowed debugging: the list and the start say what to do at it."""
    server = UnauthorizedADB()
    environment = {**os.environ, "ANDROID_ADB_SERVER_PORT": str(server.server_address[1])}
    try:
        listed = subprocess.run(
            [check.program, "share", "--list-android"], capture_output=True, text=True, timeout=30, env=environment)
        if "tap 'Allow'" not in listed.stdout:
            raise RuntimeError(f"the list does not say it: {listed.stdout}{listed.stderr}")
        start = subprocess.Popen(
            [check.program, "share", "--android", "--android-server", check.server],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
        )  # fmt: skip
        line = start.stdout.readline()
        start.terminate()
        start.wait()
        if "tap 'Allow'" not in line:
            raise RuntimeError(f"the start does not say it: {line}")
    finally:
        server.shutdown()
        server.server_close()
    return line.strip()
