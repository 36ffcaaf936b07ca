// Touch with the pointer under the finger.

import assert from "node:assert/strict";
import test from "node:test";
import {DirectTouch} from "../viewer/input/directtouch.js";

/** Steps: [what, time, id, x, y], or [time] for what is due. @returns {object[]} the resulting messages */
function perform(engine, ...steps) {
    return steps.flatMap(([kind, time, id, x, y]) =>
        typeof kind === "number" ? engine.tick(kind) : engine.handle({kind, id, x, y, time}));
}

const click = (button, x, y) => ({type: "click", button, count: 1, x, y});

test("a tap clicks under the finger as it lifts", () => {
    const engine = new DirectTouch();
    assert.deepEqual(perform(engine, ["down", 0, 1, 50, 60], ["move", 20, 1, 55, 60]), []);
    assert.deepEqual(perform(engine, ["up", 90, 1, 55, 60]), [click("left", 50, 60)]);
    assert.equal(engine.deadline, null);
});

test("a second tap soon and near clicks at the first one's place, others at their own", () => {
    for (const [time, x, expected] of [[200, 70, 50], [200, 90, 90], [500, 70, 70]]) {
        const engine = new DirectTouch();
        perform(engine, ["down", 0, 1, 50, 60], ["up", 50, 1, 50, 60]);
        assert.deepEqual(perform(engine, ["down", time, 1, x, 66], ["up", time + 50, 1, x, 66]),
            [click("left", expected, expected === 50 ? 60 : 66)]);
    }
});

test("a finger that goes on drags with the left button, from where it came down", () => {
    const engine = new DirectTouch();
    assert.deepEqual(perform(engine, ["down", 0, 1, 50, 60], ["move", 20, 1, 58, 60], ["move", 30, 1, 70, 60],
        ["move", 40, 1, 90, 80], ["up", 50, 1, 90, 80]), [
        {type: "down", button: "left", x: 50, y: 60}, {type: "to", x: 70, y: 60}, {type: "to", x: 90, y: 80},
        {type: "up", button: "left", x: 90, y: 80},
    ]);
});

test("a finger that rests is the other button, and then nothing more", () => {
    const engine = new DirectTouch();
    perform(engine, ["down", 0, 1, 50, 60]);
    assert.equal(engine.deadline, 500);
    assert.deepEqual(perform(engine, [499], [500]), [click("right", 50, 60)]);
    assert.deepEqual(perform(engine, ["move", 600, 1, 150, 60], ["up", 700, 1, 150, 60]), []);
    assert.deepEqual(perform(engine, ["down", 800, 1, 50, 60], ["up", 820, 1, 50, 60]), [click("left", 50, 60)]);
});

test("two fingers scroll what is between them, and the pointer goes there once", () => {
    const engine = new DirectTouch();
    perform(engine, ["down", 0, 1, 100, 100], ["down", 10, 2, 200, 100]);
    const actions = perform(engine, ["move", 30, 1, 100, 60], ["move", 30, 2, 200, 60], ["move", 40, 1, 100, 40],
        ["move", 40, 2, 200, 40], ["up", 50, 1, 100, 40], ["up", 60, 2, 200, 40]);
    assert.deepEqual(actions[0], {type: "to", x: 150, y: 60});
    assert.deepEqual([...new Set(actions.slice(1).map(({type}) => type))], ["scroll"]);
    assert.equal(actions.reduce((sum, {dy}) => sum + (dy ?? 0), 0), -180);
    assert.deepEqual(perform(engine, ["down", 400, 1, 5, 5], ["up", 450, 1, 5, 5]), [click("left", 5, 5)]);
});

test("two fingers that spread zoom the view about the point between them, and the host hears nothing", () => {
    const engine = new DirectTouch();
    const actions = perform(engine, ["down", 0, 1, 100, 100], ["down", 10, 2, 200, 100], ["move", 30, 1, 80, 100],
        ["move", 30, 2, 220, 100], ["move", 40, 1, 60, 100], ["move", 40, 2, 240, 100]);
    assert.ok(actions.length > 0);
    for (const {type} of actions) assert.ok(["zoom", "pan"].includes(type), type);
    assert.ok(engine.zoom > 1);
});

test("two fingers tap the other button, three the middle one, between them", () => {
    const engine = new DirectTouch();
    assert.deepEqual(perform(engine, ["down", 0, 1, 100, 100], ["down", 10, 2, 200, 120], ["up", 80, 1, 100, 100],
        ["up", 90, 2, 200, 120]), [click("right", 150, 110)]);
    assert.deepEqual(perform(engine, ["down", 1000, 1, 100, 100], ["down", 1010, 2, 200, 120],
        ["down", 1020, 3, 300, 100], ["up", 1080, 1, 100, 100], ["up", 1090, 2, 200, 120], ["up", 1100, 3, 300, 100]),
    [{...click("middle", 0, 0), x: 250, y: 110}]);
});

test("a second finger comes too late to a drag, and leaves it alone", () => {
    const engine = new DirectTouch();
    perform(engine, ["down", 0, 1, 50, 60], ["move", 20, 1, 90, 60]);
    assert.deepEqual(perform(engine, ["down", 30, 2, 10, 10], ["move", 40, 2, 60, 60], ["up", 50, 2, 60, 60]), []);
    assert.deepEqual(perform(engine, ["up", 60, 1, 90, 60]), [{type: "up", button: "left", x: 90, y: 60}]);
});

test("what is cancelled or lost holds nothing and clicks nothing", () => {
    const engine = new DirectTouch();
    assert.deepEqual(perform(engine, ["down", 0, 1, 50, 60], ["cancel", 20, 1, 0, 0]), []);
    perform(engine, ["down", 100, 1, 50, 60], ["move", 120, 1, 90, 60]);
    assert.deepEqual(perform(engine, ["cancel", 130, 1, 0, 0]), [{type: "up", button: "left", x: 90, y: 60}]);
    perform(engine, ["down", 200, 1, 50, 60], ["move", 220, 1, 90, 60]);
    assert.deepEqual(engine.reset(), [{type: "up", button: "left", x: 90, y: 60}]);
    perform(engine, ["down", 300, 1, 50, 60], ["down", 310, 2, 80, 60]);
    assert.deepEqual(engine.reset(), []);
    assert.equal(engine.deadline, null);
    assert.deepEqual(perform(engine, ["down", 400, 1, 5, 5], ["up", 450, 1, 5, 5]), [click("left", 5, 5)]);
});

test("what is no number is nobody's", () => {
    const engine = new DirectTouch();
    for (const bad of [NaN, Infinity, undefined]) {
        for (const event of [["down", bad, 1, 0, 0], ["down", 0, 1, bad, 0], ["down", 0, 1, 0, bad]]) {
            assert.deepEqual(perform(engine, event), []);
        }
    }
    assert.equal(engine.deadline, null);
});
