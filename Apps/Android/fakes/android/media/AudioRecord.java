package android.media;

/** Records a tone of 1 kHz. */
public final class AudioRecord {
    private long played;
    private long started;

    public static final class Builder {
        public Builder setContext(android.content.Context context) {
            return this;
        }

        public Builder setAudioSource(int source) {
            return this;
        }

        public Builder setAudioFormat(AudioFormat format) {
            return this;
        }

        public Builder setBufferSizeInBytes(int size) {
            return this;
        }

        public AudioRecord build() {
            return new AudioRecord();
        }
    }

    public void startRecording() {
        started = System.nanoTime();
    }

    public int read(java.nio.ByteBuffer block, int size) throws InterruptedException {
        long due = started + (played + size / 4) * 1000000000L / 48000;
        long wait = (due - System.nanoTime()) / 1000000;
        if (wait > 0) Thread.sleep(wait);
        for (int i = 0; i < size / 4; i++, played++) {
            short sample = (short) (8000 * Math.sin(2 * Math.PI * played / 48));
            block.putShort(i * 4, sample).putShort(i * 4 + 2, sample);
        }
        return size;
    }

    public void stop() {}

    public void release() {}
}
