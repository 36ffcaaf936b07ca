package android.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;

public class LocalSocket {
    private final SocketChannel channel;

    LocalSocket(SocketChannel channel) {
        this.channel = channel;
    }

    public InputStream getInputStream() throws IOException {
        return Channels.newInputStream(channel);
    }

    public OutputStream getOutputStream() throws IOException {
        final SocketChannel channel = this.channel;
        return new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                write(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int count) throws IOException {
                ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, count);
                while (buffer.hasRemaining()) channel.write(buffer);
            }
        };
    }

    public void setSoTimeout(int milliseconds) {}

    public void close() throws IOException {
        channel.close();
    }
}
