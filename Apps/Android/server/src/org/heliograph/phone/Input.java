package org.heliograph.phone;

import android.os.Build;
import android.os.SystemClock;
import android.view.InputDevice;
import android.view.InputEvent;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import android.view.MotionEvent;

import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.Method;

/** Touches, keys, text and the wheel. */
final class Input {
    /** InputManager.INJECT_INPUT_EVENT_MODE_ASYNC. */
    private static final int ASYNC = 0;

    private final Reports reports;
    private final Screen screen;
    private Object manager;
    private Method inject;
    private Method setDisplay;
    private KeyCharacterMap characters;
    /** The instant at which the first finger went down, in milliseconds since the phone's start. */
    private long down;

    Input(Reports reports, Screen screen) {
        this.reports = reports;
        this.screen = screen;
    }

    void touch(DataInputStream fields) throws IOException {
        int action = fields.readUnsignedByte();
        int index = fields.readUnsignedByte();
        int count = fields.readUnsignedByte();
        MotionEvent.PointerProperties[] fingers = new MotionEvent.PointerProperties[count];
        MotionEvent.PointerCoords[] places = new MotionEvent.PointerCoords[count];
        for (int i = 0; i < count; i++) {
            fingers[i] = new MotionEvent.PointerProperties();
            fingers[i].id = fields.readUnsignedByte();
            fingers[i].toolType = MotionEvent.TOOL_TYPE_FINGER;
            places[i] = new MotionEvent.PointerCoords();
            places[i].x = fields.readFloat();
            places[i].y = fields.readFloat();
            places[i].pressure = fields.readFloat();
            places[i].size = 1;
        }
        long now = SystemClock.uptimeMillis();
        if (action == MotionEvent.ACTION_DOWN) down = now;
        int whole = action | index << MotionEvent.ACTION_POINTER_INDEX_SHIFT;
        inject(MotionEvent.obtain(
                down, now, whole, count, fingers, places, 0, 0, 1, 1, 0, 0, InputDevice.SOURCE_TOUCHSCREEN, 0));
    }

    void scroll(DataInputStream fields) throws IOException {
        MotionEvent.PointerProperties[] pointers = {new MotionEvent.PointerProperties()};
        MotionEvent.PointerCoords[] places = {new MotionEvent.PointerCoords()};
        pointers[0].id = 0;
        pointers[0].toolType = MotionEvent.TOOL_TYPE_MOUSE;
        places[0].x = fields.readFloat();
        places[0].y = fields.readFloat();
        places[0].setAxisValue(MotionEvent.AXIS_HSCROLL, fields.readFloat());
        places[0].setAxisValue(MotionEvent.AXIS_VSCROLL, fields.readFloat());
        long now = SystemClock.uptimeMillis();
        inject(MotionEvent.obtain(
                now, now, MotionEvent.ACTION_SCROLL, 1, pointers, places, 0, 0, 1, 1, 0, 0, InputDevice.SOURCE_MOUSE,
                0));
    }

    void key(DataInputStream fields) throws IOException {
        boolean isDown = fields.readBoolean();
        int code = fields.readUnsignedShort();
        int modifiers = fields.readInt();
        int repeats = fields.readUnsignedShort();
        long now = SystemClock.uptimeMillis();
        inject(new KeyEvent(
                now, now, isDown ? KeyEvent.ACTION_DOWN : KeyEvent.ACTION_UP, code, repeats, modifiers,
                KeyCharacterMap.VIRTUAL_KEYBOARD, 0, 0, InputDevice.SOURCE_KEYBOARD));
    }

    void text(String text) {
        if (characters == null) characters = KeyCharacterMap.load(KeyCharacterMap.VIRTUAL_KEYBOARD);
        KeyEvent[] events = characters.getEvents(text.toCharArray());
        if (events == null) {
            reports.failed(Reports.INPUT, new IllegalArgumentException("the key map lacks a character"));
            return;
        }
        for (KeyEvent event : events) inject(event);
    }

    private void inject(InputEvent event) {
        try {
            if (inject == null) prepare();
            int display = screen.inputDisplay();
            if (display != 0 && setDisplay != null) setDisplay.invoke(event, display);
            if (!(Boolean) inject.invoke(manager, event, ASYNC)) throw new SecurityException("the event was refused");
        } catch (Throwable error) {
            reports.failed(Reports.INPUT, error);
        }
    }

    private void prepare() throws ReflectiveOperationException {
        // Since Android 14 the methods are those of another class.
        String name = Build.VERSION.SDK_INT >= 34
                ? "android.hardware.input.InputManagerGlobal" : "android.hardware.input.InputManager";
        Class<?> type = Hidden.type(name);
        manager = type.getMethod("getInstance").invoke(null);
        if (Build.VERSION.SDK_INT >= 29) setDisplay = InputEvent.class.getMethod("setDisplayId", int.class);
        inject = type.getMethod("injectInputEvent", InputEvent.class, int.class);
    }
}
