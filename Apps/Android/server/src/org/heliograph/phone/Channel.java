package org.heliograph.phone;

import android.net.LocalSocket;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** The sending half of a connection to the host. A failed write ends the server: the host has left. */
final class Channel {
    private OutputStream output;
    private byte[] buffer = new byte[64 << 10];

    synchronized boolean isOpen() {
        return output != null;
    }

    synchronized void open(LocalSocket socket, byte[] answer) throws IOException {
        output = socket.getOutputStream();
        output.write(answer);
        output.flush();
    }

    /** Sends a message: kind, and the body that consists of a head and the rest of a buffer (null for none). */
    synchronized void send(int kind, byte[] head, ByteBuffer rest) {
        if (output == null) return;
        int length = head.length + (rest == null ? 0 : rest.remaining());
        if (buffer.length < length + 5) buffer = new byte[Math.max(length + 5, buffer.length * 2)];
        ByteBuffer message = ByteBuffer.wrap(buffer);
        message.put((byte) kind).putInt(length).put(head);
        if (rest != null) message.put(rest);
        try {
            output.write(buffer, 0, length + 5);
            output.flush();
        } catch (IOException left) {
            Server.exit(0);
        }
    }

    void send(int kind, byte[] body) {
        send(kind, body, null);
    }
}
