package org.heliograph.phone;

import android.os.Build;
import android.os.IBinder;

import java.lang.reflect.Method;

/** The phone's own screen and its sleep. What is changed is undone at the end. */
final class Power {
    /** SurfaceControl.POWER_MODE_OFF and POWER_MODE_NORMAL. */
    private static final int OFF = 0;
    private static final int NORMAL = 2;
    private static final String AWAKE = "stay_on_while_plugged_in";

    private static boolean isOff;
    private static String awakeBefore;

    private Power() {}

    /** Switches the panel off, while the phone stays awake and its pictures go on, or on. */
    static void screen(boolean isOn, Reports reports) {
        // Reports are made without this class's lock: a report that fails ends the process, which needs it.
        try {
            switchPanel(isOn);
        } catch (Throwable error) {
            reports.failed(Reports.SCREEN_POWER, error);
        }
    }

    private static synchronized void switchPanel(boolean isOn) throws ReflectiveOperationException {
        setMode(isOn ? NORMAL : OFF);
        isOff = !isOn;
    }

    private static void setMode(int mode) throws ReflectiveOperationException {
        Class<?> control = Hidden.type("android.view.SurfaceControl");
        control.getMethod("setDisplayPowerMode", IBinder.class, int.class).invoke(null, panel(control), mode);
    }

    /** The token of the phone's panel. */
    private static Object panel(Class<?> control) throws ReflectiveOperationException {
        if (Build.VERSION.SDK_INT >= 34) return panelByServices();
        if (Build.VERSION.SDK_INT >= 29) return control.getMethod("getInternalDisplayToken").invoke(null);
        return control.getMethod("getBuiltInDisplay", int.class).invoke(null, 0);
    }

    /** Since Android 14 the token is given by a class of the system's services, which this process has to load. */
    private static Object panelByServices() throws ReflectiveOperationException {
        Class<?> factory = Hidden.type("com.android.internal.os.ClassLoaderFactory");
        Method make = factory.getMethod(
                "createClassLoader", String.class, String.class, String.class, ClassLoader.class, int.class,
                boolean.class, String.class);
        ClassLoader loader = (ClassLoader) make.invoke(
                null, System.getenv("SYSTEMSERVERCLASSPATH"), null, null, ClassLoader.getSystemClassLoader(), 0, true,
                null);
        Class<?> control = loader.loadClass("com.android.server.display.DisplayControl");
        Method load = Runtime.class.getDeclaredMethod("loadLibrary0", Class.class, String.class);
        load.setAccessible(true);
        load.invoke(Runtime.getRuntime(), control, "android_servers");
        long[] ids = (long[]) control.getMethod("getPhysicalDisplayIds").invoke(null);
        if (ids == null || ids.length == 0) throw new ReflectiveOperationException("there is no panel");
        return control.getMethod("getPhysicalDisplayToken", long.class).invoke(null, ids[0]);
    }

    /** Keeps the phone awake while it is plugged in. */
    static void stayAwake(boolean isOn, Reports reports) {
        try {
            setAwake(isOn);
        } catch (Throwable error) {
            reports.failed(Reports.STAY_AWAKE, error);
        }
    }

    private static synchronized void setAwake(boolean isOn) throws Exception {
        if (isOn && awakeBefore == null) {
            awakeBefore = Shell.run("settings", "get", "global", AWAKE);
            // 7: by mains, USB and wireless chargers.
            Shell.run("settings", "put", "global", AWAKE, "7");
        } else if (!isOn) {
            restoreAwake();
        }
    }

    private static void restoreAwake() throws Exception {
        if (awakeBefore == null) return;
        String before = awakeBefore;
        awakeBefore = null;
        Shell.run("settings", "put", "global", AWAKE, before.matches("[0-9]+") ? before : "0");
    }

    /** Undoes all changes. */
    static synchronized void restore() {
        try {
            if (isOff) setMode(NORMAL);
            isOff = false;
            restoreAwake();
        } catch (Throwable error) {
            error.printStackTrace();
        }
    }
}
