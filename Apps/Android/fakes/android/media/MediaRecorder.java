package android.media;

public final class MediaRecorder {
    public static final class AudioSource {
        public static final int REMOTE_SUBMIX = 8;
    }
}
