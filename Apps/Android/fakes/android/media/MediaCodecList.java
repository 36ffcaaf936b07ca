package android.media;

public final class MediaCodecList {
    public static final int REGULAR_CODECS = 0;

    public MediaCodecList(int kind) {}

    public MediaCodecInfo[] getCodecInfos() {
        return new MediaCodecInfo[] {
            new MediaCodecInfo("fake.slow.avc"), new MediaCodecInfo("fake.fast.avc"), new MediaCodecInfo("fake.fast.hevc")
        };
    }
}
