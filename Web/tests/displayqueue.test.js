import assert from "node:assert/strict";
import test from "node:test";
import {DisplayQueue} from "../viewer/displayqueue.js";

const PERIOD = 1000 / 60;
/** Milliseconds before a refresh in which a picture is too late for it. */
const TOO_LATE = 2;

/**
 * @param {number[]} arrivals milliseconds at which pictures come
 * @returns {number[]} which of them were followed by a request
 */
function asked(arrivals, period = PERIOD) {
    const queue = new DisplayQueue();
    queue.period = period;
    return arrivals.flatMap((at, index) => {
        const refresh = Math.ceil((at + TOO_LATE) / PERIOD) * PERIOD;
        return queue.taken(refresh, index + 1) ? [index] : [];
    });
}

const every = (interval, count, first = 1) => Array.from({length: count}, (_, index) => first + index * interval);

test("in motion that fills each refresh one picture a second is to be left out", () => {
    assert.deepEqual(asked(every(PERIOD, 200)), [60, 120, 180]);
});

test("the one that was left out counts as a gap: the second begins anew", () => {
    const answered = [...every(PERIOD, 62), ...every(PERIOD, 100, 1 + 63 * PERIOD)];
    assert.deepEqual(asked(answered), [60, 122]);
});

test("a gap by itself will do", () => {
    const broken = Array.from({length: 20}, (_, index) => every(PERIOD, 50, 1 + index * 51 * PERIOD)).flat();
    assert.deepEqual(asked(broken), []);
});

test("two between two refreshes are no gap, wherever they come", () => {
    const together = every(PERIOD, 100).map((at, index) => index === 50 ? at - PERIOD : at);
    // The refresh that is then without one is.
    assert.deepEqual(asked(together), []);
    assert.deepEqual(asked([...every(PERIOD, 50), ...every(PERIOD, 50, 2 + 49 * PERIOD)]), [60]);
});

test("half as many pictures as refreshes are all shown at once", () => {
    assert.deepEqual(asked(every(2 * PERIOD, 300)), []);
});

test("single changes, however close, are no motion", () => {
    assert.deepEqual(asked(Array.from({length: 100}, (_, index) => [index * 700, index * 700 + 3]).flat()), []);
});

test("counts that go back or stand still, and times that do, are no pictures", () => {
    const queue = new DisplayQueue();
    queue.period = PERIOD;
    for (let round = 0; round < 100; round++) {
        for (const [now, count] of [[0, 5], [16, 4], [33, 4], [20, 9], [NaN, 10], [50, NaN], [66, 12]]) {
            assert.equal(queue.taken(now, count), false);
        }
    }
});

test("nothing is asked for before it is known how often the display shows a picture", () => {
    assert.deepEqual(asked(every(PERIOD, 200), null), []);
});
