package android.content;

public class ContextWrapper extends Context {
    public ContextWrapper(Context base) {}

    @Override
    public String getPackageName() {
        return "android";
    }

    /** The system's, as its context is what the shell's wraps. */
    @Override
    public AttributionSource getAttributionSource() {
        return new AttributionSource.Builder(1000).setPackageName("android").build();
    }

    @Override
    public Context getApplicationContext() {
        return null;
    }
}
