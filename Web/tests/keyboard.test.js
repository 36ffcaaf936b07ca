// The page's keyboard with the golden vectors, whose part on the special keyboard Swift's is tested with too.

import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import test from "node:test";
import {Keyboard, specialRows} from "../viewer/input/keyboard.js";
import {keyOf} from "../viewer/input/keytable.js";

const vectors = JSON.parse(readFileSync(new URL("../../Testing/Vectors/keyboard.json", import.meta.url), "utf8"));

const long = (value) => typeof value === "object" && value !== null ? value.repeat.repeat(value.count) : value;

function expected(step) {
    return (step.send ?? []).map((message) => {
        return message.characters === undefined ? message : {...message, characters: long(message.characters)};
    });
}

function event(fields, timeStamp) {
    const flags = {metaKey: false, ctrlKey: false, altKey: false, shiftKey: false, repeat: false, isComposing: false};
    return {
        ...flags, keyCode: 0, timeStamp, ...fields,
        getModifierState: (name) => {
            // A step without `locks` doesn't concern the locks.
            return name === "AltGraph" ? fields.altGraph === true : fields.locks?.includes(name);
        },
    };
}

function perform(keyboard, step) {
    if (step.keyDown) return keyboard.keyDown(event(step.keyDown, step.at));
    if (step.keyUp) return keyboard.keyUp(event(step.keyUp, step.at));
    if (step.toggle !== undefined) return keyboard.toggle(step.toggle);
    if (step.press !== undefined) return keyboard.press(step.press);
    if (step.text !== undefined) return keyboard.text(long(step.text));
    if (step.releaseAll) return keyboard.releaseAll();
    if (step.flush) return keyboard.flush();
    return keyboard.tick(step.at);
}

test("keys by their names", () => {
    assert.ok(vectors.keys.length > 150);
    for (const {code, ...key} of vectors.keys) assert.deepEqual(keyOf(code), key, code);
    for (const code of ["", "Power", "Unidentified", "constructor", "__proto__"]) assert.equal(keyOf(code), null, code);
});

test("the special keyboard's rows", () => {
    assert.deepEqual(specialRows.map((row) => row.map(({name, ...key}) => key)), vectors.specialRows);
    for (const key of specialRows.flat()) {
        assert.ok(key.name.length > 0);
        assert.ok(key.modifier !== undefined || keyOf(key.code)?.keyCode !== undefined);
    }
});

test("what keys type", () => {
    for (const [code, ...characters] of vectors.characters) {
        characters.forEach((character, index) => {
            const keyboard = new Keyboard();
            keyboard.toggle("ctrl");
            const names = index === 0 ? ["ctrl"] : ["ctrl", "shift"];
            assert.deepEqual(keyboard.text(character), [
                {type: "keyPress", keyCode: keyOf(code).keyCode, modifiers: names},
            ]);
        });
    }
});

for (const {name, settings, steps} of [...vectors.special, ...vectors.events]) {
    test(name, () => {
        const keyboard = new Keyboard(settings);
        steps.forEach((step, index) => {
            const place = `step ${index + 1}: ${JSON.stringify(step)}`;
            if (step.takes !== undefined) assert.equal(keyboard.takes(event(step.keyDown, step.at)), step.takes, place);
            assert.deepEqual(perform(keyboard, step), expected(step), place);
            if (step.sticky) assert.deepEqual(keyboard.sticky, step.sticky, place);
            if (step.holding !== undefined) assert.equal(keyboard.isHolding, step.holding, place);
            if (step.due !== undefined) assert.equal(keyboard.deadline, step.due, place);
        });
    });
}

test("what pastes at the host is pressed as it is here", () => {
    for (const [platform, exchangesCommand, modifier] of [
        ["mac", false, "cmd"], ["mac", true, "ctrl"], ["windows", false, "ctrl"], ["", false, "ctrl"], ["", true, "cmd"],
    ]) {
        assert.deepEqual(new Keyboard({platform, exchangesCommand}).paste(),
            [{type: "keyPress", keyCode: 9, modifiers: [modifier]}], `${platform} ${exchangesCommand}`);
    }
});
