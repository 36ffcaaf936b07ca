// The test picture: how long a machine takes to draw, and that a slow one pays once.

import assert from "node:assert/strict";
import test from "node:test";
import {DRAWING_LIMIT, drawingTime} from "../viewer/picture/testpicture.js";
import {machine} from "./picturefakes.js";

test("with a card: the median of four draws after the first, with what the card still has to do, without the reading", () => {
    const {scope, now, pictures, canvases} = machine({draws: [40, 7, 1, 3, 1.5, 2], queued: 0.25, reading: 4});
    assert.equal(drawingTime(scope, now), 2.25);
    assert.deepEqual(pictures.map(({codedWidth, codedHeight, format}) => `${format} ${codedWidth}x${codedHeight}`),
        ["I420 16x16", ...Array(5).fill("I420 1920x1080")]);
    for (const {isClosed, data, codedWidth, codedHeight} of pictures) {
        assert.ok(isClosed);
        assert.equal(data.length, codedWidth * codedHeight * 1.5);
    }
    const [{width, height, asked, options}] = canvases;
    assert.deepEqual([canvases.length, asked, width, height], [1, [1920, 1080], 1, 1], "its memory is released");
    assert.equal(options.willReadFrequently, false);
});

test("in software it is drawn once, and that is above the limit", () => {
    for (const [draws, queued] of [[[0.5, 17], 0], [[0.1, 0.1], 17]]) {
        const {scope, now, pictures} = machine({draws, queued, reading: 0.1});
        assert.ok(drawingTime(scope, now) > DRAWING_LIMIT);
        assert.equal(pictures.length, 2);
    }
});

test("a first picture within 8 ms is no card yet", () => {
    const {scope, now, pictures} = machine({draws: [0.1, 6, 5, 4, 5, 6]});
    assert.ok(drawingTime(scope, now) > DRAWING_LIMIT);
    assert.equal(pictures.length, 6);
});

test("what can't be drawn leaves nothing open", () => {
    const {scope, now, pictures} = machine({draws: []});
    assert.throws(() => drawingTime(scope, now));
    assert.deepEqual(pictures.map(({isClosed}) => isClosed), [true]);
});
