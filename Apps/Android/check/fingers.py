"""Ten fingers on the phone, more than any viewer sends: orders to the phone's server by the real adb."""

import os
import socket
import struct
import subprocess

SOCKET = "heliograph-check"
# PhoneWire.swift: the greeting, and the order of a touch.
VERSION, CONTROL, TOUCH = 1, 0, 68
# Android's MotionEvent: a first finger, a further one; a move; a finger of several, and the last one, leave.
DOWN, UP, MOVE, POINTER_DOWN, POINTER_UP = 0, 1, 2, 5, 6


def ten_fingers(check, serial):
    check.prepare()
    subprocess.run(["adb", "-s", serial, "push", check.server, "/data/local/tmp/check.jar"], check=True, capture_output=True)
    token = os.urandom(16)
    command = f"CLASSPATH=/data/local/tmp/check.jar app_process / org.heliograph.phone.Server {SOCKET}"
    server = subprocess.Popen(
        ["adb", "-s", serial, "shell", command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    try:
        server.stdin.write(token.hex().encode() + b"\n")
        if b"ready" not in server.stdout.readline():
            raise RuntimeError("the phone's server does not start")
        forward = ["adb", "-s", serial, "forward", "tcp:0", f"localabstract:{SOCKET}"]
        port = int(subprocess.run(forward, check=True, capture_output=True, text=True).stdout)
        with socket.create_connection(("127.0.0.1", port)) as phone:
            phone.sendall(b"HGPH" + bytes([VERSION, CONTROL]) + token)
            play(phone)
            events = check.phone.wait_for("touch 1 9:", seconds=10)
        subprocess.run(["adb", "-s", serial, "forward", "--remove", f"tcp:{port}"], check=True, capture_output=True)
    finally:
        server.stdin.close()
        server.wait(10)
    touches = [event.split() for event in check.phone.events()[:events] if event.startswith("touch")]
    counts = [len(touch) - 2 for touch in touches]
    if counts != [*range(1, 11), 10, *range(10, 0, -1)]:
        raise RuntimeError(f"not ten fingers: {touches}")
    if touches[9][1] != str(POINTER_DOWN | 9 << 8) or touches[10][2:] != [f"{i}:{20 * i + 5},{30 * i + 5}" for i in range(10)]:
        raise RuntimeError(f"other fingers than were sent: {touches[9:11]}")
    return "each goes down, all move, each leaves"


def play(phone):
    for count in range(1, 11):
        touch(phone, DOWN if count == 1 else POINTER_DOWN, count - 1, range(count), 0)
    touch(phone, MOVE, 0, range(10), 5)
    for first in range(10):
        touch(phone, UP if first == 9 else POINTER_UP, 0, range(first, 10), 5)


def touch(phone, action, index, fingers, by):
    body = bytes([action, index, len(fingers)])
    for finger in fingers:
        body += struct.pack(">Bfff", finger, 20 * finger + by, 30 * finger + by, 1)
    phone.sendall(struct.pack(">BI", TOUCH, len(body)) + body)
