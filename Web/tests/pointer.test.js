// Mouse and pen: the pointer and button messages that their events cause.

import assert from "node:assert/strict";
import test from "node:test";
import {Input} from "../viewer/input/input.js";
import {Pointer} from "../viewer/input/pointer.js";
import {Geometry} from "../viewer/picture/geometry.js";
import {browser, FakeElement, fire} from "./fakes.js";

function made(t, options) {
    const clock = browser(t, options);
    const stage = new FakeElement(), sent = [], uses = [], changes = [];
    const input = new Input((channel, message) => (sent.push(message), true), () => {});
    input.state = "yours";
    const geometry = new Geometry();
    geometry.setPicture(800, 600);
    geometry.setStage(800, 600, 1);
    const view = {geometry, stopPushing() {}, pushFrom() {}, zoomTo() {}};
    const cursor = {moveTo() {}, moveBy() {}, isLocal: false};
    const pointer = new Pointer(stage, input, view, cursor, (kind) => uses.push(kind), () => changes.push(0));
    const buttons = () => sent.filter(({type}) => type === "mouseDown" || type === "mouseUp")
        .map(({type, button}) => `${type} ${button}`);
    return {...clock, stage, sent, input, pointer, cursor, uses, changes, buttons};
}

const pen = (more) => ({pointerType: "pen", pointerId: 7, button: 0, clientX: 100, clientY: 50, ...more});
const mouse = (more) => ({pointerType: "mouse", pointerId: 1, button: 0, clientX: 100, clientY: 50, ...more});

test("a pen whose touches nobody takes for a mouse's lets go by its own events", (t) => {
    const {stage, sent, buttons, input} = made(t);
    fire(stage, "pointerdown", pen());
    fire(stage, "pointermove", pen({clientX: 120}));
    fire(stage, "pointerup", pen({clientX: 120}));
    assert.deepEqual(buttons(), ["mouseDown left", "mouseUp left"]);
    assert.equal(input.isHolding, false);
    const {x} = sent.at(-1);
    assert.ok(Math.abs(x - 120.5 / 800) < 1e-6, "where it was lifted");
});

test("where mouse events follow a pen's, each button still goes down and up once", (t) => {
    const {stage, buttons} = made(t);
    for (const button of [0, 2]) {
        fire(stage, "pointerdown", pen({button}));
        fire(stage, "mousedown", {button, clientX: 100, clientY: 50});
        fire(stage, "pointerup", pen({button}));
        fire(stage, "mouseup", {button, clientX: 100, clientY: 50});
    }
    assert.deepEqual(buttons(), ["mouseDown left", "mouseUp left", "mouseDown right", "mouseUp right"]);
});

test("a pen or a mouse that the system takes away holds nothing", (t) => {
    const {stage, buttons, input} = made(t);
    for (const event of [pen(), mouse()]) {
        fire(stage, "pointerdown", event);
        fire(stage, "pointercancel", event);
    }
    assert.deepEqual(buttons(), ["mouseDown left", "mouseUp left", "mouseDown left", "mouseUp left"]);
    assert.equal(input.isHolding, false);
});

test("a mouse's buttons go up one by one, by its mouse events", (t) => {
    const {stage, buttons} = made(t);
    fire(stage, "pointerdown", mouse());
    fire(stage, "mousedown", mouse());
    fire(stage, "mousedown", mouse({button: 2}));
    fire(stage, "mouseup", mouse());
    assert.deepEqual(buttons(), ["mouseDown left", "mouseDown right", "mouseUp left"]);
    fire(stage, "pointerup", mouse({button: 2}));
    fire(stage, "mouseup", mouse({button: 2}));
    assert.deepEqual(buttons().slice(3), ["mouseUp right"]);
});

test("a finger is none of it", (t) => {
    const {stage, sent} = made(t);
    for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel"]) {
        fire(stage, type, {...pen(), pointerType: "touch"});
    }
    assert.equal(sent.length, 0);
});

test("whoever chooses which pointer is shown hears of the lock; a lock that ends is no choice by itself", (t) => {
    const {stage, cursor, pointer, changes} = made(t);
    cursor.isLocal = true;
    document.pointerLockElement = stage;
    fire(document, "pointerlockchange");
    pointer.leaveLock();
    assert.equal(document.pointerLockElement, null);
    assert.equal(changes.length, 2);
    assert.equal(cursor.isLocal, true, "a finger or another driver may be why");
    pointer.leaveLock();
    assert.equal(changes.length, 2);
});

test("control that goes to somebody else takes the lock with it", (t) => {
    const {stage, input, pointer} = made(t);
    input.lost = () => pointer.leaveLock();
    for (const state of ["taken", "forbidden"]) {
        input.state = "yours";
        document.pointerLockElement = stage;
        input.state = "free";
        assert.equal(document.pointerLockElement, stage);
        input.state = state;
        assert.equal(document.pointerLockElement, null, state);
    }
});

// The drawn positions in CSS pixels.
const drawn = (sent) => sent.filter(({type}) => type === "mouseTo").map(({x, y}) => [x * 800 - 0.5, y * 600 - 0.5].map(Math.round));
const stroke = (points, more) => pen({
    clientX: points.at(-1)[0], clientY: points.at(-1)[1], ...more,
    getCoalescedEvents: () => points.map(([clientX, clientY]) => ({clientX, clientY})),
});

for (const raw of [true, false]) {
    test(`a pen's line goes through each point that the browser has put into one event${raw ? ", raw" : ""}`, (t) => {
        const {stage, sent} = made(t, {raw}), type = raw ? "pointerrawupdate" : "pointermove";
        fire(stage, "pointerdown", pen());
        fire(stage, type, stroke([[110, 50], [120, 55], [120, 55], [130, 70]]));
        fire(stage, type, stroke([[140, 90], [150, 100]]));
        // The event that sums up raw events adds nothing new.
        if (raw) fire(stage, "pointermove", stroke([[140, 90], [150, 100]]));
        assert.deepEqual(drawn(sent), [[110, 50], [120, 55], [130, 70], [140, 90], [150, 100]]);
        const numbers = sent.filter(({n}) => n).map(({n}) => n);
        assert.deepEqual(numbers, [...numbers].sort((a, b) => a - b));
    });
}

test("a pen that hovers and a mouse that drags send the newest place alone", (t) => {
    const {stage, sent} = made(t);
    fire(stage, "pointermove", stroke([[110, 50], [120, 55]]));
    assert.deepEqual(drawn(sent), [[120, 55]]);
    fire(stage, "pointerdown", mouse());
    fire(stage, "mousedown", mouse());
    sent.length = 0;
    fire(stage, "pointermove", {...stroke([[210, 50], [220, 55], [230, 60]]), pointerType: "mouse"});
    assert.ok(drawn(sent).length <= 1);
});

test("where the browser tells no single points, or more than a line can have, the end is sent all the same", (t) => {
    const {stage, sent} = made(t);
    fire(stage, "pointerdown", pen());
    fire(stage, "pointermove", pen({clientX: 111}));
    assert.deepEqual(drawn(sent), [[111, 50]]);
    fire(stage, "pointermove", pen({clientX: 112, getCoalescedEvents: () => []}));
    assert.deepEqual(drawn(sent).at(-1), [112, 50]);
    sent.length = 0;
    fire(stage, "pointermove", stroke(Array.from({length: 500}, (_, index) => [120 + index, 60])));
    assert.equal(drawn(sent).length, 32);
    assert.deepEqual(drawn(sent).at(-1), [619, 60]);
});
