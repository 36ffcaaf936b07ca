package android.media;

/** Records a tone of 1 kHz; while the file "beats" is in the fake phone's folder, only 0.1 s of it with each flash. */
public final class AudioRecord {
    /** Sample frames so far. */
    private long played;
    private long started;

    private AudioRecord() {}

    public static final class Builder {
        private android.content.Context context;

        public Builder setContext(android.content.Context context) {
            this.context = context;
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

        /** Refuses who is not the user of this process, "shell", as Android 12 does. */
        public AudioRecord build() {
            android.content.AttributionSource source = context.getAttributionSource();
            if (source.getUid() != 2000 || !"com.android.shell".equals(source.getPackageName())) {
                throw new SecurityException(source.getPackageName() + " is not of this process");
            }
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
        boolean beats = fakes.Phone.has("beats");
        for (int i = 0; i < size / 4; i++, played++) {
            long sinceFlash = started + played * 1000000000L / 48000 - fakes.Phone.flash;
            boolean isHeard = !beats || sinceFlash >= 0 && sinceFlash < 100000000L;
            short sample = (short) (isHeard ? 8000 * Math.sin(2 * Math.PI * played / 48) : 0);
            block.putShort(i * 4, sample).putShort(i * 4 + 2, sample);
        }
        return size;
    }

    public void stop() {}

    public void release() {}
}
