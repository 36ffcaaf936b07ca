// The special keyboard's labels, and the actions of its keys.

import assert from "node:assert/strict";
import test from "node:test";
import {Keyboard, specialRows} from "../viewer/input/keyboard.js";
import {labelOf} from "../viewer/ui/keylabels.js";
import {Keys} from "../viewer/ui/keys.js";
import {browser, FakeElement} from "./fakes.js";

function made(t) {
    browser(t);
    const panel = new FakeElement("section"), rows = new FakeElement(), calls = [];
    panel.hidden = true;
    const keyboard = new Keyboard();
    const typing = {
        keyboard, isTouch: false, press: (code) => calls.push(code), toggle: (name) => keyboard.toggle(name),
        hideTouchKeyboard() {},
    };
    const keys = new Keys(panel, rows, typing);
    const labels = () => rows.children[1].children.slice(0, 4).map(({textContent}) => textContent);
    return {keys, rows, calls, labels, keyboard};
}

test("modifiers are called as the host's system calls them, and not as a Mac does where it does not say", (t) => {
    const {keys, labels} = made(t);
    assert.deepEqual(labels(), ["Cmd", "Alt", "Ctrl", "Shift"]);
    for (const [system, expected] of [
        ["linux", ["Super", "Alt", "Ctrl", "Shift"]], ["macos", ["⌘", "⌥", "⌃", "⇧"]],
        ["windows", ["Win", "Alt", "Ctrl", "Shift"]], ["", ["Cmd", "Alt", "Ctrl", "Shift"]],
        ["plan9", ["Cmd", "Alt", "Ctrl", "Shift"]], ["constructor", ["Cmd", "Alt", "Ctrl", "Shift"]],
    ]) {
        keys.system = system;
        assert.deepEqual(labels(), expected, system);
    }
});

test("a Mac's labels are those of the table that all special keyboards have", () => {
    for (const {modifier, label, name} of specialRows.flat().filter((key) => key.modifier)) {
        assert.deepEqual(labelOf(modifier, "macos"), {label, name});
    }
});

test("a modifier stays down until it is tapped again, other keys are pressed", (t) => {
    const {rows, calls, keyboard} = made(t);
    const [command] = rows.children[1].children, [escape] = rows.children[0].children;
    command.click();
    assert.deepEqual(keyboard.sticky, ["cmd"]);
    assert.equal(command.getAttribute("aria-pressed"), "true");
    escape.click();
    assert.deepEqual(calls, ["Escape"]);
    command.click();
    assert.equal(command.getAttribute("aria-pressed"), "false");
});
