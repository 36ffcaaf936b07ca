package android.hardware.input;

/** Where events were injected before Android 14. */
public final class InputManager {
    private static final InputManager SHARED = new InputManager();

    private InputManager() {}

    public static InputManager getInstance() {
        return SHARED;
    }

    public boolean injectInputEvent(android.view.InputEvent event, int mode) {
        return InputManagerGlobal.getInstance().injectInputEvent(event, mode);
    }
}
