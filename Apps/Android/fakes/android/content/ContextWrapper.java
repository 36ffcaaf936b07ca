package android.content;

public class ContextWrapper extends Context {
    public ContextWrapper(Context base) {}

    @Override
    public String getPackageName() {
        return "android";
    }

    @Override
    public Context getApplicationContext() {
        return null;
    }
}
