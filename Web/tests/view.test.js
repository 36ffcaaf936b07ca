// The positions of the picture, the bar and the special keys while a touch keyboard covers the page.

import assert from "node:assert/strict";
import test from "node:test";
import {Geometry} from "../viewer/picture/geometry.js";
import {Surface} from "../viewer/picture/surface.js";
import {View} from "../viewer/picture/view.js";
import {visiblePart} from "../viewer/picture/viewport.js";
import {browser, FakeElement, fire} from "./fakes.js";

test("what is seen of a page", () => {
    for (const [height, viewport, expected] of [
        [800, undefined, {top: 0, height: 800, below: 0}],
        [800, {height: 800, offsetTop: 0, scale: 1}, {top: 0, height: 800, below: 0}],
        // A keyboard that covers the page, and one that also scrolls it up.
        [800, {height: 500, offsetTop: 0, scale: 1}, {top: 0, height: 500, below: 300}],
        [800, {height: 500, offsetTop: 300, scale: 1}, {top: 300, height: 500, below: 0}],
        [800, {height: 500, offsetTop: 120, scale: 1}, {top: 120, height: 500, below: 180}],
        // Magnified by the browser, without a keyboard.
        [800, {height: 400, offsetTop: 300, scale: 2}, {top: 0, height: 800, below: 0}],
        // During a rotation, one value is updated before the other.
        [400, {height: 800, offsetTop: -5, scale: 1}, {top: 0, height: 400, below: 0}],
        [400, {height: 300, offsetTop: 700, scale: 1}, {top: 400, height: 0, below: 0}],
    ]) assert.deepEqual(visiblePart(height, viewport), expected, JSON.stringify(viewport));
});

test("a picture in a part of the stage is hit, zoomed and revealed there", () => {
    const plain = new Geometry(), moved = new Geometry();
    for (const geometry of [plain, moved]) geometry.setPicture(800, 600);
    plain.setStage(400, 300, 1);
    moved.setStage(400, 300, 1, 200);
    const compare = () => {
        assert.deepEqual({...moved.frame, y: moved.frame.y - 200}, plain.frame);
        assert.deepEqual(moved.pixelAt(120, 290), plain.pixelAt(120, 90));
        assert.deepEqual({...moved.pointOf(10, 20), y: moved.pointOf(10, 20).y - 200}, plain.pointOf(10, 20));
    };
    compare();
    plain.zoomBy(3, 100, 80);
    moved.zoomBy(3, 100, 280);
    compare();
    plain.reveal(790, 590, 40);
    moved.reveal(790, 590, 40);
    compare();
});

function made(t, matchMedia) {
    const clock = browser(t);
    if (matchMedia) globalThis.matchMedia = matchMedia;
    const stage = new FakeElement(), video = new FakeElement(), told = document.documentElement.style;
    Object.assign(video, {videoWidth: 800, videoHeight: 600});
    const viewport = Object.assign(new EventTarget(), {height: 600, offsetTop: 0, scale: 1});
    window.visualViewport = viewport;
    let changes = 0;
    const canvas = Object.assign(new FakeElement("canvas"), {hidden: true}), surface = new Surface(video, canvas);
    const view = new View(stage, surface, new FakeElement("canvas"), () => changes++);
    view.setScreen(800, 600);
    return {...clock, view, surface, video, canvas, viewport, told, changes: () => changes};
}

test("Safari's keyboard: picture, special keys and notes are above it, and below what it pushed out", (t) => {
    const {view, viewport, told} = made(t);
    assert.deepEqual([told["--seen-top"], told["--seen-below"]], ["0px", "0px"]);
    Object.assign(viewport, {height: 260, offsetTop: 100});
    fire(viewport, "resize");
    assert.deepEqual([told["--seen-top"], told["--seen-below"]], ["100px", "240px"]);
    view.covered = 60;
    assert.equal(told["--keys"], "60px");
    const {y, height} = view.geometry.frame;
    assert.ok(y >= 100 && y + height <= 100 + 260 - 60, `${y} ${height}`);
    Object.assign(viewport, {height: 600, offsetTop: 0});
    fire(viewport, "scroll");
    view.covered = 0;
    assert.deepEqual(view.geometry.frame, {x: 0, y: 0, width: 800, height: 600});
});

test("a display of another density is heard of, also the second time, where the window keeps its size", (t) => {
    const queries = [];
    const {view, changes} = made(t, (query) => {
        const list = Object.assign(new EventTarget(), {query});
        queries.push(list);
        return list;
    });
    view.sizing = "actual";
    assert.equal(view.geometry.scale, 1);
    for (const density of [2, 1.5]) {
        const before = changes();
        globalThis.devicePixelRatio = density;
        fire(queries.at(-1), "change");
        assert.ok(changes() > before);
        assert.equal(view.geometry.scale, 1 / density);
        assert.equal(queries.at(-1).query, `(resolution: ${density}dppx)`);
    }
});

test("zoomed by a button, the middle of what is seen stays, and less than all of it is never shown", (t) => {
    const {view} = made(t);
    view.setScreen(1600, 1200);
    view.zoomBy(2);
    assert.deepEqual(view.geometry.frame, {x: -400, y: -300, width: 1600, height: 1200});
    view.zoomBy(1 / 8);
    assert.deepEqual(view.geometry.frame, {x: 0, y: 0, width: 800, height: 600});
});

test("of a screen with odd sides the picture's last column and row are not seen, and its pixels fit the display's", (t) => {
    const {view, video} = made(t);
    for (const [screen, picture, expected] of [
        [[1365, 767], [1366, 768], ["1366px", "768px", "inset(0 1px 1px 0)"]],
        [[1365, 767], [682, 384], ["1365px", "767px", ""]],
        [[1364, 766], [1364, 766], ["1364px", "766px", ""]],
    ]) {
        Object.assign(video, {videoWidth: picture[0], videoHeight: picture[1]});
        view.setScreen(...screen);
        view.sizing = "actual";
        const {width, height, clipPath} = video.style;
        assert.deepEqual([parseFloat(width).toFixed(3), parseFloat(height).toFixed(3)],
            [parseFloat(expected[0]).toFixed(3), parseFloat(expected[1]).toFixed(3)]);
        assert.deepEqual((clipPath ?? "").match(/[\d.]+/g)?.map((length) => Math.round(length * 1000) / 1000) ?? [],
            expected[2].match(/[\d.]+/g)?.map(Number) ?? []);
    }
});
