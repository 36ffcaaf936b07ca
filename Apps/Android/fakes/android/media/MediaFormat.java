package android.media;

public final class MediaFormat {
    final java.util.Map<String, Object> values = new java.util.LinkedHashMap<String, Object>();

    public static MediaFormat createVideoFormat(String type, int width, int height) {
        MediaFormat format = new MediaFormat();
        format.values.put("mime", type);
        format.values.put("width", width);
        format.values.put("height", height);
        return format;
    }

    public void setInteger(String name, int value) {
        values.put(name, value);
    }

    public void setLong(String name, long value) {
        values.put(name, value);
    }

    public void setFloat(String name, float value) {
        values.put(name, value);
    }
}
