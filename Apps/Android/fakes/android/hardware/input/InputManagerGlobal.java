package android.hardware.input;

/** Notes each event in the fake phone's folder; refuses all while its file "refuse-input" is there. */
public final class InputManagerGlobal {
    private static final InputManagerGlobal SHARED = new InputManagerGlobal();

    public static InputManagerGlobal getInstance() {
        return SHARED;
    }

    public boolean injectInputEvent(android.view.InputEvent event, int mode) {
        if (fakes.Phone.has("refuse-input")) throw new SecurityException("Injecting input events is not allowed");
        fakes.Phone.tell(event.toString());
        return true;
    }
}
