"""Devices and ringers of `load.py`: a process of them, on one epoll, with a few hundred bytes for each."""

import collections
import errno
import heapq
import os
import random
import select
import socket
import ssl
import struct
import time

import wire

BIND_ADDRESS_NO_PORT = 24  # IP_BIND_ADDRESS_NO_PORT of linux/in.h: the port is chosen by connect, among all 28,000
REPORT = 0.5  # s
PATIENCE = 20  # s, for a call
# As RendezvousClient waits before it connects again, in s.
FIRST_DELAY, MOST_DELAY = 0.25, 30
PING = 25  # s, as RendezvousPortSettings.pingInterval
IN, OUT = select.EPOLLIN | select.EPOLLRDHUP, select.EPOLLOUT
CONNECTING, SHAKING, ASKING, WAITING, ONLINE = range(5)


class End:
    """A device: one that is rung, or one that rings."""
    __slots__ = ("number", "is_ringer", "state", "socket", "kept", "unsent", "delay", "id", "last_call", "watched")

    def __init__(self, number, is_ringer):
        self.number, self.is_ringer = number, is_ringer
        self.state, self.socket, self.kept, self.unsent = CONNECTING, None, b"", b""
        self.delay, self.id, self.last_call, self.watched = FIRST_DELAY, None, 0, 0


class Call:
    __slots__ = ("began", "tag", "left", "unanswered")

    def __init__(self, began, tag, left):
        self.began, self.tag, self.left, self.unanswered = began, tag, left, 0


class Script:
    """A load of calls: each says `exchanges` messages of `size` bytes, `window` at once, which the host repeats."""

    def __init__(self, hosts, rate, calls, at_once, exchanges, size, window):
        self.rate, self.left, self.at_once = rate, calls, at_once
        self.exchanges, self.window, self.content = exchanges, window, os.urandom(size)
        self.hosts, self.next = hosts, time.monotonic()
        self.calls, self.rung = {}, {}
        self.rings, self.whole, self.messages = [], [], 0
        self.ends = collections.Counter()


def address(number, per_address):
    """The loopback address of a device: 127.16.0.1 and on."""
    at = number // per_address
    return "127.%d.%d.%d" % (16 + at // 64516, at // 254 % 254 + 1, at % 254 + 1)


class Process:
    def __init__(self, pipe, settings):
        self.pipe, self.settings = pipe, settings
        self.authority = "127.0.0.1:%d" % settings["port"]
        self.upgrade = wire.upgrade(self.authority)
        self.epoll, self.ends, self.timers = select.epoll(), {}, []
        self.devices, self.ringers, self.waiting = [], [], collections.deque()
        self.busy = self.online = self.ready = self.pings = 0
        self.pinged, self.next_pinged = time.monotonic(), 0
        self.problems = collections.Counter()
        self.script, self.at_once, self.runs = None, settings["at_once"], True
        self.context = None
        if settings["tls"]:
            # The certificate is this run's own, made for it.
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            self.context.check_hostname, self.context.verify_mode = False, ssl.CERT_NONE
        self.epoll.register(pipe.fileno(), select.EPOLLIN)

    def run(self):
        told = 0
        while self.runs:
            now = time.monotonic()
            if now - told >= REPORT:
                told = now
                self.report()
            while self.timers and self.timers[0][0] <= now:
                self.waiting.append(heapq.heappop(self.timers)[2])
            while self.waiting and self.busy < self.at_once:
                self.connect(self.waiting.popleft())
            self.ping(now)
            if self.script:
                self.ring(now)
            for fd, events in self.epoll.poll(0.002 if self.script else 0.02, 1024):
                if fd == self.pipe.fileno():
                    self.obey(self.pipe.recv())
                elif fd in self.ends:
                    self.happened(self.ends[fd], events)

    def ping(self, now):
        """Pings by one device after the other, so that each does it every `PING` seconds."""
        due = int((now - self.pinged) * len(self.devices) / PING)
        if not due:
            if not self.devices:
                self.pinged = now
            return
        self.pinged += due * PING / len(self.devices)
        for _ in range(min(due, len(self.devices))):
            self.next_pinged = (self.next_pinged + 1) % len(self.devices)
            end = self.devices[self.next_pinged]
            if end.state == ONLINE:
                try:
                    self.write(end, wire.masked(b"ping", 9))
                except OSError as error:
                    self.lost(end, error)

    def report(self):
        script, calls = self.script, 0
        if script:
            old = time.monotonic() - PATIENCE
            for key, call in [item for item in script.calls.items() if item[1].began < old]:
                self.over(key, call, "no answer")
            calls = script.left + len(script.calls)
            self.check()
        self.pipe.send(("now", self.online, self.ready, self.pings, calls, dict(self.problems)))

    def obey(self, order):
        match order:
            case ("devices", numbers):
                self.devices += [End(number, False) for number in numbers]
                self.waiting.extend(self.devices[-len(numbers):])
            case ("ringers", numbers):
                self.ringers += [End(number, True) for number in numbers]
                self.waiting.extend(self.ringers[-len(numbers):])
            case ("herd",): self.at_once = len(self.devices) + len(self.ringers)
            case ("script", *values):
                self.script = Script([(wire.tag(end.number), end) for end in self.devices], *values)
            case ("end",): self.runs = False

    # Connections

    def connect(self, end):
        link = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        link.setblocking(False)
        try:
            link.setsockopt(socket.IPPROTO_IP, BIND_ADDRESS_NO_PORT, 1)
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            link.bind((address(end.number, self.settings["per_address"]), 0))
            link.connect(("127.0.0.1", self.settings["port"]))
        except BlockingIOError:
            pass
        except OSError as error:
            link.close()
            self.busy += 1
            return self.lost(end, error)
        self.busy += 1
        end.socket, end.state, end.kept, end.unsent = link, CONNECTING, b"", b""
        self.ends[link.fileno()] = end
        self.watch(end, OUT)

    def watch(self, end, events):
        if end.watched == events:
            return
        if end.watched:
            self.epoll.modify(end.socket, events)
        else:
            self.epoll.register(end.socket, events)
        end.watched = events

    def happened(self, end, events):
        try:
            if end.state == CONNECTING:
                code = end.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                if code:
                    raise OSError(code, os.strerror(code))
                if self.context:
                    end.socket = self.context.wrap_socket(end.socket, do_handshake_on_connect=False)
                    end.state = SHAKING
                else:
                    end.state = ASKING
                    self.write(end, self.upgrade)
                    return self.watch(end, IN)
            if end.state == SHAKING:
                return self.shake(end)
            if events & OUT:
                self.write(end, b"")
            if events & ~OUT:
                self.read(end)
        except OSError as error:
            self.lost(end, error)

    def shake(self, end):
        try:
            end.socket.do_handshake()
        except ssl.SSLWantReadError:
            return self.watch(end, IN)
        except ssl.SSLWantWriteError:
            return self.watch(end, OUT)
        end.state = ASKING
        self.watch(end, IN)
        self.write(end, self.upgrade)

    def write(self, end, data):
        data = end.unsent + data
        try:
            count = end.socket.send(data)
        except (BlockingIOError, ssl.SSLWantWriteError):
            count = 0
        end.unsent = data[count:]
        self.watch(end, IN | OUT if end.unsent else IN)

    def send(self, end, frame):
        self.write(end, wire.masked(frame))

    def read(self, end):
        while end.socket is not None:
            try:
                data = end.socket.recv(65536)
            except (BlockingIOError, ssl.SSLWantReadError):
                return
            if not data:
                raise OSError(errno.ECONNRESET, "closed")
            self.take(end, end.kept + data if end.kept else data)
            # TLS may hold more than the system knows of.
            if not self.context and len(data) < 65536:
                return

    def take(self, end, data):
        if end.state == ASKING:
            head, found, data = data.partition(b"\r\n\r\n")
            if not found:
                end.kept = head
                return
            if not head.startswith(b"HTTP/1.1 101"):
                raise OSError(errno.ECONNREFUSED, head.split(b"\r\n")[0].decode("latin1"))
            end.state = WAITING
        found, end.kept = wire.frames(data)
        for opcode, content in found:
            if end.socket is None:
                return
            if opcode == 2:
                self.said(end, content)
            elif opcode == 10:
                self.pings += 1
            elif opcode == 9:
                self.write(end, wire.masked(content, 10))
            elif opcode == 8:
                raise OSError(errno.ECONNRESET, "closed")

    def lost(self, end, error):
        """Counts a lost connection, and comes back as a device does: later each time, and at a random moment."""
        if end.socket is not None:
            del self.ends[end.socket.fileno()]
            end.socket.close()
        if end.state == ONLINE:
            if end.is_ringer:
                self.ready -= 1
            else:
                self.online -= 1
        else:
            self.busy -= 1
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        self.problems[reason] += 1
        end.socket, end.watched, end.state, end.kept, end.unsent = None, 0, CONNECTING, b"", b""
        wait = end.delay * random.uniform(0.5, 1)
        end.delay = min(MOST_DELAY, end.delay * 2)
        heapq.heappush(self.timers, (time.monotonic() + wait, random.random(), end))

    def stands(self, end):
        self.busy -= 1
        end.state, end.delay = ONLINE, FIRST_DELAY
        if end.is_ringer:
            self.ready += 1
        else:
            self.online += 1

    # Frames

    def said(self, end, frame):
        kind = frame[0]
        if kind == wire.CHALLENGE:
            self.send(end, wire.registration(end.number, self.authority, frame[2:]))
        elif kind == wire.REGISTERED:
            end.id = frame[1:]
            if not end.is_ringer:
                self.send(end, wire.permit(end.number))
            self.stands(end)
        elif kind == wire.REFUSED:
            self.problems["refused: " + wire.REFUSALS.get(frame[1], "?")] += 1
        elif self.script and kind in (wire.RUNG, wire.RINGING, wire.SAID, wire.HUNG_UP):
            self.called(end, kind, frame, struct.unpack_from(">I", frame, 1)[0])

    def called(self, end, kind, frame, number):
        script = self.script
        if kind == wire.RUNG:
            began = script.rung.pop(frame[5:21], None)
            if began:
                script.rings.append(time.monotonic() - began)
        elif kind == wire.SAID and not end.is_ringer:
            script.messages += 1
            self.send(end, wire.message(number, frame[5:]))
        elif end.is_ringer:
            call = script.calls.get((end, number))
            if call is None:
                return
            if kind == wire.HUNG_UP:
                return self.over((end, number), call, wire.REASONS.get(frame[5], "?"))
            if kind == wire.SAID:
                script.messages += 1
                call.unanswered -= 1
            while call.left and call.unanswered < script.window:
                call.left -= 1
                call.unanswered += 1
                self.send(end, wire.message(number, script.content))
            if not call.left and not call.unanswered:
                del script.calls[end, number]
                script.whole.append(time.monotonic() - call.began)
                self.send(end, wire.hang_up(number))
                self.check()

    def over(self, key, call, reason):
        """Forgets a call that has failed."""
        del self.script.calls[key]
        self.script.rung.pop(call.tag, None)
        self.script.ends[reason] += 1
        self.check()

    def ring(self, now):
        """Begins the calls that are due, from any ringer to any device of this process."""
        script = self.script
        while script.left and len(script.calls) < script.at_once and (not script.rate or script.next <= now):
            tag, host = random.choice(script.hosts)
            ringer = random.choice(self.ringers)
            if host.state != ONLINE or ringer.state != ONLINE or tag in script.rung:
                return
            if script.rate:
                script.next += 1 / script.rate
            script.left -= 1
            ringer.last_call += 1
            script.rung[tag] = began = time.monotonic()
            script.calls[ringer, ringer.last_call] = Call(began, tag, script.exchanges)
            try:
                self.send(ringer, wire.ring(ringer.last_call, host.id, host.number))
            except OSError as error:
                self.lost(ringer, error)
            now = began
        self.check()

    def check(self):
        """Tells the end of a script."""
        script = self.script
        if script and not script.left and not script.calls:
            self.script = None
            self.pipe.send(("script", script.rings, script.whole, script.messages, dict(script.ends)))


def run(pipe, settings):
    try:
        Process(pipe, settings).run()
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        pass
