// The host's pointer as displayed here: it follows local motion at once, and is corrected by the host's reports.

import assert from "node:assert/strict";
import test from "node:test";
import {Cursor} from "../viewer/picture/cursor.js";
import {Geometry} from "../viewer/picture/geometry.js";
import {browser, FakeElement} from "./fakes.js";

function made(t) {
    const clock = browser(t);
    const stage = new FakeElement(), canvas = new FakeElement("canvas"), revealed = [];
    const geometry = new Geometry();
    geometry.setPicture(800, 600);
    geometry.setStage(800, 600, 1);
    const cursor = new Cursor(stage, canvas, {geometry, reveal: (...place) => revealed.push(place)});
    cursor.setScreen(800, 600, 1);
    cursor.isLocal = true;
    return {...clock, stage, canvas, cursor, revealed};
}

test("a move here is shown at once, whatever the host still says", (t) => {
    const {cursor, canvas, revealed} = made(t);
    cursor.moveBy(10, 20);
    cursor.moved({x: 5, y: 5});
    assert.deepEqual(cursor.place, {x: 410, y: 320});
    assert.deepEqual(revealed, [[410, 320]]);
    // The arrow's hotspot is not its corner.
    assert.match(canvas.style.transform, /^translate\(406px, 317px\)/);
});

test("what the host says soon after a move counts once nothing has moved here for a while: it says it once", (t) => {
    const {cursor, pass} = made(t);
    cursor.moveBy(10, 20);
    pass(100);
    cursor.moved({x: 700, y: 20});
    cursor.moved({x: 701, y: 21});
    pass(149);
    assert.deepEqual(cursor.place, {x: 410, y: 320});
    pass(1);
    assert.deepEqual(cursor.place, {x: 701, y: 21});
});

test("what it said before another move here is not what it says of that", (t) => {
    const {cursor, pass} = made(t);
    cursor.moveBy(10, 20);
    cursor.moved({x: 700, y: 20});
    cursor.moveBy(1, 0);
    pass(1000);
    assert.deepEqual(cursor.place, {x: 411, y: 320});
    cursor.moveTo(0.5, 0.5);
    pass(200);
    cursor.moved({x: 7, y: 8});
    cursor.moveTo(0.25, 0.5);
    pass(100);
    cursor.moved({x: 9, y: 10});
    pass(1000);
    assert.deepEqual(cursor.place, {x: 9, y: 10});
});

test("on a monitor that is not shown it is not shown either", (t) => {
    const {cursor, canvas} = made(t);
    cursor.moved({x: -5, y: 10});
    assert.equal(canvas.hidden, true);
    cursor.moved({x: 5, y: 10});
    assert.equal(canvas.hidden, false);
});

test("a shape of the wrong length is passed over, one without pixels hides it", (t) => {
    const {cursor, canvas, stage} = made(t);
    cursor.shape({width: 2, height: 2, x: 0, y: 0, rgba: "AAAA"});
    assert.equal(canvas.width, 24);
    cursor.shape({width: 1, height: 1, x: 0, y: 0, rgba: "AAAAAA"});
    assert.equal(canvas.width, 1);
    cursor.isLocal = false;
    assert.match(stage.style.cursor, /^url/);
    cursor.shape({width: 0, height: 0});
    assert.equal(stage.style.cursor, "none");
});

test("a shape that comes again is named; both ends forget the same ones, and another session all", (t) => {
    const {cursor, canvas} = made(t);
    let shown = null;
    canvas.getContext = () => ({putImageData: (image) => { shown = image.data[0]; }});
    globalThis.ImageData = class { constructor(data) { this.data = data; } };
    globalThis.CSS = {supports: () => true};
    canvas.toDataURL = () => "data:";
    const shape = (value, number, side = 1) => cursor.shape({
        width: side, height: side, x: 0, y: 0, number,
        rgba: Buffer.from(new Uint8Array(side * side * 4).fill(value)).toString("base64url"),
    });
    shape(1, 0);
    shape(2, 1);
    cursor.again({number: 0});
    assert.equal(shown, 1);
    // Limited by number, then by bytes: 96x96 pixels are 36864 of 4194304 bytes.
    for (let number = 2; number <= 256; number++) shape(3, number);
    cursor.again({number: 0});
    assert.equal(shown, 3);
    cursor.again({number: 1});
    assert.equal(shown, 2);
    for (let number = 257; number < 257 + 114; number++) shape(4, number, 96);
    cursor.again({number: 257});
    assert.equal(shown, 4);
    shape(5, 400);
    for (const forgotten of [1, 256, 257]) cursor.again({number: forgotten});
    assert.equal(shown, 5);
    cursor.again({number: 258});
    assert.equal(shown, 4);
    cursor.forget();
    shape(6);
    cursor.again({number: 258});
    assert.equal(shown, 6);
});
