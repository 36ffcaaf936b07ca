// The page's own picture decoder: its configuration, its failures, and its drawing.

import assert from "node:assert/strict";
import test from "node:test";
import {Decoding} from "../viewer/picture/decoding.js";
import {Drawing} from "../viewer/picture/drawing.js";
import {parametersOf, unitsOf} from "../viewer/picture/h264.js";
import {decoders, deltaframe, FakeCanvas, keyframe, LARGE} from "./picturefakes.js";

function made() {
    const scope = decoders(), log = [], clock = {now: 1000};
    const decoding = new Decoding({
        picture: (picture, times) => log.push(["picture", picture.timestamp, times]),
        keyWanted: () => log.push(["keyWanted"]), late: () => log.push(["late"]),
        failed: (reason) => log.push(["failed", reason]),
    }, scope, () => clock.now);
    const names = () => log.splice(0).map(([name]) => name);
    return {decoding, log, names, clock, decoders: scope.made, newest: () => scope.made.at(-1)};
}

test("nothing is decoded before a keyframe, and by its parameter set from then on", () => {
    const {decoding, names, log, decoders, newest, clock} = made();
    assert.equal(decoding.decode(deltaframe(), 990), false);
    assert.deepEqual(names(), ["keyWanted"]);
    assert.equal(decoders.length, 0);
    assert.ok(decoding.decode(keyframe(), 995));
    assert.deepEqual(newest().configurations, [{
        codec: "avc1.42C01F", codedWidth: 1280, codedHeight: 720, optimizeForLatency: true,
        colorSpace: {primaries: "bt709", transfer: "bt709", matrix: "bt709", fullRange: false},
        hardwareAcceleration: "no-preference",
    }]);
    assert.deepEqual(newest().chunks[0].data, keyframe(), "without reordering it is decoded as it is");
    assert.ok(decoding.decode(deltaframe(), 998));
    assert.deepEqual(newest().chunks.map(({type, timestamp}) => [type, timestamp]), [["key", 0], ["delta", 1000]]);
    assert.equal(decoding.held, 2);
    clock.now = 1004;
    newest().give();
    assert.deepEqual(log.splice(0), [["picture", 0, {received: 995, begun: 1000, at: 0}]]);
    assert.equal(decoding.held, 1);
    // The same parameters again, and none at all.
    decoding.decode(keyframe(), 1004);
    assert.equal(newest().configurations.length, 1);
    assert.equal(decoders.length, 1);
});

test("another size is configured at its keyframe, and what would be reordered is not", () => {
    const {decoding, newest, decoders} = made();
    decoding.decode(keyframe(), 0);
    decoding.decode(keyframe(LARGE), 1);
    assert.equal(decoders.length, 1);
    assert.deepEqual(newest().configurations.map(({codec, codedWidth, codedHeight, colorSpace}) =>
        [codec, codedWidth, codedHeight, colorSpace.matrix]),
    [["avc1.42C01F", 1280, 720, "bt709"], ["avc1.640028", 1920, 1080, "smpte170m"]]);
    const before = unitsOf(keyframe(LARGE)), after = unitsOf(newest().chunks[1].data);
    assert.ok(parametersOf(after[0]).hasReorderZero);
    assert.deepEqual(after.slice(1), before.slice(1));
});

test("a picture that the decoder leaves out is not waited for", () => {
    const {decoding, newest} = made();
    decoding.decode(keyframe(), 0);
    decoding.decode(deltaframe(), 1);
    newest().waiting.shift();
    newest().give();
    assert.equal(decoding.held, 0);
});

test("an error costs a keyframe, a second one another kind of decoder, a third one the decoder", () => {
    const {decoding, names, newest, decoders, log} = made();
    decoding.decode(keyframe(), 0);
    const old = newest();
    old.fail();
    assert.deepEqual(names(), ["keyWanted"]);
    assert.equal(decoding.decode(deltaframe(), 1), false);
    assert.ok(decoding.decode(keyframe(), 2));
    assert.equal(decoders.length, 2);
    assert.equal(newest().configurations[0].hardwareAcceleration, "no-preference");
    names();
    // A picture that the old decoder still returns is closed and not shown.
    const late = {timestamp: 0, close() { this.isClosed = true; }};
    old.output(late);
    old.error(new Error("late"));
    assert.ok(late.isClosed);
    assert.deepEqual(names(), []);
    newest().fail();
    decoding.decode(keyframe(), 3);
    assert.equal(newest().configurations[0].hardwareAcceleration, "prefer-software");
    names();
    newest().fail();
    assert.equal(log[0][0], "failed");
    assert.match(log[0][1], /broken/);
    assert.equal(decoding.decode(keyframe(), 4), false);
    assert.equal(decoders.length, 3);
    decoding.close();
});

test("errors that lie far apart don't add up", () => {
    const {decoding, names, newest, clock} = made();
    for (let i = 0; i < 6; i++) {
        decoding.decode(keyframe(), 0);
        newest().fail();
        clock.now += 11_000;
        assert.deepEqual(names(), ["keyWanted"]);
    }
    assert.equal(decoding.acceleration, "no-preference");
});

test("what throws is an error too", () => {
    const {decoding, names} = made();
    decoding.acceleration = "nonsense";
    assert.deepEqual(names(), ["keyWanted"]);
    assert.equal(decoding.decode(keyframe(), 0), false);
    assert.deepEqual(names(), ["keyWanted"]);
    // The first keyframe, without a parameter set.
    const other = made();
    const [, ...units] = unitsOf(keyframe());
    assert.equal(other.decoding.decode(Uint8Array.from([0, 0, 0, 1, ...units[1]]), 0), false);
    assert.equal(other.decoding.errors, 1);
});

test("many that come at once are decoded, and those that come late are not", () => {
    const {decoding, names, newest, clock} = made();
    decoding.decode(keyframe(), 0);
    newest().give();
    names();
    for (let i = 0; i < 40; i++) assert.ok(decoding.decode(deltaframe(), 1), `${i}`);
    newest().give(40);
    for (let i = 0; i < 8; i++) decoding.decode(deltaframe(), 2);
    clock.now += 251;
    assert.equal(decoding.decode(deltaframe(), 3), false);
    assert.equal(names().at(-1), "late");
    assert.deepEqual([decoding.errors, decoding.held, newest().state], [0, 8, "configured"], "what is in it is decoded");
    // A keyframe is decoded at once.
    const old = newest();
    assert.ok(decoding.decode(keyframe(), 4));
    assert.deepEqual([decoding.errors, decoding.held, old.state, newest().chunks.length], [0, 1, "closed", 1]);
    // A decoder that returns no picture at all has failed.
    for (let i = 0; i < 7; i++) decoding.decode(deltaframe(), 5);
    clock.now += 251;
    assert.equal(decoding.decode(deltaframe(), 6), false);
    assert.equal(decoding.errors, 1);
});

test("closed, it gives nothing and takes nothing", () => {
    const {decoding, names, newest} = made();
    decoding.decode(keyframe(), 0);
    decoding.close();
    decoding.close();
    assert.equal(newest().state, "closed");
    assert.equal(decoding.decode(keyframe(), 1), false);
    assert.deepEqual(names(), []);
});

const picture = (width = 640, height = 480) => ({
    displayWidth: width, displayHeight: height, isClosed: false, close() { this.isClosed = true; },
});

test("each picture is drawn at once in its size, but one whose successor is there already and which nobody would see", () => {
    const canvas = new FakeCanvas(), clock = {now: 0}, drawing = new Drawing(canvas, () => clock.now);
    assert.deepEqual([canvas.kind, canvas.options], ["2d", {alpha: false, desynchronized: true}]);
    const draw = (isNewer, ...size) => {
        const one = picture(...size), wasDrawn = drawing.draw(one, isNewer);
        assert.ok(one.isClosed);
        return wasDrawn;
    };
    assert.ok(draw(true));
    assert.deepEqual(canvas.drawn[0].slice(1), [0, 0, 640, 480]);
    assert.deepEqual(drawing.size, {width: 640, height: 480});
    clock.now += 5;
    assert.equal(draw(true), false);
    assert.ok(draw(false, 800, 600));
    assert.deepEqual(drawing.size, {width: 800, height: 600});
    clock.now += 12;
    assert.ok(draw(true));
});

test("a page that nobody sees draws nothing, and has the newest picture when it is seen", () => {
    const canvas = new FakeCanvas(), drawing = new Drawing(canvas, () => 0);
    const [first, second, third] = [picture(), picture(), picture()];
    assert.equal(drawing.show(false), false);
    assert.equal(drawing.draw(first, false), false);
    assert.equal(drawing.draw(second, false), false);
    assert.deepEqual([first.isClosed, second.isClosed], [true, false]);
    assert.ok(drawing.show(true));
    assert.deepEqual(canvas.drawn.map(([one]) => one), [second]);
    assert.ok(second.isClosed);
    assert.equal(drawing.show(true), false);
    drawing.show(false);
    drawing.draw(third, false);
    drawing.clear();
    assert.ok(third.isClosed);
    assert.deepEqual(drawing.size, {width: 1, height: 1});
});

test("a picture that can't be drawn is closed", () => {
    const canvas = new FakeCanvas(), drawing = new Drawing(canvas, () => 0), one = picture();
    canvas.isBroken = true;
    assert.throws(() => drawing.draw(one, false));
    assert.ok(one.isClosed);
    assert.throws(() => new Drawing({getContext: () => null}));
});
