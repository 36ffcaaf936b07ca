package android.hardware.display;

public final class VirtualDisplay {
    private final int id;
    private android.view.Surface surface;

    VirtualDisplay(int id, android.view.Surface surface) {
        this.id = id;
        setSurface(surface);
    }

    public void setSurface(android.view.Surface next) {
        if (surface != null) surface.isDrawn = false;
        surface = next;
        if (next == null) return;
        next.isDrawn = true;
        next.connections++;
    }

    public android.view.Display getDisplay() {
        return new android.view.Display(id);
    }

    public void release() {
        setSurface(null);
    }
}
