// The page's gesture engine with the golden vectors, which Swift's engine is tested with too.

import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import test from "node:test";
import {GestureEngine, defaults} from "../viewer/input/gestures.js";

const vectors = JSON.parse(readFileSync(new URL("../../Testing/Vectors/gestures.json", import.meta.url), "utf8"));

function perform(engine, step) {
    const {at: time} = step;
    for (const kind of ["down", "move", "up"]) {
        if (step[kind]) {
            const [id, x, y] = step[kind];
            return engine.handle({kind, id, x, y, time});
        }
    }
    if (step.cancel !== undefined) return engine.handle({kind: "cancel", id: step.cancel, x: 0, y: 0, time});
    return step.reset ? engine.reset() : engine.tick(time);
}

test("the settings are those of the table", () => assert.deepEqual({...defaults}, vectors.defaults));

for (const {name, settings, zoom, steps} of vectors.cases) {
    test(name, () => {
        const engine = new GestureEngine(settings);
        if (zoom !== undefined) engine.zoom = zoom;
        steps.forEach((step, index) => {
            const place = `step ${index + 1}: ${JSON.stringify(step)}`;
            assert.deepEqual(perform(engine, step), step.do ?? [], place);
            if (step.due !== undefined) assert.equal(engine.deadline, step.due, place);
        });
    });
}

test("what is no number is nobody's", () => {
    const engine = new GestureEngine();
    for (const bad of [NaN, Infinity, -Infinity, undefined]) {
        assert.deepEqual(engine.handle({kind: "down", id: 1, x: bad, y: 0, time: 0}), []);
        assert.deepEqual(engine.handle({kind: "down", id: 1, x: 0, y: 0, time: bad}), []);
    }
    assert.equal(engine.deadline, null);
    engine.handle({kind: "down", id: 1, x: 0, y: 0, time: 0});
    assert.deepEqual(engine.handle({kind: "move", id: 1, x: NaN, y: 0, time: 1}), []);
    assert.deepEqual(engine.handle({kind: "up", id: 1, x: NaN, y: 0, time: 2}), [
        {type: "click", button: "left", count: 1},
    ]);
});

test("there are as many cases as the rules need", () => assert.ok(vectors.cases.length >= 80));
