package android.view;

import android.graphics.Rect;
import android.os.IBinder;

/** The way to capture and to switch the panel before Android 14: a display by a token, changed within transactions. */
public final class SurfaceControl {
    private static boolean isOpen;

    private SurfaceControl() {}

    private static final class Token implements IBinder {
        Surface surface;
    }

    public static IBinder createDisplay(String name, boolean secure) {
        if (secure) throw new SecurityException("secure content is not for this user");
        return new Token();
    }

    public static void destroyDisplay(IBinder display) {
        draw((Token) display, null);
    }

    public static void openTransaction() {
        isOpen = true;
    }

    public static void closeTransaction() {
        isOpen = false;
    }

    public static void setDisplaySurface(IBinder display, Surface surface) {
        check();
        draw((Token) display, surface);
    }

    public static void setDisplayProjection(IBinder display, int orientation, Rect layers, Rect shown) {
        check();
        fakes.Phone.tell("projection " + layers.width() + "x" + layers.height() + " to " + shown.width() + "x"
                + shown.height());
    }

    public static void setDisplayLayerStack(IBinder display, int layers) {
        check();
    }

    public static IBinder getInternalDisplayToken() {
        return new Token();
    }

    public static void setDisplayPowerMode(IBinder display, int mode) {
        if (display == null) throw new IllegalArgumentException("no display");
        fakes.Phone.tell("panel " + mode);
    }

    private static void check() {
        if (!isOpen) throw new IllegalStateException("no transaction");
    }

    private static void draw(Token display, Surface surface) {
        if (display.surface != null) display.surface.isDrawn = false;
        display.surface = surface;
        if (surface == null) return;
        surface.isDrawn = true;
        surface.connections++;
    }
}
