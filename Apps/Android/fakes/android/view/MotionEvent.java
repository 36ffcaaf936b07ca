package android.view;

public final class MotionEvent extends InputEvent {
    public static final int ACTION_DOWN = 0;
    public static final int ACTION_SCROLL = 8;
    public static final int ACTION_POINTER_INDEX_SHIFT = 8;
    public static final int TOOL_TYPE_FINGER = 1;
    public static final int TOOL_TYPE_MOUSE = 3;
    public static final int AXIS_VSCROLL = 9;
    public static final int AXIS_HSCROLL = 10;

    private final String text;

    private MotionEvent(String text) {
        this.text = text;
    }

    public static final class PointerProperties {
        public int id;
        public int toolType;
    }

    public static final class PointerCoords {
        public float x;
        public float y;
        public float pressure;
        public float size;
        final float[] axes = new float[16];

        public void setAxisValue(int axis, float value) {
            axes[axis] = value;
        }
    }

    public static MotionEvent obtain(
            long downTime, long eventTime, int action, int count, PointerProperties[] fingers, PointerCoords[] places,
            int metaState, int buttonState, float xPrecision, float yPrecision, int deviceId, int edgeFlags, int source,
            int flags) {
        StringBuilder text = new StringBuilder(action == ACTION_SCROLL ? "scroll" : "touch " + action);
        for (int i = 0; i < count; i++) {
            text.append(' ').append(fingers[i].id).append(':').append((int) places[i].x).append(',')
                    .append((int) places[i].y);
        }
        if (action == ACTION_SCROLL) text.append(' ').append(places[0].axes[AXIS_VSCROLL]);
        return new MotionEvent(text.toString());
    }

    @Override
    public String toString() {
        return text;
    }
}
