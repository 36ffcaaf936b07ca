// Touches on the stage: the messages that their events cause.

import assert from "node:assert/strict";
import test from "node:test";
import {Input} from "../viewer/input/input.js";
import {Pointer} from "../viewer/input/pointer.js";
import {Touch} from "../viewer/input/touch.js";
import {Geometry} from "../viewer/picture/geometry.js";
import {browser, FakeElement, fire} from "./fakes.js";

function made(t) {
    const clock = browser(t);
    const stage = new FakeElement(), sent = [], uses = [];
    const input = new Input((channel, message) => (sent.push([channel, message]), true), () => {});
    input.state = "yours";
    const geometry = new Geometry();
    geometry.setPicture(800, 600);
    geometry.setStage(800, 600, 1);
    const zooms = [];
    const view = {
        geometry, pixelsPerPoint: 1, stopPushing() {}, pushFrom() {}, pan() {}, resetZoom() {},
        zoomTo: (scale) => zooms.push(scale),
    };
    const cursor = {moveTo() {}, moveBy() {}, place: {x: 400, y: 300}};
    const pointer = new Pointer(stage, input, view, cursor, () => {}, () => {});
    const touch = new Touch(stage, input, pointer, view, (kind) => uses.push(kind));
    const finger = (type, x, y, pointerId = 1) => fire(stage, `pointer${type}`, {
        pointerType: "touch", pointerId, clientX: x, clientY: y, timeStamp: clock.now(), button: 0,
    });
    const told = () => sent.splice(0).map(([channel, {type, button}]) => [channel, type, button].filter(Boolean).join(" "));
    return {...clock, stage, input, touch, sent, told, finger, uses, zooms};
}

test("a finger moves the pointer, and its tap takes along what may have been lost of that", (t) => {
    const {finger, told, pass, uses} = made(t);
    finger("down", 100, 100);
    pass(10);
    finger("move", 140, 100);
    pass(10);
    finger("move", 180, 100);
    finger("up", 180, 100);
    assert.deepEqual(told(), ["moves mouseMove", "moves mouseMove"]);
    pass(500);
    assert.deepEqual(told(), ["moves mouseMove", "moves mouseMove"], "told again");
    finger("down", 100, 100);
    pass(50);
    finger("up", 100, 100);
    assert.deepEqual(told(), ["control mouseMove", "control click left"]);
    assert.deepEqual([...new Set(uses)], ["touch"]);
});

test("a finger that rests holds the button, and a page that loses the fingers lets go", (t) => {
    const {finger, told, pass, touch} = made(t);
    finger("down", 100, 100);
    pass(501);
    assert.deepEqual(told(), ["control mouseDown left"]);
    touch.reset();
    assert.deepEqual(told(), ["control mouseUp left"]);
});

test("Safari's own gestures are not begun", (t) => {
    const {stage} = made(t);
    for (const name of ["touchstart", "touchmove", "gesturestart"]) assert.equal(fire(stage, name), false);
});

test("with the pointer under the finger, clicks and buttons carry the finger's place", (t) => {
    const {finger, sent, pass, touch} = made(t);
    touch.isDirect = true;
    const place = ({x, y}) => [x, y].map((part) => Math.round(part * 1e4) / 1e4);
    finger("down", 200, 150);
    pass(50);
    finger("up", 200, 150);
    const [[channel, click]] = sent.splice(0);
    assert.deepEqual([channel, click.type, click.button, click.count], ["control", "click", "left", 1]);
    assert.deepEqual(place(click), [0.2506, 0.2508]);
    pass(1000);
    finger("down", 400, 300);
    pass(20);
    finger("move", 600, 300);
    finger("up", 600, 300);
    assert.deepEqual(sent.map(([, {type}]) => type), ["mouseDown", "mouseTo", "mouseUp"]);
    assert.deepEqual(sent.map(([, message]) => place(message)[0]), [0.5006, 0.7506, 0.7506]);
    const numbers = sent.map(([, {n}]) => n);
    assert.deepEqual(numbers, [click.n + 1, click.n + 2, click.n + 3], "numbered together");
});

test("beside the picture a finger presses nothing, and lets nothing go", (t) => {
    const {finger, told, pass, touch} = made(t);
    touch.isDirect = true;
    finger("down", 900, 150);
    pass(50);
    finger("up", 900, 150);
    finger("down", 900, 150);
    finger("move", 850, 150);
    finger("up", 850, 150);
    assert.deepEqual(told().filter((text) => !text.startsWith("moves")), []);
});

test("who changes the way of touching in the middle of a drag lets go", (t) => {
    const {finger, told, touch} = made(t);
    touch.isDirect = true;
    finger("down", 100, 150);
    finger("move", 150, 150);
    touch.isDirect = false;
    assert.equal(told().at(-1), "control mouseUp left");
    finger("up", 150, 150);
    assert.deepEqual(told(), []);
});
