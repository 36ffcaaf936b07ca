package org.heliograph.phone;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Messages to the host; their layouts are in PhoneReport.swift. */
final class Reports {
    /** Features by their numbers in PhoneFeature of PhoneReport.swift. */
    static final int INPUT = 0;
    static final int SOUND = 1;
    static final int CLIPBOARD = 2;
    static final int SCREEN_POWER = 3;
    static final int START_APP = 4;
    static final int NEW_DISPLAY = 5;
    static final int STAY_AWAKE = 6;
    /** The longest text of the clipboard and of a reason, in bytes. */
    private static final int MOST_CLIPBOARD = 1 << 20;
    private static final int MOST_REASON = 1000;

    /** Writes the fields of a message. */
    interface Body {
        void write(DataOutputStream output) throws IOException;
    }

    private final Channel[] channels;

    Reports(Channel[] channels) {
        this.channels = channels;
    }

    void control(int kind, Body body) {
        channels[Server.CONTROL].send(kind, bytes(body));
    }

    void display(final int width, final int height, final int density, final int rotation, final int id) {
        control(2, new Body() {
            @Override
            public void write(DataOutputStream output) throws IOException {
                output.writeShort(width);
                output.writeShort(height);
                output.writeShort(density);
                output.writeByte(rotation);
                output.writeInt(id);
            }
        });
    }

    void encoding(final int encode, final int width, final int height, final int codec) {
        control(3, new Body() {
            @Override
            public void write(DataOutputStream output) throws IOException {
                output.writeByte(encode);
                output.writeShort(width);
                output.writeShort(height);
                output.writeByte(codec);
            }
        });
    }

    void encodingFailed(final int encode, final int stage, final Throwable error) {
        control(4, new Body() {
            @Override
            public void write(DataOutputStream output) throws IOException {
                output.writeByte(encode);
                output.writeByte(stage);
                output.write(reason(error));
            }
        });
    }

    void configuration(int encode, ByteBuffer sets) {
        channels[Server.VIDEO].send(5, new byte[] {(byte) encode}, sets);
    }

    void picture(int encode, boolean isKeyframe, long microseconds, ByteBuffer unit) {
        byte[] head = new byte[10];
        ByteBuffer.wrap(head).put((byte) encode).put((byte) (isKeyframe ? 1 : 0)).putLong(microseconds);
        channels[Server.VIDEO].send(6, head, unit);
    }

    void sound(long microseconds, ByteBuffer samples) {
        byte[] head = new byte[8];
        ByteBuffer.wrap(head).putLong(microseconds);
        channels[Server.SOUND].send(7, head, samples);
    }

    void clipboard(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= MOST_CLIPBOARD) channels[Server.CONTROL].send(8, bytes);
    }

    void failed(final int feature, final Throwable error) {
        control(9, new Body() {
            @Override
            public void write(DataOutputStream output) throws IOException {
                output.writeByte(feature);
                output.write(reason(error));
            }
        });
    }

    void pong(final int number) {
        control(10, new Body() {
            @Override
            public void write(DataOutputStream output) throws IOException {
                output.writeInt(number);
            }
        });
    }

    /** UTF-8 after its length in 2 bytes, for a text within a message. */
    static void text(DataOutputStream output, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MOST_REASON) bytes = new byte[0];
        output.writeShort(bytes.length);
        output.write(bytes);
    }

    private static byte[] reason(Throwable error) {
        Throwable root = error;
        while (root.getCause() != null && root.getCause() != root) root = root.getCause();
        String text = String.valueOf(root);
        if (text.length() > MOST_REASON / 4) text = text.substring(0, MOST_REASON / 4);
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(Body body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            body.write(new DataOutputStream(bytes));
        } catch (IOException never) {
            throw new AssertionError(never);
        }
        return bytes.toByteArray();
    }
}
