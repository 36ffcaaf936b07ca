package android.view;

public class KeyEvent extends InputEvent {
    public static final int ACTION_DOWN = 0;
    public static final int ACTION_UP = 1;

    private final String text;

    public KeyEvent(
            long downTime, long eventTime, int action, int code, int repeat, int metaState, int deviceId, int scancode,
            int flags, int source) {
        text = "key " + (action == ACTION_DOWN ? "down " : "up ") + code + " " + metaState;
    }

    @Override
    public String toString() {
        return text;
    }
}
