package android.net;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An abstract Unix socket. Java has none, so the program "bridge" beside these classes listens to it, and connects each
 * connection to a Unix socket with a path.
 */
public class LocalServerSocket {
    private final ServerSocketChannel server;

    public LocalServerSocket(String name) throws IOException {
        Path path = Files.createTempDirectory("heliograph-fake").resolve("socket");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(path));
        Process bridge = new ProcessBuilder("python3", System.getenv("HELIO_FAKE_BRIDGE"), name, path.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Runtime.getRuntime().addShutdownHook(new Thread(bridge::destroy));
        // The program says when it listens.
        if (bridge.getInputStream().read() < 0) throw new IOException("the bridge has ended");
    }

    public LocalSocket accept() throws IOException {
        return new LocalSocket(server.accept());
    }
}
