package android.os;

/** The fake phone's version. */
public class Build {
    public static final String MANUFACTURER = "Heliograph";
    public static final String MODEL = "Fake Phone";

    public static class VERSION {
        public static final int SDK_INT = 34;
    }
}
