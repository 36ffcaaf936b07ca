package android.view;

/** A key map that knows letters alone. */
public class KeyCharacterMap {
    public static final int VIRTUAL_KEYBOARD = -1;

    public static KeyCharacterMap load(int device) {
        return new KeyCharacterMap();
    }

    public KeyEvent[] getEvents(char[] characters) {
        KeyEvent[] events = new KeyEvent[characters.length];
        for (int i = 0; i < characters.length; i++) {
            if (characters[i] > 127) return null;
            int code = 29 + Character.toLowerCase(characters[i]) - 'a';
            events[i] = new KeyEvent(0, 0, KeyEvent.ACTION_DOWN, code, 0, 0, VIRTUAL_KEYBOARD, 0, 0, 0);
        }
        return events;
    }
}
