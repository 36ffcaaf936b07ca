// Keys and the hidden text field: what they send, and what the field remembers.

import assert from "node:assert/strict";
import test from "node:test";
import {Input} from "../viewer/input/input.js";
import {Typing} from "../viewer/input/typing.js";
import {browser, FakeElement, fire} from "./fakes.js";

function made(t, options = {}) {
    const clock = browser(t, options);
    const stage = new FakeElement("main"), field = new FakeElement("textarea"), sent = [], commands = [];
    stage.append(field);
    const input = new Input((channel, message) => (sent.push(message), true), () => {});
    input.state = options.state ?? "yours";
    const typing = new Typing(stage, field, input, (code) => (commands.push(code), code === "KeyH"));
    /** Returns the messages sent since the last call, in short form: text alone for characters. */
    const told = () => sent.splice(0).map(({type, characters, keyCode, button}) =>
        characters ?? button ?? `${type} ${keyCode}`);
    /** Changes the end of the field like a touch keyboard. */
    const write = (change, data = null) => {
        field.value = change(field.value);
        fire(field, "input", {data});
    };
    return {...clock, stage, field, input, typing, sent, told, write, commands};
}

const add = (text) => (value) => value + text;
const swap = (from, to) => (value) => {
    assert.ok(value.endsWith(from), `"${value}" should end with "${from}"`);
    return value.slice(0, value.length - from.length) + to;
};
const key = (code, more) => ({
    code, key: code, timeStamp: 0, repeat: false, ctrlKey: false, altKey: false, shiftKey: false, metaKey: false,
    getModifierState: () => false, stopPropagation() {}, ...more,
});

test("a word is corrected where it was typed", (t) => {
    const {typing, write, told} = made(t);
    typing.showTouchKeyboard();
    write(add("teh"));
    write(swap("teh", "the "));
    assert.deepEqual(told(), ["teh", "keyPress 51", "keyPress 51", "he "]);
});

for (const [name, act] of [
    ["a tap elsewhere", ({input}) => input.act({type: "click", button: "left", count: 1})],
    ["a button", ({input}) => input.press("mouseDown", "left")],
    ["a Backspace told by key", ({stage}) => fire(stage, "keydown", key("Backspace"))],
    ["an arrow of the special keys", ({typing}) => typing.press("ArrowLeft")],
    ["control that went to somebody else and back", ({typing}) => typing.forget()],
]) {
    test(`${name} moves the caret: nothing before it is corrected any more`, (t) => {
        const all = made(t);
        const {typing, write, told, field} = all;
        typing.showTouchKeyboard();
        const empty = field.value;
        write(add("teh"));
        told();
        act(all);
        told();
        assert.equal(field.value, empty);
        write(add("cat"));
        write(swap("cat", "car"));
        assert.deepEqual(told(), ["cat", "keyPress 51", "r"]);
    });
}

for (const writesAnew of [false, true]) {
    const how = writesAnew ? "the keyboard writes it anew" : "the keyboard ends it";
    test(`a word that is being composed goes on at the new place: ${how}`, (t) => {
        const {typing, write, told, field, input} = made(t);
        typing.showTouchKeyboard();
        const empty = field.value;
        fire(field, "compositionstart", {data: ""});
        fire(field, "compositionupdate", {data: "hel"});
        write(add("hel"));
        assert.deepEqual(told(), ["hel"]);
        input.act({type: "click", button: "left", count: 1});
        told();
        assert.equal(field.value, empty);
        if (writesAnew) {
            fire(field, "compositionupdate", {data: "hell"});
            write(add("hell"));
            fire(field, "compositionupdate", {data: "hello"});
            write(swap("hell", "hello"));
            assert.deepEqual(told(), ["l", "o"]);
        } else {
            fire(field, "compositionend", {data: ""});
            write(add("lo"));
            assert.deepEqual(told(), ["lo"]);
        }
    });
}

test("what an input method has not said yet is typed at the new place, and corrects nothing before it", (t) => {
    const {typing, write, told, field, input} = made(t, {languages: ["ja"]});
    typing.showTouchKeyboard();
    const empty = field.value;
    write(add("今日"));
    assert.deepEqual(told(), ["今日"]);
    fire(field, "compositionstart", {data: ""});
    fire(field, "compositionupdate", {data: "にほん"});
    write(add("にほん"));
    assert.deepEqual(told(), []);
    input.act({type: "click", button: "left", count: 1});
    assert.deepEqual(told(), ["left"]);
    // The input method rewrites an earlier word, too.
    field.value = `${empty}京日本`;
    fire(field, "compositionend", {data: "日本"});
    assert.deepEqual(told(), ["日本"]);
    assert.equal(field.value, empty);
});

test("without a touch keyboard an input method's text goes once, and leaves nothing", (t) => {
    const {write, told, field} = made(t);
    fire(field, "compositionstart", {data: ""});
    fire(field, "compositionupdate", {data: "に"});
    write(add("に"));
    assert.deepEqual(told(), []);
    field.value = "日";
    fire(field, "compositionend", {data: "日"});
    assert.deepEqual(told(), ["日"]);
    assert.equal(field.value, "");
});

test("Enter of a touch keyboard is a key, and what stood before it is not corrected", (t) => {
    const {typing, write, told, field} = made(t);
    typing.showTouchKeyboard();
    const empty = field.value;
    write(add("one\n"));
    assert.deepEqual(told(), ["one", "keyPress 36"]);
    assert.equal(field.value, empty);
});

test("a field that is as it has to be is not set: touch keyboards would begin anew", (t) => {
    const {typing, field, input} = made(t);
    typing.showTouchKeyboard();
    let count = 0, value = field.value;
    Object.defineProperty(field, "value", {get: () => value, set: (text) => { count++; value = text; }});
    for (let i = 0; i < 3; i++) input.act({type: "click", button: "left", count: 1});
    assert.equal(count, 0);
});

test("who only watches moves no caret", (t) => {
    const {typing, write, field, input} = made(t, {state: "taken"});
    typing.showTouchKeyboard();
    write(add("a"));
    const {value} = field;
    input.act({type: "click", button: "left", count: 1});
    assert.equal(field.value, value);
});

test("Control, Alt, Shift and a key are the page's; AltGr, Shift and a key are a character", (t) => {
    const {stage, told, commands} = made(t, {platform: "Win32"});
    const three = {ctrlKey: true, altKey: true, shiftKey: true};
    assert.equal(fire(stage, "keydown", key("KeyH", three)), false);
    assert.deepEqual(commands, ["KeyH"]);
    assert.deepEqual(told(), []);
    fire(stage, "keydown", key("KeyH", {...three, getModifierState: (name) => name === "AltGraph"}));
    fire(stage, "keydown", key("KeyH", {...three, repeat: true}));
    assert.deepEqual(commands, ["KeyH"]);
    assert.deepEqual(told(), ["locks undefined", "keyDown 4"]);
});

test("a mouse tells of the locks as a key does, once; a finger has no keyboard, and who only watches none that counts", (t) => {
    const {typing, sent, input} = made(t);
    const event = (pointerType, ...locks) => ({pointerType, getModifierState: (name) => locks.includes(name)});
    typing.tellLocks(event("touch"));
    assert.deepEqual(sent.splice(0), []);
    typing.tellLocks(event("mouse", "NumLock"));
    typing.tellLocks(event("mouse", "NumLock"));
    assert.deepEqual(sent.splice(0), [{type: "locks", caps: false, num: true}]);
    input.state = "taken";
    typing.tellLocks(event("mouse"));
    assert.deepEqual(sent.splice(0), []);
});

test("a key that the browser pastes by is left to it, and is the host's all the same", (t) => {
    const {stage, typing, told} = made(t);
    typing.pastes = ({code}) => code === "KeyV";
    assert.equal(fire(stage, "keydown", key("KeyV", {ctrlKey: true})), true);
    assert.equal(fire(stage, "keydown", key("KeyC", {ctrlKey: true})), false);
    assert.deepEqual(told(), ["locks undefined", "keyDown 9", "keyDown 8"]);
    typing.paste();
    assert.deepEqual(told(), ["keyPress 9"]);
});
