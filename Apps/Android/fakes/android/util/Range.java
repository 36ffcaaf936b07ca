package android.util;

public final class Range<T> {
    private final T upper;

    public Range(T upper) {
        this.upper = upper;
    }

    public T getUpper() {
        return upper;
    }
}
