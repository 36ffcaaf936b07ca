package android.view;

public final class InputDevice {
    public static final int SOURCE_KEYBOARD = 0x101;
    public static final int SOURCE_TOUCHSCREEN = 0x1002;
    public static final int SOURCE_MOUSE = 0x2002;
}
