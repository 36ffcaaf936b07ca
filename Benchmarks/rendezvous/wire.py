"""What a device says to a rendezvous server: frames (HelioRendezvousWire), WebSocket (RFC 6455) and Ed25519."""

import base64
import ctypes
import ctypes.util
import hashlib
import struct

VERSION = 1
REGISTER, PERMIT, RING, _WATCH, MESSAGE, _DATA, HANG_UP = range(1, 8)
CHALLENGE, REGISTERED, RUNG, RINGING, PRESENCE, TURN, SAID, DATUM, HUNG_UP, DRAINING, REFUSED = range(65, 76)
REASONS = {1: "ended", 2: "busy", 3: "unreachable", 4: "not permitted", 5: "too many", 6: "too fast", 7: "lost",
           8: "protocol error"}
REFUSALS = {1: "protocol error", 2: "wrong signature", 3: "blocked", 4: "too many", 5: "too fast", 6: "too slow",
            7: "replaced", 8: "idle"}
ENDED = 1

_ED25519 = 1087  # EVP_PKEY_ED25519 of OpenSSL's obj_mac.h
_crypto = ctypes.CDLL(ctypes.util.find_library("crypto") or "libcrypto.so.3")
for _name in ("EVP_PKEY_new_raw_private_key", "EVP_MD_CTX_new"):
    getattr(_crypto, _name).restype = ctypes.c_void_p
_crypto.EVP_PKEY_new_raw_private_key.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
_crypto.EVP_PKEY_get_raw_public_key.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_size_t)]
_crypto.EVP_DigestSignInit.argtypes = [ctypes.c_void_p] * 5
_crypto.EVP_DigestSign.argtypes = [
    ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_size_t), ctypes.c_char_p, ctypes.c_size_t]
for _name in ("EVP_PKEY_free", "EVP_MD_CTX_free"):
    getattr(_crypto, _name).argtypes = [ctypes.c_void_p]
    getattr(_crypto, _name).restype = None


def secret(purpose, number):
    """32 bytes that are the same in each run. They protect nothing: the server is this run's own."""
    return hashlib.sha256(b"load %s %d" % (purpose, number)).digest()


def token(number):
    return secret(b"token", number)[:16]


def tag(number):
    return hashlib.sha256(token(number)).digest()[:16]


def registration(number, authority, nonce):
    """The frame by which a device registers. Makes its key anew, so that none has to be kept."""
    key = _crypto.EVP_PKEY_new_raw_private_key(_ED25519, None, secret(b"key", number), 32)
    context = _crypto.EVP_MD_CTX_new()
    try:
        public, count = ctypes.create_string_buffer(32), ctypes.c_size_t(32)
        signature, length = ctypes.create_string_buffer(64), ctypes.c_size_t(64)
        text = b"Heliograph rendezvous 1\0" + authority.encode() + b"\0" + nonce
        if not (key and context and _crypto.EVP_PKEY_get_raw_public_key(key, public, ctypes.byref(count)) == 1
                and _crypto.EVP_DigestSignInit(context, None, None, None, key) == 1
                and _crypto.EVP_DigestSign(context, signature, ctypes.byref(length), text, len(text)) == 1):
            raise SystemExit("OpenSSL can't sign by Ed25519: version 1.1.1 or newer is needed.")
        return bytes([REGISTER]) + public.raw + signature.raw
    finally:
        _crypto.EVP_MD_CTX_free(context)
        _crypto.EVP_PKEY_free(key)


def permit(number):
    return bytes([PERMIT, 1]) + tag(number) + bytes(4)


def ring(call, device, number):
    return struct.pack(">BI", RING, call) + device + token(number)


def message(call, content):
    return struct.pack(">BI", MESSAGE, call) + content


def hang_up(call):
    return struct.pack(">BIB", HANG_UP, call, ENDED)


def upgrade(authority):
    """The request for a WebSocket. The server's answer is trusted: this run has started it."""
    return ("GET /device HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n"
            % (authority, base64.b64encode(bytes(16)).decode())).encode()


def masked(content, opcode=2):
    """A client's frame. Its mask is zero, which leaves the bytes as they are and costs nothing."""
    count = len(content)
    if count < 126:
        return struct.pack(">BB4x", 0x80 | opcode, 0x80 | count) + content
    return struct.pack(">BBH4x", 0x80 | opcode, 0xFE, count) + content


def frames(data):
    """The whole frames at the start of `data` as (opcode, content), and what is left behind them."""
    found, at, end = [], 0, len(data)
    while end - at >= 2:
        count, start = data[at + 1] & 0x7F, at + 2
        if count == 126:
            if end - at < 4:
                break
            count, start = data[at + 2] << 8 | data[at + 3], at + 4
        elif count == 127:
            if end - at < 10:
                break
            count, start = struct.unpack_from(">Q", data, at + 2)[0], at + 10
        if start + count > end:
            break
        found.append((data[at] & 15, data[start:start + count]))
        at = start + count
    return found, data[at:]
