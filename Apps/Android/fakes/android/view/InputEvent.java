package android.view;

public abstract class InputEvent {
    public int display;

    public void setDisplayId(int id) {
        display = id;
    }
}
