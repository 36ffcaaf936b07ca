package android.media;

/** A fake encoder, whose name says what it is: fast ones are hardware. */
public final class MediaCodecInfo {
    private final String name;

    MediaCodecInfo(String name) {
        this.name = name;
    }

    public boolean isEncoder() {
        return true;
    }

    public boolean isHardwareAccelerated() {
        return name.contains("fast");
    }

    public String getName() {
        return name;
    }

    public String[] getSupportedTypes() {
        return new String[] {name.endsWith("hevc") ? "video/hevc" : "video/avc"};
    }

    public CodecCapabilities getCapabilitiesForType(String type) {
        return new CodecCapabilities();
    }

    public static final class CodecCapabilities {
        public VideoCapabilities getVideoCapabilities() {
            return new VideoCapabilities();
        }
    }

    public static final class VideoCapabilities {
        public int getWidthAlignment() {
            return 2;
        }

        public int getHeightAlignment() {
            return 2;
        }

        public android.util.Range<Integer> getSupportedWidths() {
            return new android.util.Range<Integer>(2, 4096);
        }

        public android.util.Range<Integer> getSupportedHeights() {
            return new android.util.Range<Integer>(2, 4096);
        }

        public android.util.Range<Integer> getBitrateRange() {
            return new android.util.Range<Integer>(1, 50000000);
        }
    }
}
