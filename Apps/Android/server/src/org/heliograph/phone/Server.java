package org.heliograph.phone;

import android.net.LocalServerSocket;
import android.net.LocalSocket;
import android.os.Looper;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;

/**
 * Heliograph's server on an Android phone. It runs as the user "shell", started by adb, and only obeys: all decisions
 * are made by the host.
 *
 * Standard input carries a token of 32 hexadecimal digits and a line feed, and stays open for as long as the host
 * wants the server to run. The host's connections to the abstract socket begin with that token.
 */
public final class Server {
    /** The version of the protocol; see PhoneWire.swift. */
    static final int VERSION = 1;
    private static final byte[] MAGIC = {'H', 'G', 'P', 'H'};
    private static final int TOKEN_SIZE = 16;
    static final int CONTROL = 0;
    static final int VIDEO = 1;
    static final int SOUND = 2;
    /** Wrong greetings after which the server ends: something on the phone tries tokens. */
    private static final int MOST_STRANGERS = 16;

    private final byte[] token;
    private final Channel[] channels = {new Channel(), new Channel(), new Channel()};

    private Server(byte[] token) {
        this.token = token;
    }

    /** Runs until standard input or the control channel ends. The first argument is the name of the abstract socket. */
    public static void main(String[] arguments) {
        try {
            if (arguments.length != 1) throw new IOException("the name of a socket is missing");
            Looper.prepareMainLooper();
            final byte[] token = readToken(System.in);
            new Thread("input") {
                @Override
                public void run() {
                    try {
                        while (System.in.read() >= 0) continue;
                    } catch (IOException ended) {
                        // Ends like the end of input.
                    }
                    Server.exit(0);
                }
            }.start();
            final Server server = new Server(token);
            final LocalServerSocket socket = new LocalServerSocket(arguments[0]);
            new Thread("accept") {
                @Override
                public void run() {
                    server.accept(socket);
                }
            }.start();
            System.out.println("heliograph ready " + VERSION);
            System.out.flush();
            // Android's services answer by the main thread's messages.
            Looper.loop();
        } catch (Throwable error) {
            error.printStackTrace();
            exit(1);
        }
    }

    /** Ends the process, after what is to be undone was undone. */
    static void exit(int status) {
        Power.restore();
        System.exit(status);
    }

    private static byte[] readToken(InputStream input) throws IOException {
        byte[] token = new byte[TOKEN_SIZE];
        for (int i = 0; i < TOKEN_SIZE; i++) {
            int high = Character.digit(input.read(), 16);
            int low = Character.digit(input.read(), 16);
            if (high < 0 || low < 0) throw new IOException("standard input has no token");
            token[i] = (byte) (high << 4 | low);
        }
        return token;
    }

    private void accept(LocalServerSocket server) {
        int strangers = 0;
        Session session = null;
        while (strangers < MOST_STRANGERS) {
            LocalSocket socket = null;
            try {
                socket = server.accept();
                int channel = greet(socket);
                if (channel < 0) {
                    strangers++;
                    socket.close();
                    continue;
                }
                channels[channel].open(socket, answer(channel));
                if (channel == CONTROL) {
                    session = new Session(channels);
                    session.start(new DataInputStream(socket.getInputStream()));
                }
            } catch (IOException error) {
                strangers++;
            }
        }
        System.out.println("too many strangers at the socket");
        exit(1);
    }

    /** Returns the channel of a connection; -1 for a stranger. */
    private int greet(LocalSocket socket) throws IOException {
        // A stranger that says nothing is dropped after this time, in milliseconds.
        socket.setSoTimeout(2000);
        byte[] greeting = new byte[MAGIC.length + 2 + TOKEN_SIZE];
        new DataInputStream(socket.getInputStream()).readFully(greeting);
        socket.setSoTimeout(0);
        byte[] theirs = new byte[TOKEN_SIZE];
        System.arraycopy(greeting, MAGIC.length + 2, theirs, 0, TOKEN_SIZE);
        for (int i = 0; i < MAGIC.length; i++) if (greeting[i] != MAGIC[i]) return -1;
        int channel = greeting[MAGIC.length + 1];
        if (greeting[MAGIC.length] != VERSION || channel < CONTROL || channel > SOUND) return -1;
        // Compares in constant time.
        return MessageDigest.isEqual(theirs, token) && !channels[channel].isOpen() ? channel : -1;
    }

    private static byte[] answer(int channel) {
        return new byte[] {MAGIC[0], MAGIC[1], MAGIC[2], MAGIC[3], VERSION, (byte) channel};
    }
}
