package org.heliograph.phone;

import android.content.Context;
import android.graphics.Rect;
import android.hardware.display.DisplayManager;
import android.hardware.display.VirtualDisplay;
import android.os.IBinder;
import android.view.Surface;

import java.lang.reflect.Method;

/** The display that is shared: its size and turns, and its way into an encoder's surface. */
final class Screen {
    /** The interval at which the display's size and rotation are looked up, in milliseconds. */
    private static final int INTERVAL = 100;
    /** Flags of a new display: public, presentation, own content only; supports touch, system decorations, trusted. */
    private static final int NEW_FLAGS = 1 | 2 | 8 | 1 << 6 | 1 << 9 | 1 << 10;

    private final Reports reports;
    /** The display that is shared; 0 is the phone's own. */
    private int display;
    private VirtualDisplay made;
    /** The display that mirrors into the encoder's surface, by one of two ways. */
    private VirtualDisplay mirror;
    private IBinder mirrorToken;
    private int width;
    private int height;
    private int rotation = -1;

    Screen(Reports reports) {
        this.reports = reports;
    }

    /** The display that input and apps go to. */
    synchronized int inputDisplay() {
        return display;
    }

    /** Reports the display now and after each change. */
    void watch() {
        look();
        Thread watcher = new Thread("display") {
            @Override
            public void run() {
                try {
                    while (true) {
                        Thread.sleep(INTERVAL);
                        look();
                    }
                } catch (InterruptedException never) {
                    return;
                }
            }
        };
        watcher.setDaemon(true);
        watcher.start();
    }

    private synchronized void look() {
        try {
            Object info = info();
            int newWidth = field(info, "logicalWidth");
            int newHeight = field(info, "logicalHeight");
            int newRotation = field(info, "rotation");
            if (newWidth == width && newHeight == height && newRotation == rotation) return;
            width = newWidth;
            height = newHeight;
            rotation = newRotation;
            reports.display(width, height, field(info, "logicalDensityDpi"), rotation, display);
        } catch (ReflectiveOperationException error) {
            error.printStackTrace();
            Server.exit(1);
        }
    }

    private Object info() throws ReflectiveOperationException {
        Class<?> type = Hidden.type("android.hardware.display.DisplayManagerGlobal");
        Object global = type.getMethod("getInstance").invoke(null);
        Object info = type.getMethod("getDisplayInfo", int.class).invoke(global, display);
        if (info == null) throw new ReflectiveOperationException("there is no display " + display);
        return info;
    }

    private static int field(Object info, String name) throws ReflectiveOperationException {
        return info.getClass().getField(name).getInt(info);
    }

    /** Makes a new display, and shares it instead of the phone's own. */
    synchronized void makeNew(int newWidth, int newHeight, int density) {
        try {
            DisplayManager manager =
                    DisplayManager.class.getDeclaredConstructor(Context.class).newInstance(Shell.context());
            VirtualDisplay next =
                    manager.createVirtualDisplay("heliograph", newWidth, newHeight, density, null, NEW_FLAGS);
            if (next == null) throw new ReflectiveOperationException("no display was made");
            made = next;
            display = next.getDisplay().getDisplayId();
            width = 0;
            look();
        } catch (Throwable error) {
            reports.failed(Reports.NEW_DISPLAY, error);
        }
    }

    /** Draws the display into a surface of this size from now on. */
    synchronized void capture(Surface surface, int toWidth, int toHeight) throws ReflectiveOperationException {
        release();
        if (made != null) {
            made.setSurface(surface);
            return;
        }
        try {
            Method create = DisplayManager.class.getMethod(
                    "createVirtualDisplay", String.class, int.class, int.class, int.class, Surface.class);
            mirror = (VirtualDisplay) create.invoke(null, "heliograph", toWidth, toHeight, display, surface);
            if (mirror != null) return;
        } catch (ReflectiveOperationException older) {
            // Before Android 13 and on some phones there is the other way.
        }
        captureByFlinger(surface, toWidth, toHeight);
    }

    private void captureByFlinger(Surface surface, int toWidth, int toHeight) throws ReflectiveOperationException {
        Class<?> control = Hidden.type("android.view.SurfaceControl");
        // Secure content is not captured: since Android 12 that is refused to this user.
        mirrorToken = (IBinder) control.getMethod("createDisplay", String.class, boolean.class)
                .invoke(null, "heliograph", false);
        int layers = field(info(), "layerStack");
        control.getMethod("openTransaction").invoke(null);
        try {
            control.getMethod("setDisplaySurface", IBinder.class, Surface.class).invoke(null, mirrorToken, surface);
            control.getMethod("setDisplayProjection", IBinder.class, int.class, Rect.class, Rect.class)
                    .invoke(null, mirrorToken, 0, new Rect(0, 0, width, height), new Rect(0, 0, toWidth, toHeight));
            control.getMethod("setDisplayLayerStack", IBinder.class, int.class).invoke(null, mirrorToken, layers);
        } finally {
            control.getMethod("closeTransaction").invoke(null);
        }
    }

    /** Ends drawing into the surface. */
    synchronized void release() {
        if (made != null) made.setSurface(null);
        if (mirror != null) mirror.release();
        mirror = null;
        if (mirrorToken == null) return;
        try {
            Hidden.type("android.view.SurfaceControl").getMethod("destroyDisplay", IBinder.class)
                    .invoke(null, mirrorToken);
        } catch (ReflectiveOperationException error) {
            error.printStackTrace();
        }
        mirrorToken = null;
    }
}
