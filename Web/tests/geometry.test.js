import assert from "node:assert/strict";
import test from "node:test";
import {Geometry, ZOOM_LIMIT} from "../viewer/picture/geometry.js";

function made(picture, stage, density = 1) {
    const geometry = new Geometry();
    geometry.setPicture(...picture);
    geometry.setStage(...stage, density);
    return geometry;
}

test("fitted, all of the picture is in sight, in the middle", () => {
    assert.deepEqual(made([1920, 1080], [960, 800]).frame, {x: 0, y: 130, width: 960, height: 540});
    assert.deepEqual(made([1000, 1000], [960, 800]).frame, {x: 80, y: 0, width: 800, height: 800});
    assert.equal(made([1920, 1080], [960, 800]).overflows, false);
});

test("at actual size a pixel of the picture is one of the display", () => {
    const geometry = made([800, 600], [1280, 800], 2);
    geometry.sizing = "actual";
    assert.deepEqual(geometry.frame, {x: 440, y: 250, width: 400, height: 300});
    const large = made([2000, 600], [1280, 800]);
    large.sizing = "actual";
    assert.equal(large.overflows, true);
    assert.equal(large.frame.x, -360);
});

test("filled, no part of the stage is empty, and what does not fit can be panned to", () => {
    for (const [picture, stage] of [[[1920, 1080], [960, 800]], [[1000, 1000], [960, 800]], [[600, 1200], [1280, 300]]]) {
        const geometry = made(picture, stage);
        geometry.sizing = "fill";
        const {x, y, width, height} = geometry.frame;
        assert.ok(x <= 0 && y <= 0 && x + width >= stage[0] && y + height >= stage[1], JSON.stringify(geometry.frame));
        assert.ok(Math.abs(width - stage[0]) < 1e-6 || Math.abs(height - stage[1]) < 1e-6, "and no larger than that");
        assert.equal(geometry.overflows, true);
        geometry.reveal(0, 0, 0);
        assert.deepEqual([geometry.frame.x, geometry.frame.y].map(Math.abs), [0, 0]);
        geometry.reveal(...picture, 0);
        const end = geometry.frame;
        assert.ok(Math.abs(end.x + end.width - stage[0]) < 1 && Math.abs(end.y + end.height - stage[1]) < 1);
    }
    const same = made([1600, 900], [800, 450]);
    same.sizing = "fill";
    assert.equal(same.overflows, false);
});

test("the pixel under a point is that pixel's middle, whichever way the host rounds", () => {
    for (const [size, stage] of [[1280, 1280], [1920, 777], [3840, 390], [640, 1279]]) {
        const geometry = made([size, size], [stage, stage]);
        for (let x = 0; x < stage; x += 1) {
            const {x: pixel, fraction} = geometry.pixelAt(x, 0);
            assert.ok(pixel >= 0 && pixel < size);
            assert.equal(Math.floor(fraction.x * size), pixel);
            assert.equal(Math.round(fraction.x * (size - 1)), pixel);
        }
        assert.equal(geometry.pixelAt(0, 0).x, 0);
        assert.equal(geometry.pixelAt(stage - 1e-9, 0).x, size - 1);
    }
});

test("where a pixel begins is that pixel, at one to one, in whole multiples and in whole parts", () => {
    for (const picture of [[1920, 1080], [1280, 800], [1366, 768], [2560, 1440], [3440, 1440]]) {
        for (const [multiple, part] of [[1, 1], [2, 1], [3, 1], [1, 2], [1, 3]]) {
            const geometry = made(picture, picture.map((length) => length * multiple / part));
            picture.forEach((length, axis) => {
                for (let n = 0; n < length; n++) {
                    const place = n * multiple / part;
                    const pixel = axis ? geometry.pixelAt(0, place).y : geometry.pixelAt(place, 0).x;
                    assert.equal(pixel, n, `${n} of ${length}, ${multiple}/${part}`);
                }
            });
        }
    }
});

test("outside, the nearest pixel counts, and it is said to be outside", () => {
    const geometry = made([100, 100], [300, 100]);
    assert.deepEqual(geometry.pixelAt(0, 50), {x: 0, y: 50, isInside: false, fraction: {x: 0.005, y: 0.505}});
    assert.deepEqual(geometry.pixelAt(299, 99), {x: 99, y: 99, isInside: false, fraction: {x: 0.995, y: 0.995}});
    assert.equal(geometry.pixelAt(100, 0).isInside, true);
    assert.equal(geometry.pixelAt(200, 0).isInside, false);
});

test("what is under the fingers stays there while they zoom", () => {
    const geometry = made([1000, 1000], [500, 500]);
    const before = geometry.pixelAt(100, 400);
    geometry.zoomBy(2, 100, 400);
    assert.equal(geometry.zoom, 2);
    const after = geometry.pixelAt(100, 400);
    assert.deepEqual([after.x, after.y], [before.x, before.y]);
    geometry.zoomBy(100, 100, 400);
    assert.equal(geometry.zoom, ZOOM_LIMIT);
    geometry.zoomBy(0.001, 0, 0);
    assert.deepEqual(geometry.frame, {x: 0, y: 0, width: 500, height: 500}, "zoomed out it is back in its place");
});

test("panning ends at the picture's edges", () => {
    const geometry = made([1000, 1000], [500, 500]);
    assert.equal(geometry.pan(10, 10), false, "all of it is in sight");
    geometry.zoomBy(2, 250, 250);
    assert.equal(geometry.pan(1e6, -1e6), true);
    assert.equal(geometry.frame.x, 0);
    assert.equal(geometry.frame.y, -500);
    assert.equal(geometry.pan(1, 0), false);
});

test("a pixel out of sight is brought into sight, by as little as does", () => {
    const geometry = made([1000, 1000], [500, 500]);
    geometry.zoomBy(4, 0, 0);
    assert.equal(geometry.reveal(100, 100, 20), false, "in sight already");
    assert.equal(geometry.reveal(500, 100, 20), true);
    assert.equal(geometry.pointOf(500, 100).x, 480);
    geometry.reveal(999, 999, 20);
    const corner = geometry.pointOf(999, 999);
    assert.ok(corner.x <= 500 && corner.y <= 500);
});

test("a smaller window keeps the picture within reach", () => {
    const geometry = made([1000, 1000], [500, 500]);
    geometry.zoomBy(2, 0, 0);
    geometry.pan(-500, 0);
    geometry.setStage(900, 900);
    assert.ok(geometry.frame.x + geometry.frame.width >= 900 - 1e-9);
});

test("without a picture nothing is not a number", () => {
    const geometry = made([0, 0], [0, 0]);
    const {fraction} = geometry.pixelAt(5, 5);
    assert.ok(Number.isFinite(fraction.x) && Number.isFinite(geometry.scale));
});
