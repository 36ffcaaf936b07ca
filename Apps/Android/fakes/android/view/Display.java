package android.view;

public final class Display {
    private final int id;

    public Display(int id) {
        this.id = id;
    }

    public int getDisplayId() {
        return id;
    }
}
