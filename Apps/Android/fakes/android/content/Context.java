package android.content;

public abstract class Context {
    public abstract String getPackageName();

    public abstract Context getApplicationContext();

    public String getOpPackageName() {
        return getPackageName();
    }

    public AttributionSource getAttributionSource() {
        throw new RuntimeException("not implemented");
    }
}
