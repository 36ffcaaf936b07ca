"""A WebSocket's client, as much of RFC 6455 as a browser's own door needs."""

import asyncio
import base64
import os
import struct

_MESSAGE_LIMIT = 1 << 27


class WebSocket:
    async def connect(self, host, port, path):
        self.reader, self.writer = await asyncio.open_connection(host, port, limit=_MESSAGE_LIMIT)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {host}:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
        ]
        self.writer.write("\r\n".join([*lines, "", ""]).encode())
        head = await self.reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in head:
            raise RuntimeError(f"no WebSocket: {head!r}")

    def send(self, text):
        data = text.encode()
        if len(data) < 126:
            length = struct.pack(">B", 0x80 | len(data))
        elif len(data) < 65536:
            length = struct.pack(">BH", 0x80 | 126, len(data))
        else:
            length = struct.pack(">BQ", 0x80 | 127, len(data))
        mask = os.urandom(4)
        # Masked as one big integer: a loop over the bytes is slow for long messages.
        stretched = (mask * (len(data) // 4 + 1))[: len(data)]
        masked = int.from_bytes(data, "big") ^ int.from_bytes(stretched, "big")
        self.writer.write(b"\x81" + length + mask + masked.to_bytes(len(data), "big"))

    async def receive(self):
        """The next text."""
        message = b""
        while True:
            first, second = await self.reader.readexactly(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack(">H", await self.reader.readexactly(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", await self.reader.readexactly(8))
            payload = await self.reader.readexactly(length)
            if first & 0x0F == 8:
                raise asyncio.IncompleteReadError(payload, None)
            if first & 0x0F < 3:
                message += payload
                if first & 0x80:
                    return message.decode()
