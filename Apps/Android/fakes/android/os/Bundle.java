package android.os;

public final class Bundle {
    public final java.util.Map<String, Object> values = new java.util.LinkedHashMap<String, Object>();

    public void putInt(String name, int value) {
        values.put(name, value);
    }

    public void putLong(String name, long value) {
        values.put(name, value);
    }

    public void putFloat(String name, float value) {
        values.put(name, value);
    }
}
