package org.heliograph.phone;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The host's orders, carried out one after the other; their layouts are in PhoneOrder.swift. */
final class Session {
    /** The longest body of an order, in bytes: text for the clipboard. */
    private static final int LONGEST = 1 << 20;

    private final Reports reports;
    private final Screen screen;
    private final Encoder encoder;
    private final Input input;
    private final Clipboard clipboard;
    private final Sound sound;

    Session(Channel[] channels) {
        reports = new Reports(channels);
        screen = new Screen(reports);
        encoder = new Encoder(reports, screen);
        input = new Input(reports, screen);
        clipboard = new Clipboard(reports);
        sound = new Sound(reports);
    }

    void start(final DataInputStream orders) {
        Codecs.report(reports);
        new Thread("orders") {
            @Override
            public void run() {
                try {
                    screen.watch();
                    clipboard.watch();
                    while (true) obey(orders);
                } catch (IOException left) {
                    Server.exit(0);
                } catch (Throwable error) {
                    error.printStackTrace();
                    Server.exit(1);
                }
            }
        }.start();
    }

    private void obey(DataInputStream orders) throws IOException {
        int kind = orders.readUnsignedByte();
        int length = orders.readInt();
        if (length < 0 || length > LONGEST) throw new IOException("an order of " + length + " bytes");
        byte[] body = new byte[length];
        orders.readFully(body);
        obey(kind, body, new DataInputStream(new ByteArrayInputStream(body)));
    }

    private void obey(int kind, byte[] body, DataInputStream fields) throws IOException {
        switch (kind) {
            case 64: encoder.start(fields); break;
            case 65: encoder.change(fields); break;
            case 66: encoder.resurface(fields.readUnsignedByte()); break;
            case 67: encoder.stop(fields.readUnsignedByte()); break;
            case 68: input.touch(fields); break;
            case 69: input.key(fields); break;
            case 70: input.text(text(body)); break;
            case 71: input.scroll(fields); break;
            case 72: clipboard.set(text(body)); break;
            case 73: Power.screen(fields.readBoolean(), reports); break;
            case 74: Apps.start(text(body), screen.inputDisplay(), reports); break;
            case 75:
                screen.makeNew(fields.readUnsignedShort(), fields.readUnsignedShort(), fields.readUnsignedShort());
                break;
            case 76: if (fields.readBoolean()) sound.start(); else sound.stop(); break;
            case 77: reports.pong(fields.readInt()); break;
            case 78: Power.stayAwake(fields.readBoolean(), reports); break;
            default: throw new IOException("order " + kind + " is unknown");
        }
    }

    private static String text(byte[] body) {
        return new String(body, StandardCharsets.UTF_8);
    }
}
