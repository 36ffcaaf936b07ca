import assert from "node:assert/strict";
import test from "node:test";
import {Input} from "../viewer/input/input.js";
import {RunningMoves} from "../viewer/input/running.js";
import {changeOf} from "../viewer/input/text.js";
import {Wheel} from "../viewer/input/wheel.js";
import {entriesOf, figuresOf} from "../viewer/ui/rates.js";
import {browser} from "./fakes.js";

const wheel = (deltaY, more) => ({deltaX: 0, deltaY, deltaMode: 0, ...more});

test("a notch is 120, up and right are positive, in every unit", () => {
    for (const [event, dx, dy] of [
        [wheel(100), 0, -120], [wheel(-100), 0, 120],
        [wheel(3, {deltaMode: 1}), 0, -120], [wheel(1, {deltaMode: 2}), 0, -360],
        [wheel(53, {wheelDeltaY: -120}), 0, -120], [wheel(-53, {wheelDeltaY: 120}), 0, 120],
        [{deltaX: 100, deltaY: 0, deltaMode: 0}, 120, 0],
        // Firefox's events of a touchpad.
        [wheel(120, {wheelDeltaY: -360}), 0, -144], [wheel(-40, {wheelDeltaY: 120}), 0, 48],
        [{deltaX: -120, deltaY: 0, deltaMode: 0, wheelDeltaX: 120}, -120, 0], [wheel(1e9), 0, -32767],
    ]) {
        const turn = new Wheel().turn(event);
        assert.deepEqual([turn.dx + 0, turn.dy + 0], [dx, dy], JSON.stringify(event));
    }
});

test("fractions of a touchpad come together, and none is lost", () => {
    const rolled = new Wheel();
    let sum = 0;
    for (let i = 0; i < 1000; i++) sum += rolled.turn(wheel(0.1))?.dy ?? 0;
    assert.ok(Math.abs(sum + 120) <= 1, String(sum));
    assert.equal(new Wheel().turn(wheel(0.1)), null);
});

test("turning back starts at once", () => {
    const rolled = new Wheel();
    rolled.turn(wheel(0.8));
    assert.deepEqual(rolled.turn(wheel(-1)), {dx: 0, dy: 1});
});

test("relative moves say their sum, modulo 2^31, and keep fractions", () => {
    const moves = new RunningMoves();
    assert.deepEqual(moves.move(10, -5), {type: "mouseMove", dx: 10, dy: -5, tx: 10, ty: 2 ** 31 - 5});
    assert.equal(moves.move(0.6, 0), null);
    assert.deepEqual(moves.move(0.6, 6), {type: "mouseMove", dx: 1, dy: 6, tx: 11, ty: 1});
    const far = new RunningMoves();
    far.move(2 ** 31 - 1, 0);
    assert.equal(far.move(3, 0).tx, 2);
});

function made(state = "yours") {
    const sent = [], blocked = [];
    const input = new Input((channel, message) => (sent.push([channel, message]), true), (why) => blocked.push(why));
    input.state = state;
    return {input, sent, blocked};
}

test("moves go by their own channel, numbered, and all else by control", () => {
    const {input, sent} = made();
    input.moveTo(0.5, 0.25);
    input.moveTo(0.5, 0.5);
    input.moveBy({type: "mouseMove", dx: 1, dy: 2, tx: 1, ty: 2});
    input.act({type: "text", characters: "a"});
    assert.deepEqual(sent, [["moves", {type: "mouseTo", x: 0.5, y: 0.25, n: 1}],
        ["moves", {type: "mouseTo", x: 0.5, y: 0.5, n: 2}],
        ["moves", {type: "mouseMove", dx: 1, dy: 2, tx: 1, ty: 2, n: 3}],
        ["control", {type: "text", characters: "a"}]]);
});

test("moves keep to the rate of the host: the newest is held back, and goes at its time or ahead of all else", (t) => {
    let now = 1000;
    t.mock.method(performance, "now", () => now);
    t.mock.timers.enable({apis: ["setTimeout"]});
    const pass = (time) => { now += time; t.mock.timers.tick(time); };
    const {input, sent} = made();
    input.rate = 30;
    for (let i = 0; i < 100; i++) {
        input.moveTo(i / 100, 0);
        pass(1);
    }
    assert.deepEqual(sent.map(([, {n}]) => n), [1, 34, 68]);
    input.press("mouseUp", "left");
    assert.deepEqual(sent.slice(3).map(([channel, {type, n}]) => [channel, type, n]),
        [["moves", "mouseTo", 100], ["control", "mouseTo", 100], ["control", "mouseUp", undefined]]);
    sent.length = 0;
    pass(1000);
    assert.equal(sent.length, 0);
    for (const [dx, tx] of [[1, 1], [2, 3], [70000, 70003]]) input.moveBy({type: "mouseMove", dx, dy: 0, tx, ty: 0});
    pass(500);
    pass(500);
    // After a pause the last motion is repeated.
    for (const [, {tx}] of sent.splice(2)) assert.equal(tx, 70003);
    assert.deepEqual(sent.map(([, {dx, tx}]) => [dx, tx]), [[1, 1], [65535, 70003]]);
    input.moveBy({type: "mouseMove", dx: 1, dy: 0, tx: 70004, ty: 0});
    input.moveBy({type: "mouseMove", dx: 1, dy: 0, tx: 70005, ty: 0});
    input.moveTo(0.5, 0.5);
    assert.deepEqual(sent.slice(2).map(([, {tx, x}]) => [tx, x]), [[70004, undefined], [70005, undefined]]);
    input.state = "taken";
    pass(1000);
    assert.equal(sent.length, 4);
});

test("alive is said while something is down, and only then", () => {
    const {input, sent} = made();
    const tick = () => { sent.length = 0; input.tick(); return sent.length; };
    assert.equal(tick(), 0);
    for (const [down, up] of [
        [{type: "mouseDown", button: "left"}, {type: "mouseUp", button: "left"}],
        [{type: "keyDown", keyCode: 0, modifiers: []}, {type: "keyUp", keyCode: 0, modifiers: []}],
        [{type: "keyDown", usage: 0x68, modifiers: []}, {type: "keyUp", usage: 0x68, modifiers: []}],
        [{type: "keyDown", keyCode: 1, modifiers: []}, {type: "releaseAll"}],
    ]) {
        input.act(down);
        assert.equal(tick(), 1, JSON.stringify(down));
        input.act(up);
        assert.equal(tick(), 0, JSON.stringify(up));
    }
});

test("a button with a place is numbered together with the moves, one without is not", () => {
    const {input, sent} = made();
    input.moveTo(0.5, 0.25);
    input.press("mouseDown", "left", {x: 0.5, y: 0.75});
    input.press("mouseUp", "left");
    input.moveTo(0.5, 0.5);
    assert.deepEqual(sent, [
        ["moves", {type: "mouseTo", x: 0.5, y: 0.25, n: 1}],
        ["control", {type: "mouseDown", button: "left", x: 0.5, y: 0.75, n: 2}],
        ["control", {type: "mouseUp", button: "left"}],
        ["moves", {type: "mouseTo", x: 0.5, y: 0.5, n: 3}],
    ]);
    assert.equal(input.isHolding, false);
});

test("all is released once, and only where something is down", () => {
    const {input, sent} = made();
    input.releaseAll();
    assert.equal(sent.length, 0);
    input.act({type: "mouseDown", button: "left"});
    input.releaseAll();
    input.releaseAll();
    assert.deepEqual(sent.map(([, {type}]) => type), ["mouseDown", "releaseAll"]);
});

test("who does not drive sends nothing, and is told when acting", () => {
    for (const state of ["taken", "forbidden"]) {
        const {input, sent, blocked} = made(state);
        input.moveTo(0, 0);
        input.act({type: "mouseUp", button: "left"});
        assert.deepEqual(blocked, []);
        input.act({type: "mouseDown", button: "left"});
        assert.deepEqual(blocked, [state]);
        assert.equal(sent.length, 0);
        assert.equal(input.isHolding, false);
    }
    const {input, sent} = made("free");
    input.act({type: "text", characters: "a"});
    assert.equal(sent.length, 1, "acting while nobody drives takes control");
});

test("modifiers that were kept back go before a button or the wheel, and nothing else", () => {
    const {input, sent} = made();
    input.before = () => [{type: "keyDown", keyCode: 56, modifiers: []}];
    for (const type of ["mouseDown", "click", "scroll"]) {
        sent.length = 0;
        input.act({type});
        assert.deepEqual(sent.map(([, message]) => message.type), ["keyDown", type]);
    }
    sent.length = 0;
    input.moveTo(0, 0);
    input.act({type: "text", characters: "a"});
    assert.deepEqual(sent.map(([, message]) => message.type), ["mouseTo", "text"]);
});

test("what was down is forgotten when control goes to somebody else", () => {
    const {input, sent} = made();
    input.act({type: "mouseDown", button: "left"});
    input.state = "taken";
    sent.length = 0;
    input.tick();
    input.releaseAll();
    assert.equal(sent.length, 0);
});

test("a field's change is backspaces and text", () => {
    for (const [before, after, erased, text] of [
        ["", "a", 0, "a"], ["hel", "hell", 0, "l"], ["helo", "hello ", 1, "lo "], ["teh", "the", 2, "he"],
        ["ab", "a", 1, ""], ["a😀", "a", 1, ""], ["a😀", "a😁é", 1, "😁é"], ["same", "same", 0, ""],
    ]) assert.deepEqual(changeOf(before, after), {erased, text}, `${before} → ${after}`);
});

test("figures come from the difference of two reports", () => {
    const before = {timestamp: 1000, framesDecoded: 10, bytesReceived: 0,
        jitterBufferDelay: 1, jitterBufferEmittedCount: 10, totalDecodeTime: 0.1, framesDropped: 1, packetsLost: 2};
    const now = {timestamp: 1500, framesDecoded: 40, bytesReceived: 125_000,
        jitterBufferDelay: 1.3, jitterBufferEmittedCount: 40, totalDecodeTime: 0.16, framesDropped: 2, packetsLost: 1};
    const figures = figuresOf(before, now, {currentRoundTripTime: 0.002});
    assert.equal(figures.fps, 60);
    assert.equal(figures.bitrate, 2);
    assert.equal(figures.roundTrip, 2);
    assert.ok(Math.abs(figures.buffered - 10) < 1e-9);
    assert.ok(Math.abs(figures.decode - 2) < 1e-9);
    assert.equal(figures.dropped, 2);
    assert.equal(figures.lost, 0, "a counter that went back is not less than nothing");
});

test("what a browser does not say is not made up", () => {
    for (const figures of [figuresOf(undefined, undefined, undefined), figuresOf({timestamp: 1}, {timestamp: 2}, {}),
        figuresOf({timestamp: 1, framesDecoded: 1}, {timestamp: 1, framesDecoded: 5}, undefined)]) {
        assert.deepEqual(new Set(Object.values(figures)), new Set([null]));
    }
});

test("the entries that matter are found, with and without a transport", () => {
    const entries = [{id: "T", type: "transport", selectedCandidatePairId: "P"},
        {id: "P", type: "candidate-pair", nominated: true, state: "succeeded", localCandidateId: "L",
            remoteCandidateId: "R"},
        {id: "Q", type: "candidate-pair", nominated: false, state: "succeeded"}, {id: "L", type: "local-candidate"},
        {id: "R", type: "remote-candidate"}, {id: "A", type: "inbound-rtp", kind: "audio"},
        {id: "V", type: "inbound-rtp", kind: "video", codecId: "C"}, {id: "C", type: "codec"}];
    for (const list of [entries, entries.slice(1)]) {
        const {inbound, pair, local, remote, codec} = entriesOf(new Map(list.map((entry) => [entry.id, entry])));
        assert.deepEqual([inbound, pair, local, remote, codec].map(({id}) => id), ["V", "P", "L", "R", "C"]);
    }
});

test("while it pauses all but moves waits, and goes in its order, as it would have", () => {
    const {input, sent} = made();
    const types = () => sent.splice(0).map(([, {type}]) => type);
    let moved = 0;
    input.caretMoved = () => { moved++; };
    input.act({type: "keyDown", keyCode: 59, modifiers: []});
    input.pause();
    input.pause();
    input.act({type: "keyDown", keyCode: 9, modifiers: ["ctrl"]});
    input.act({type: "keyUp", keyCode: 9, modifiers: []});
    input.moveTo(0.5, 0.5);
    input.press("mouseDown", "left", {x: 0.5, y: 0.5});
    input.act({type: "keyUp", keyCode: 59, modifiers: []});
    assert.deepEqual(types(), ["keyDown", "mouseTo"]);
    assert.equal(moved, 3, "what is typed corrects nothing from before it");
    input.resume();
    assert.deepEqual(types(), ["keyDown", "keyUp", "mouseDown", "keyUp"]);
    assert.equal(input.isHolding, true, "the button");
    input.act({type: "mouseUp", button: "left"});
    assert.equal(input.isHolding, false);
    input.resume();
    assert.deepEqual(types(), ["mouseUp"]);
});

test("what waits is let go of behind it, and is gone with control", () => {
    const {input, sent} = made();
    const types = () => sent.splice(0).map(([, {type}]) => type);
    input.pause();
    input.act({type: "keyDown", keyCode: 9, modifiers: []});
    input.releaseAll();
    assert.deepEqual(types(), []);
    input.resume();
    assert.deepEqual(types(), ["keyDown", "releaseAll"]);
    assert.equal(input.isHolding, false);
    input.pause();
    input.act({type: "keyDown", keyCode: 9, modifiers: []});
    input.state = "taken";
    input.state = "yours";
    input.resume();
    assert.deepEqual(types(), []);
    input.pause();
    for (let i = 0; i < 300; i++) input.act({type: "keyPress", keyCode: 9, modifiers: []});
    assert.equal(sent.length, 300, "nothing waits where too much would");
});

test("a line goes through all of its places, in order, where the host takes them all", () => {
    const {input, sent} = made();
    input.moveAlong([0.1, 0.2, 0.3].map((x) => ({x, y: 0.5})));
    assert.deepEqual(sent.map(([channel, {x, n}]) => [channel, x, n]), [["moves", 0.1, 1], ["moves", 0.2, 2], ["moves", 0.3, 3]]);
});

test("a line has no more places than the host takes in that time, evenly, and its end", (t) => {
    const clock = browser(t), {input, sent} = made();
    const line = (from) => Array.from({length: 8}, (_, index) => ({x: (from + index) / 100, y: 0}));
    const places = () => sent.splice(0).filter(([channel]) => channel === "moves").map(([, {x}]) => Math.round(x * 100));
    input.rate = 250;
    input.moveTo(0, 0);
    places();
    clock.pass(8);
    input.moveAlong(line(1));
    assert.deepEqual(places(), [4, 8]);
    // Too soon: only the end of the line, once its time has come.
    clock.pass(1);
    input.moveAlong(line(9));
    assert.deepEqual(places(), []);
    clock.pass(3);
    assert.deepEqual(places(), [16]);
    clock.pass(10_000);
    places();
    input.moveAlong(line(20));
    assert.deepEqual(places(), [20, 21, 22, 23, 24, 25, 26, 27]);
});

test("who may not drive draws nothing", () => {
    const {input, sent} = made("taken");
    input.moveAlong([{x: 0.1, y: 0.1}, {x: 0.2, y: 0.2}]);
    assert.deepEqual(sent, []);
});

test("a page drives once the host says so and the person has acted, and not by either alone", () => {
    const input = new Input(() => true, () => {}), log = [];
    input.drivesChanged = () => log.push(input.drives);
    // A host that permits only watching may send anything.
    input.state = "yours";
    assert.equal(input.drives, false);
    input.act({type: "releaseAll"});
    assert.equal(input.drives, false);
    input.act({type: "keyDown", usage: 4});
    assert.equal(input.drives, true);
    // This viewer had control last.
    input.state = "free";
    assert.equal(input.drives, true);
    // Another viewer gets control: earlier actions don't count.
    input.state = "taken";
    input.state = "yours";
    assert.equal(input.drives, false);
    input.moveTo(0.5, 0.5);
    assert.equal(input.drives, true);
    input.beginAnew();
    assert.equal(input.drives, false);
    input.act({type: "keyDown", usage: 4});
    assert.equal(input.drives, false);
    assert.deepEqual(log, [true, false, true, false]);
});
