// Pictures that wait for their sound: for how long, how many, and which are left out.

import assert from "node:assert/strict";
import test from "node:test";
import {SoundStep} from "../viewer/picture/soundstep.js";

function made() {
    const dropped = [];
    return {step: new SoundStep((picture, reason) => dropped.push([picture, reason])), dropped};
}

/** The RTP timestamp of a picture that was captured at a time in milliseconds. */
const at = (time) => time * 90 >>> 0;

test("without sound none is held, nor once the sound has ended", () => {
    const {step} = made();
    assert.equal(step.wait(at(0), 1000), 0);
    step.hear({at: at(0), time: 1030}, 1000);
    assert.equal(step.wait(at(0), 1000), 30);
    step.hear(null, 1001);
    assert.equal(step.wait(at(0), 1001), 0);
});

test("a picture waits until the sound of the same instant is heard, and one that is late does not wait", () => {
    const {step, dropped} = made();
    // Sound that was captured at 0 is heard at 1030, which is 30 ms after its picture could be drawn.
    step.hear({at: at(0), time: 1030}, 1000);
    step.add("first", at(0), 1002);
    assert.equal(step.deadline, 1030);
    assert.equal(step.take(1029.9), null);
    assert.deepEqual([step.skew(at(0), 1029), step.skew(at(10), 1045)], [-1, 5]);
    assert.deepEqual(step.take(1030), {picture: "first", waited: 28});
    assert.equal(step.deadline, null);
    step.add("late", at(10), 1045);
    assert.deepEqual(step.take(1045), {picture: "late", waited: 0});
    assert.deepEqual(dropped, []);
});

test("the timestamps wrap around", () => {
    const {step} = made();
    step.hear({at: 0xffffffff, time: 1000}, 1000);
    assert.ok(Math.abs(step.wait(89 + 900, 1000) - 11) < 1e-9);
    step.hear({at: 10, time: 1000}, 1000);
    assert.equal(step.wait(0xfffffff0, 1000), 0);
});

test("none waits for longer than 60 ms, and for none whose sound is a second away, or old", () => {
    const {step} = made();
    step.hear({at: at(0), time: 1250}, 1000);
    assert.equal(step.wait(at(0), 1000), 60);
    assert.equal(step.wait(at(751), 1000), 0);
    assert.equal(step.wait(at(200), 1400), 50);
    assert.equal(step.wait(at(200), 1401), 0);
});

test("when sound falls silent, the newest picture is due at once, and the others are left out", () => {
    const {step, dropped} = made();
    step.hear({at: at(0), time: 1040}, 1000);
    step.add(1, at(0), 1000);
    step.add(2, at(16), 1016);
    step.hear(null, 1020);
    assert.equal(step.deadline, 1020);
    assert.deepEqual(step.take(1020), {picture: 2, waited: 4});
    assert.deepEqual(dropped, [[1, "skipped"]]);
});

test("at most four wait: of more, the oldest are left out", () => {
    const {step, dropped} = made();
    step.hear({at: at(0), time: 1060}, 1000);
    for (let i = 0; i < 6; i++) step.add(i, at(i), 1000 + i);
    assert.equal(step.count, 4);
    assert.deepEqual(dropped, [[0, "crowded"], [1, "crowded"]]);
    assert.deepEqual(step.take(1062.5)?.picture, 2);
});

test("a picture that needs not wait any more takes those before it along", () => {
    const {step, dropped} = made();
    step.hear({at: at(0), time: 1050}, 1000);
    step.add("old", at(0), 1000);
    // Sound was cut out, so all is heard earlier from now on.
    step.hear({at: at(0), time: 1001}, 1005);
    step.add("new", at(4), 1010);
    assert.deepEqual(step.take(1010), {picture: "new", waited: 0});
    assert.deepEqual(dropped, [["old", "skipped"]]);
});

test("what is cleared is left out", () => {
    const {step, dropped} = made();
    step.hear({at: at(0), time: 1050}, 1000);
    step.add(1, at(0), 1000);
    step.clear();
    assert.deepEqual([step.count, step.wait(at(0), 1000)], [0, 0]);
    assert.deepEqual(dropped, [[1, "skipped"]]);
});

test("over a second of 60 pictures each is shown within a millisecond of its sound", () => {
    const {step, dropped} = made(), shown = [];
    // Pictures are decoded 12 ms after their capture, and sound is heard 47 ms after it.
    let next = 0;
    for (let now = 1000; now < 2100; now++) {
        if (now % 50 === 0) step.hear({at: at(now - 47), time: now}, now);
        for (; next < 60 && 1012 + next * 1000 / 60 <= now; next++) step.add(next, at(1000 + next * 1000 / 60), now);
        const taken = step.take(now);
        if (taken) shown.push(now - (1000 + taken.picture * 1000 / 60));
    }
    assert.equal(shown.length, 60);
    assert.ok(shown.every((delay) => delay >= 46.9 && delay <= 48), String(shown));
    assert.deepEqual(dropped, []);
});
