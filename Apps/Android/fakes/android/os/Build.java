package android.os;

/**
 * The fake phone's version, by the files "version" and "model" of its folder. None of these is a constant that a
 * compiler would write into who reads it: each phone has its own.
 */
public class Build {
    public static final String MANUFACTURER = fakes.Phone.read("manufacturer", "Heliograph").trim();
    public static final String MODEL = fakes.Phone.read("model", "Fake Phone").trim();

    public static class VERSION {
        public static final int SDK_INT = Integer.parseInt(fakes.Phone.read("version", "34").trim());
    }
}
