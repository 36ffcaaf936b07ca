package android.hardware.display;

public final class DisplayManager {
    public DisplayManager(android.content.Context context) {}

    public static VirtualDisplay createVirtualDisplay(
            String name, int width, int height, int displayIdToMirror, android.view.Surface surface) {
        return new VirtualDisplay(displayIdToMirror + 100, surface);
    }

    public VirtualDisplay createVirtualDisplay(
            String name, int width, int height, int density, android.view.Surface surface, int flags) {
        fakes.Phone.tell("new display " + width + "x" + height);
        return new VirtualDisplay(7, surface);
    }
}
