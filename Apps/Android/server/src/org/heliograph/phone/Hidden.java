package org.heliograph.phone;

import java.lang.reflect.Method;

/**
 * Calls of methods that Android's public API does not have. Apps/Android/hidden.md lists them, with the versions that
 * have them and the place where each was read.
 */
final class Hidden {
    private Hidden() {}

    static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(name);
    }

    /** A binder interface of a system service, such as "clipboard" and "android.content.IClipboard". */
    static Object service(String name, String type) throws ReflectiveOperationException {
        Object binder = type("android.os.ServiceManager").getMethod("getService", String.class).invoke(null, name);
        if (binder == null) throw new ReflectiveOperationException("there is no service " + name);
        Class<?> ibinder = type("android.os.IBinder");
        return type(type + "$Stub").getMethod("asInterface", ibinder).invoke(null, binder);
    }

    /** The first public method of this name. Throws NoSuchMethodException if there is none. */
    static Method method(Class<?> type, String name) throws NoSuchMethodException {
        for (Method method : type.getMethods()) if (method.getName().equals(name)) return method;
        throw new NoSuchMethodException(type.getName() + "." + name);
    }

    /**
     * Calls a method whose trailing parameters differ between versions: the calling package, an attribution tag, a
     * user and a device. The given arguments come first; then the first String is the shell's package and the second
     * null, and numbers are 0: the first user and the phone itself.
     */
    static Object call(Object target, String name, Object... first) throws ReflectiveOperationException {
        Method method = method(target.getClass(), name);
        Class<?>[] types = method.getParameterTypes();
        Object[] all = new Object[types.length];
        boolean hasPackage = false;
        for (int i = 0; i < types.length; i++) {
            if (i < first.length) {
                all[i] = first[i];
            } else if (types[i] == String.class) {
                all[i] = hasPackage ? null : Shell.PACKAGE;
                hasPackage = true;
            } else if (types[i] == int.class) {
                all[i] = 0;
            } else if (types[i] == boolean.class) {
                all[i] = false;
            }
        }
        return method.invoke(target, all);
    }
}
