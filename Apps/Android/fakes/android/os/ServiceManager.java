package android.os;

public final class ServiceManager {
    public static IBinder getService(String name) {
        return name.equals("clipboard") ? new IBinder() {} : null;
    }
}
