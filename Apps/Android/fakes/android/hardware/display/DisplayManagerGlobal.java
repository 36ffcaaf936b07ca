package android.hardware.display;

/** The fake phone's display, by the file "display" of its folder: width, height and rotation. */
public final class DisplayManagerGlobal {
    private static final DisplayManagerGlobal SHARED = new DisplayManagerGlobal();

    public static DisplayManagerGlobal getInstance() {
        return SHARED;
    }

    public android.view.DisplayInfo getDisplayInfo(int id) {
        String[] words = fakes.Phone.read("display", "720 1280 0").trim().split(" ");
        android.view.DisplayInfo info = new android.view.DisplayInfo();
        info.logicalWidth = Integer.parseInt(words[0]);
        info.logicalHeight = Integer.parseInt(words[1]);
        info.rotation = Integer.parseInt(words[2]);
        return info;
    }
}
