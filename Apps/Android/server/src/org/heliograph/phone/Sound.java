package org.heliograph.phone;

import android.media.AudioFormat;
import android.media.AudioRecord;
import android.media.MediaRecorder;
import android.os.Build;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What the phone plays: PCM of 48 kHz, stereo, 16 bits. */
final class Sound {
    private static final int RATE = 48000;
    /** A block of 10 ms, in bytes: samples of 2 bytes for each of 2 channels. */
    private static final int BLOCK = RATE / 100 * 4;

    private final Reports reports;
    private Run run;

    Sound(Reports reports) {
        this.reports = reports;
    }

    void start() {
        if (run != null) return;
        try {
            if (Build.VERSION.SDK_INT < 30) throw new UnsupportedOperationException("Android 11 or newer is needed");
            run = new Run(recorder());
            run.start();
        } catch (Throwable error) {
            reports.failed(Reports.SOUND, error);
        }
    }

    void stop() {
        if (run == null) return;
        run.isWanted = false;
        try {
            run.join();
        } catch (InterruptedException never) {
            throw new AssertionError(never);
        }
        run = null;
    }

    private static AudioRecord recorder() throws ReflectiveOperationException {
        AudioFormat format = new AudioFormat.Builder()
                .setEncoding(AudioFormat.ENCODING_PCM_16BIT).setSampleRate(RATE)
                .setChannelMask(AudioFormat.CHANNEL_IN_STEREO).build();
        AudioRecord.Builder builder = new AudioRecord.Builder();
        if (Build.VERSION.SDK_INT >= 31) {
            AudioRecord.Builder.class.getMethod("setContext", android.content.Context.class)
                    .invoke(builder, Shell.context());
        }
        return builder.setAudioSource(MediaRecorder.AudioSource.REMOTE_SUBMIX).setAudioFormat(format)
                .setBufferSizeInBytes(BLOCK * 8).build();
    }

    private final class Run extends Thread {
        private final AudioRecord recorder;
        volatile boolean isWanted = true;

        Run(AudioRecord recorder) {
            super("sound");
            this.recorder = recorder;
        }

        @Override
        public void run() {
            try {
                recorder.startRecording();
                ByteBuffer block = ByteBuffer.allocateDirect(BLOCK).order(ByteOrder.nativeOrder());
                ByteBuffer swapped = ByteBuffer.allocate(BLOCK);
                while (isWanted) {
                    block.clear();
                    int count = recorder.read(block, BLOCK);
                    if (count < 0) throw new IllegalStateException("reading gives " + count);
                    // By the clock of pictures. The first sample is older by the block's length.
                    long time = System.nanoTime() / 1000 - count / 4 * 1000000L / RATE;
                    swapped.clear();
                    for (int i = 0; i + 1 < count; i += 2) swapped.putShort(block.getShort(i));
                    swapped.flip();
                    if (swapped.remaining() >= 4) reports.sound(time, swapped);
                }
                recorder.stop();
            } catch (Throwable error) {
                if (isWanted) reports.failed(Reports.SOUND, error);
            } finally {
                recorder.release();
            }
        }
    }
}
