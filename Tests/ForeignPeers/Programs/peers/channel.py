"""Data channels: what comes is sent back, and what is sent is expected back."""

import hashlib
from collections import deque

# Up to HIGH bytes are buffered in the stack below; the rest waits here.
HIGH, LOW = 1 << 20, 1 << 18

_RAMP = bytes(7 * i & 255 for i in range(512))
_PRINTABLE = bytes(32 + i % 95 for i in range(256))
_ARROW = "\u2192".encode()


def payload(seed, number, count, text):
    """Message `number` of a sending: `count` bytes that tell their place (README.md)."""
    blocks = []
    for block in range((count + 255) // 256):
        start = (seed + 31 * number + 13 * block) * 183 & 255  # 7 * 183 is 1 modulo 256
        blocks.append(_RAMP[start : start + 256])
    data = b"".join(blocks)[:count]
    if not text:
        return data
    data = data.translate(_PRINTABLE)
    return _ARROW + data[3:] if count >= 3 else data


class Sending:
    """One command to send."""

    def __init__(self, count):
        self.count = count
        self.left = count


class Channel:
    """A channel of a peer. The stack's own comes as `wire`: send(data), buffered(), close()."""

    def __init__(self, session, wire, label, ordered, retransmits, protocol, incoming):
        self.session = session
        self.wire = wire
        self.label = label
        self.ordered = ordered
        self.retransmits = retransmits
        self.protocol = protocol
        self.incoming = incoming
        self.is_open = False
        self.is_closed = False
        self.outgoing = deque()
        self.expected = deque()

    # From the stack

    def opened(self):
        if self.is_open or self.is_closed:
            return
        self.is_open = True
        self.session.say(
            {
                "type": "channel",
                "label": self.label,
                "ordered": self.ordered,
                "maxRetransmits": self.retransmits,
                "protocol": self.protocol,
                "incoming": self.incoming,
            }
        )
        self.pump()

    def closed(self):
        if self.is_closed:
            return
        self.is_closed = True
        self.is_open = False
        self.session.say({"type": "channelClosed", "label": self.label})

    def received(self, message):
        is_text = isinstance(message, str)
        data = message.encode() if is_text else bytes(message)
        counts = self.session.counts
        counts["messagesReceived"] += 1
        counts["bytesReceived"] += len(data)
        if self.expected:
            self.check(data, is_text)
            return
        self.session.say(
            {
                "type": "message",
                "label": self.label,
                "bytes": len(data),
                "sha256": hashlib.sha256(data).hexdigest(),
                "isText": is_text,
            }
        )
        self.outgoing.append(iter([(data, is_text, None)]))
        self.pump()

    def low(self):
        self.pump()

    # From outside

    def send(self, count, size, seed, text):
        sending = Sending(count)
        self.outgoing.append((payload(seed, number, size, text), text, sending) for number in range(count))
        self.pump()

    def close(self):
        self.wire.close()

    def pump(self):
        while self.outgoing and self.is_open and self.wire.buffered() < HIGH:
            item = next(self.outgoing[0], None)
            if item is None:
                self.outgoing.popleft()
                continue
            data, text, sending = item
            if sending:
                self.expected.append((data, text, sending))
            self.session.counts["messagesSent"] += 1
            self.session.counts["bytesSent"] += len(data)
            self.wire.send(data.decode() if text else data)

    def check(self, data, is_text):
        """An echo: the next that is waited for, or any of them where order is no promise."""
        for place, (wanted, text, sending) in enumerate(self.expected):
            if wanted == data and text == is_text:
                del self.expected[place]
                sending.left -= 1
                self.session.counts["echoes"] += 1
                if sending.left == 0:
                    self.session.say({"type": "echoed", "label": self.label, "count": sending.count})
                return
            if self.ordered and self.retransmits is None:
                break
        raise ValueError(f"what came back on '{self.label}' is not what was sent ({len(data)} bytes)")
