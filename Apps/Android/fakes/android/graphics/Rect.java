package android.graphics;

public final class Rect {
    private final int width;
    private final int height;

    public Rect(int left, int top, int right, int bottom) {
        width = right - left;
        height = bottom - top;
    }

    public int width() {
        return width;
    }

    public int height() {
        return height;
    }
}
