#!/usr/bin/python3
"""A WHIP server (RFC 9725) of which the WebRTC was written by no one here: WHIP is spoken here, and a stack gets the offer.

    whip.py janus|aiortc|libwebrtc|gstreamer --port PORT [--token TOKEN] [options]

Says by lines what happens: `listening`, `offer STATUS`, `session NUMBER`, `delete NUMBER`, and what the stack says.
"""

import argparse
import http.server
import json
import os
import ssl
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

BODY_LIMIT = 1 << 16
lock = threading.Lock()


def say(*words):
    with lock:
        print(*words, flush=True)


class Refused(Exception):
    """The stack takes no such offer."""


class Janus:
    """Debian's Janus with its video room: what comes is forwarded as plain RTP."""

    def __init__(self, options):
        self.api = f"http://127.0.0.1:{options.api}/janus"
        self.forward = options.forward
        self.numbers = 0
        self.session = self.ask(self.api, janus="create")["data"]["id"]
        self.path = f"{self.api}/{self.session}"
        self.room = 1
        self.call(
            self.attach(), request="create", room=self.room, videocodec=options.video, audiocodec="opus", publishers=8,
            permanent=False,
        )
        self.events = {}
        self.came = threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()

    def ask(self, path, **message):
        self.numbers += 1
        message["transaction"] = str(self.numbers)
        request = urllib.request.Request(path, json.dumps(message).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            answer = json.load(answer)
        if answer["janus"] == "error":
            raise Refused(answer["error"]["reason"])
        return answer

    def attach(self):
        return self.ask(self.path, janus="attach", plugin="janus.plugin.videoroom")["data"]["id"]

    def call(self, handle, **body):
        answer = self.ask(f"{self.path}/{handle}", janus="message", body=body)
        data = answer["plugindata"]["data"]
        if "error" in data:
            raise Refused(data["error"])
        return data

    def listen(self):
        while True:
            try:
                with urllib.request.urlopen(f"{self.path}?maxev=1", timeout=60) as answer:
                    event = json.load(answer)
            except OSError:
                os._exit(1)
            kind, sender = event["janus"], event.get("sender")
            if kind in ("webrtcup", "media", "hangup", "slowlink"):
                say("janus", kind, event.get("type", event.get("reason", "")), event.get("receiving", ""))
            if kind == "event" and ("jsep" in event or "error" in event["plugindata"]["data"]):
                with self.came:
                    self.events[sender] = event
                    self.came.notify_all()

    def open(self, sdp):
        """Gives the answer, and the session's own name."""
        handle = self.attach()
        self.ask(
            f"{self.path}/{handle}", janus="message", jsep={"type": "offer", "sdp": sdp},
            body={"request": "joinandconfigure", "room": self.room, "ptype": "publisher", "display": "whip"},
        )
        with self.came:
            if not self.came.wait_for(lambda: handle in self.events, 20):
                raise Refused("no answer")
            event = self.events.pop(handle)
        data = event["plugindata"]["data"]
        if "error" in data:
            raise Refused(data["error"])
        streams = []
        for kind, port, payload_type in zip(("video", "audio"), self.forward, (96, 111)):
            streams += [
                {"mid": stream["mid"], "host": "127.0.0.1", "port": port, "pt": payload_type}
                for stream in data.get("streams", [])
                if stream["type"] == kind
            ]
        self.call(handle, request="rtp_forward", room=self.room, publisher_id=data["id"], host="127.0.0.1", streams=streams)
        return event["jsep"]["sdp"], handle

    def close(self, handle):
        self.ask(f"{self.path}/{handle}", janus="detach")


class Stack:
    """One of the peers beside this program, one for each session: it says what it sees."""

    def __init__(self, options):
        self.options = options

    def open(self, sdp):
        program = Path(__file__).with_name("peer.py")
        command = ["/usr/bin/python3", program, self.options.stack, "--role", "answer", "--codec-profile", self.options.profile]
        for kind in ("video", "sound"):
            if f"m={'audio' if kind == 'sound' else kind} " in sdp:
                command += [f"--{kind}", "receive"]
        peer = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.tell(peer, type="configure")
        self.tell(peer, type="offer", sdp=sdp)
        answer, candidates = None, []
        for line in peer.stdout:
            line = json.loads(line)
            if line["type"] == "answer":
                answer = line["sdp"]
            elif line["type"] == "candidate" and line["candidate"]:
                candidates.append(line["candidate"])
            elif line["type"] == "candidate":
                break
            elif line["type"] == "error":
                peer.kill()
                raise Refused(line["text"])
        if not answer:
            raise Refused("no answer")
        threading.Thread(target=self.listen, args=[peer], daemon=True).start()
        return self.whole(answer, candidates), peer

    @staticmethod
    def tell(peer, **message):
        peer.stdin.write(json.dumps(message) + "\n")
        peer.stdin.flush()

    @staticmethod
    def listen(peer):
        for line in peer.stdout:
            say("peer", line.strip())

    @staticmethod
    def whole(sdp, candidates):
        """The answer with its candidates: they are the first section's, as all is bundled there."""
        lines = sdp.splitlines()
        sections = [index for index, line in enumerate(lines) if line.startswith("m=")] + [len(lines)]
        lines[sections[1] : sections[1]] = [f"a={candidate}" for candidate in candidates] + ["a=end-of-candidates"]
        return "\r\n".join(lines) + "\r\n"

    @staticmethod
    def close(peer):
        peer.stdin.close()
        peer.wait(5)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    sessions = {}
    count = 0
    busy = 0

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        if self.command == "POST":
            say("offer", status)

    def is_let_in(self):
        token = self.options.token
        return not token or self.headers.get("Authorization") == f"Bearer {token}"

    def do_POST(self):
        size = int(self.headers.get("Content-Length", 0))
        if size > BODY_LIMIT:
            return self.answer(413)
        offer = self.rfile.read(size).decode()
        if self.path == "/elsewhere":
            return self.answer(307, Location="whip/endpoint?from=elsewhere")
        if self.path == "/round":
            return self.answer(308, Location="/round")
        if not self.path.startswith("/whip/endpoint"):
            return self.answer(404)
        if not self.is_let_in():
            return self.answer(401, WWW_Authenticate="Bearer")
        if Handler.busy < self.options.busy:
            Handler.busy += 1
            return self.answer(503, Retry_After="1")
        if self.headers.get("Content-Type") != "application/sdp":
            return self.answer(415)
        try:
            answer, session = self.stack.open(offer)
        except Refused as why:
            say("refused", why)
            return self.answer(406)
        with lock:
            Handler.count += 1
            number = Handler.count
        self.sessions[number] = session
        fields = {"Link": self.options.link} if self.options.link else {}
        self.answer(
            201, answer.encode(), Content_Type="application/sdp", Location=f"/whip/session/{number}", ETag=f'"{number}"', **fields
        )
        say("session", number)
        if self.options.session_time:
            threading.Timer(self.options.session_time, self.stack.close, [session]).start()

    def do_DELETE(self):
        number = self.path.removeprefix("/whip/session/")
        session = self.sessions.pop(int(number), None) if number.isdigit() and self.is_let_in() else None
        if session is None:
            return self.answer(404)
        self.stack.close(session)
        self.answer(200)
        say("delete", number)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        # A client that does not trust the certificate closes the connection.
        say("broken", sys.exc_info()[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("stack", choices=["janus", "aiortc", "libwebrtc", "gstreamer"])
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--token", default="", help="what clients are known by; none: anybody is let in")
    parser.add_argument("--certificate", help="PEM, with its key: speaks TLS")
    parser.add_argument("--busy", type=int, default=0, help="so many offers are answered by 503 first")
    parser.add_argument("--session-time", type=float, help="after so many seconds a session is ended by the stack")
    parser.add_argument("--link", default="", help="the value of Link in answers")
    parser.add_argument("--api", type=int, help="janus: the port of its interface by HTTP")
    parser.add_argument("--forward", type=int, nargs=2, help="janus: the ports that video and sound go to")
    parser.add_argument("--video", default="h264", help="janus: the room's codec")
    parser.add_argument("--profile", default="any", help="others: the profile-level-id of H.264 that is taken")
    options = parser.parse_args()
    Handler.options = options
    Handler.stack = (Janus if options.stack == "janus" else Stack)(options)
    server = Server(("127.0.0.1", options.port), Handler)
    if options.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    say("listening")
    server.serve_forever()


if __name__ == "__main__":
    main()
