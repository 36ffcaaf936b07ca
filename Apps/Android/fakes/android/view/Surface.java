package android.view;

/** A surface of a fake encoder, which gives pictures while a display draws into it. */
public class Surface {
    public volatile boolean isDrawn;
    /** Counts how often a display was connected: each draws a whole picture, also on a still screen. */
    public volatile int connections;

    public void release() {}
}
