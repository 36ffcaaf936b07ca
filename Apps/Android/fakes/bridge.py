#!/usr/bin/env python3
"""Listens to an abstract Unix socket and connects each connection to a Unix socket with a path: bridge.py NAME PATH.

Says a byte on standard output when it listens; ends when its parent ends."""
import os
import socket
import sys
import threading


def pump(source, target):
    try:
        while data := source.recv(1 << 16):
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def main():
    name, path = sys.argv[1:]
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("\0" + name)
    listener.listen(8)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    print("listening", flush=True)
    while True:
        theirs, _ = listener.accept()
        ours = socket.socket(socket.AF_UNIX)
        ours.connect(path)
        for ends in ((theirs, ours), (ours, theirs)):
            threading.Thread(target=pump, args=ends, daemon=True).start()


main()
