package android.hardware.display;

public final class DisplayManager {
    public DisplayManager(android.content.Context context) {}

    /** Mirrors a display since Android 13; before that there is no such method, and here it gives none. */
    public static VirtualDisplay createVirtualDisplay(
            String name, int width, int height, int displayIdToMirror, android.view.Surface surface) {
        if (android.os.Build.VERSION.SDK_INT < 33) return null;
        return new VirtualDisplay(displayIdToMirror + 100, surface);
    }

    public VirtualDisplay createVirtualDisplay(
            String name, int width, int height, int density, android.view.Surface surface, int flags) {
        fakes.Phone.tell("new display " + width + "x" + height);
        return new VirtualDisplay(7, surface);
    }
}
