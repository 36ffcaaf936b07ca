// The last motion over a lossy channel: it arrives, and no input is executed away from the pointer.

import assert from "node:assert/strict";
import test from "node:test";
import {Input} from "../viewer/input/input.js";
import {RunningMoves} from "../viewer/input/running.js";
import {browser} from "./fakes.js";

function made(t) {
    const clock = browser(t), sent = [];
    const input = new Input((channel, message) => (sent.push([channel, message]), true), () => {});
    input.state = "yours";
    const told = () => sent.splice(0).map(([channel, {type, n}]) => [channel, type, n].filter(Boolean).join(" "));
    return {...clock, input, told, sent};
}

test("it is told again after a rest, twice, and as often as anything moves no more", (t) => {
    const {input, told, pass} = made(t);
    for (let i = 0; i < 10; i++) {
        input.moveTo(i / 10, 0);
        pass(16);
    }
    assert.equal(told().length, 10);
    pass(24);
    assert.deepEqual(told(), ["moves mouseTo 10"]);
    pass(80);
    assert.deepEqual(told(), ["moves mouseTo 10"]);
    pass(60_000);
    assert.deepEqual(told(), []);
});

test("as seldom as the host takes moves", (t) => {
    const {input, told, pass} = made(t);
    input.rate = 5;
    input.moveTo(0, 0);
    told();
    pass(199);
    assert.deepEqual(told(), []);
    pass(1);
    assert.deepEqual(told(), ["moves mouseTo 1"]);
});

test("a finger's click takes the moves before it along by the channel that loses nothing, once", (t) => {
    const {input, told, sent} = made(t);
    const moves = new RunningMoves();
    input.moveBy(moves.move(10, 0));
    input.moveBy(moves.move(5, 5));
    sent.length = 0;
    input.act({type: "click", button: "left", count: 1});
    assert.deepEqual(sent, [
        ["control", {type: "mouseMove", dx: 5, dy: 5, tx: 15, ty: 5, n: 2}],
        ["control", {type: "click", button: "left", count: 1}],
    ]);
    sent.length = 0;
    input.act({type: "click", button: "left", count: 1});
    assert.deepEqual(told(), ["control click"]);
    for (const act of [
        () => input.press("mouseDown", "left"), () => input.press("mouseUp", "left"),
        () => input.act({type: "scroll", dx: 0, dy: 120}),
    ]) {
        input.moveBy(moves.move(1, 0));
        sent.length = 0;
        act();
        assert.deepEqual(sent.map(([channel, {type}]) => `${channel} ${type}`)[0], "control mouseMove");
        assert.equal(sent.length, 2);
    }
});

test("a button with a place of its own needs no place before it, but steps are told all the same", (t) => {
    const {input, told} = made(t);
    input.moveTo(0.5, 0.5);
    input.press("mouseDown", "left", {x: 0.5, y: 0.5});
    assert.deepEqual(told(), ["moves mouseTo 1", "control mouseDown 2"]);
    input.moveBy(new RunningMoves().move(3, 0));
    input.press("mouseUp", "left", {x: 0.6, y: 0.5});
    assert.deepEqual(told(), ["moves mouseMove 3", "control mouseMove 3", "control mouseUp 4"]);
});

test("nothing is told again once something has happened there, or somebody else drives", (t) => {
    const {input, told, pass} = made(t);
    input.moveTo(0.5, 0.5);
    input.press("mouseDown", "left", {x: 0.5, y: 0.5});
    told();
    pass(1000);
    assert.deepEqual(told(), []);
    input.moveTo(0.6, 0.5);
    input.state = "taken";
    told();
    pass(1000);
    assert.deepEqual(told(), []);
});
