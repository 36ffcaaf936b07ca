package org.heliograph.phone;

import android.media.MediaCodec;
import android.media.MediaFormat;
import android.os.Bundle;
import android.view.Surface;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The video encoder, at most one at a time. */
final class Encoder {
    /** Stages of a failure by their numbers in PhoneEncodeStage of PhoneReport.swift. */
    private static final int CREATE = 0;
    private static final int CONFIGURE = 1;
    private static final int CAPTURE = 2;
    private static final int RUNNING = 3;
    /** The wait for a picture, after which the end is looked for, in microseconds. */
    private static final long PATIENCE = 20000;

    private final Reports reports;
    private final Screen screen;
    private Run run;

    Encoder(Reports reports, Screen screen) {
        this.reports = reports;
        this.screen = screen;
    }

    /** Takes an entry of an encoder's settings. */
    private interface Setter {
        void set(String name, int value);
        void set(String name, long value);
        void set(String name, float value);
    }

    private static void settings(DataInputStream fields, Setter setter) throws IOException {
        int count = fields.readUnsignedByte();
        for (int i = 0; i < count; i++) {
            String name = text(fields);
            switch (fields.readUnsignedByte()) {
                case 0: setter.set(name, fields.readInt()); break;
                case 1: setter.set(name, fields.readLong()); break;
                case 2: setter.set(name, fields.readFloat()); break;
                default: throw new IOException("a setting of an unknown type: " + name);
            }
        }
    }

    private static String text(DataInputStream fields) throws IOException {
        byte[] bytes = new byte[fields.readUnsignedShort()];
        fields.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Starts an encoder in place of the running one. */
    void start(DataInputStream fields) throws IOException {
        int number = fields.readUnsignedByte();
        int codec = fields.readUnsignedByte();
        int width = fields.readUnsignedShort();
        int height = fields.readUnsignedShort();
        String name = text(fields);
        final MediaFormat format = MediaFormat.createVideoFormat(Codecs.type(codec), width, height);
        settings(fields, new Setter() {
            @Override
            public void set(String name, int value) {
                format.setInteger(name, value);
            }

            @Override
            public void set(String name, long value) {
                format.setLong(name, value);
            }

            @Override
            public void set(String name, float value) {
                format.setFloat(name, value);
            }
        });
        end();
        MediaCodec encoder;
        try {
            encoder = name.isEmpty()
                    ? MediaCodec.createEncoderByType(Codecs.type(codec)) : MediaCodec.createByCodecName(name);
        } catch (Exception error) {
            reports.encodingFailed(number, CREATE, error);
            return;
        }
        start(encoder, format, new Run(number, encoder, width, height), codec);
    }

    private void start(MediaCodec encoder, MediaFormat format, Run next, int codec) {
        int stage = CONFIGURE;
        try {
            encoder.configure(format, null, null, MediaCodec.CONFIGURE_FLAG_ENCODE);
            next.surface = encoder.createInputSurface();
            encoder.start();
            stage = CAPTURE;
            screen.capture(next.surface, next.width, next.height);
        } catch (Throwable error) {
            next.release();
            reports.encodingFailed(next.number, stage, error);
            return;
        }
        run = next;
        reports.encoding(next.number, next.width, next.height, codec);
        next.start();
    }

    /** Changes the running encoder's settings. */
    void change(DataInputStream fields) throws IOException {
        int number = fields.readUnsignedByte();
        final Bundle changes = new Bundle();
        settings(fields, new Setter() {
            @Override
            public void set(String name, int value) {
                changes.putInt(name, value);
            }

            @Override
            public void set(String name, long value) {
                changes.putLong(name, value);
            }

            @Override
            public void set(String name, float value) {
                changes.putFloat(name, value);
            }
        });
        if (run == null || run.number != number) return;
        try {
            run.encoder.setParameters(changes);
        } catch (IllegalStateException error) {
            // The encoder has failed: its thread reports that.
        }
    }

    /** Draws the display into the encoder's surface anew. */
    void resurface(int number) {
        if (run == null || run.number != number) return;
        try {
            screen.capture(run.surface, run.width, run.height);
        } catch (Throwable error) {
            reports.encodingFailed(number, CAPTURE, error);
        }
    }

    void stop(int number) {
        if (run != null && run.number == number) end();
    }

    private void end() {
        if (run == null) return;
        run.isWanted = false;
        try {
            run.join();
        } catch (InterruptedException never) {
            throw new AssertionError(never);
        }
        screen.release();
        run.release();
        run = null;
    }

    /** An encoder's run: passes on what it gives. */
    private final class Run extends Thread {
        final int number;
        final MediaCodec encoder;
        final int width;
        final int height;
        Surface surface;
        volatile boolean isWanted = true;

        Run(int number, MediaCodec encoder, int width, int height) {
            super("encoder");
            this.number = number;
            this.encoder = encoder;
            this.width = width;
            this.height = height;
        }

        @Override
        public void run() {
            try {
                MediaCodec.BufferInfo info = new MediaCodec.BufferInfo();
                while (isWanted) {
                    int index = encoder.dequeueOutputBuffer(info, PATIENCE);
                    if (index < 0) continue;
                    pass(encoder.getOutputBuffer(index), info);
                    encoder.releaseOutputBuffer(index, false);
                }
            } catch (Throwable error) {
                if (isWanted) reports.encodingFailed(number, RUNNING, error);
            }
        }

        private void pass(ByteBuffer bytes, MediaCodec.BufferInfo info) {
            if (bytes == null || info.size == 0) return;
            bytes.position(info.offset);
            bytes.limit(info.offset + info.size);
            if ((info.flags & MediaCodec.BUFFER_FLAG_CODEC_CONFIG) != 0) {
                reports.configuration(number, bytes);
            } else {
                boolean isKeyframe = (info.flags & MediaCodec.BUFFER_FLAG_KEY_FRAME) != 0;
                reports.picture(number, isKeyframe, info.presentationTimeUs, bytes);
            }
        }

        void release() {
            try {
                encoder.stop();
            } catch (IllegalStateException error) {
                // It had failed, or was not started.
            }
            encoder.release();
            if (surface != null) surface.release();
        }
    }
}
