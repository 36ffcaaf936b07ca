// The decoding order, with and without dependency descriptors: what is missing, and what is requested.

import assert from "node:assert/strict";
import test from "node:test";
import {FrameOrder} from "../viewer/picture/frameorder.js";

const MODULUS = 4096;

/** A picture with a dependency descriptor that refers to the one before it. */
const delta = (id, more = {}) => ({
    at: id * 1500, isKey: false, isReference: true, number: id % MODULUS, modulus: MODULUS, back: null, id,
    dependencies: [id - 1], ...more,
});
const key = (id, more = {}) => delta(id, {isKey: true, dependencies: [], number: 0, ...more});
const repair = (id, back, more = {}) => delta(id, {back, dependencies: [], ...more});
/** A picture without a descriptor. */
const plain = (number, more = {}) => ({
    at: number * 1500, isKey: false, isReference: true, number: number % MODULUS, modulus: MODULUS, back: null, id: null,
    dependencies: [], ...more,
});
const plainKey = (more = {}) => plain(0, {isKey: true, ...more});

function made() {
    const order = new FrameOrder();
    order.roundTrip = 20;
    /** Adds the pictures that arrive at a time; returns the numbers of those that are output. */
    const at = (now, ...pictures) => {
        const given = [];
        for (const picture of pictures) {
            order.add(picture, now);
            for (let next; (next = order.take());) given.push(next.id ?? next.number);
        }
        return given;
    };
    return {order, at};
}

test("in order each is given out at once, and nothing is waited for", () => {
    const {order, at} = made();
    assert.equal(order.deadline, null);
    assert.deepEqual(at(0, key(0)), [0]);
    for (let id = 1; id < 200; id++) assert.deepEqual(at(id * 16, delta(id)), [id]);
    assert.deepEqual([order.deadline, order.waiting, order.isLost, order.shift], [null, 0, false, 0]);
    assert.deepEqual(order.readCounts(), {keys: 1, repairs: 0, reference: 0, late: 0, lost: 0});
    assert.equal(order.readCounts().keys, 0);
});

test("out of order they wait for each other", () => {
    const {order, at} = made();
    assert.deepEqual(at(0, key(5), delta(7), delta(8)), [5]);
    assert.equal(order.waiting, 2);
    assert.equal(order.deadline, order.patience);
    assert.deepEqual(at(3, delta(6)), [6, 7, 8]);
    assert.equal(order.deadline, null);
    // A duplicate, and a picture that was already output.
    assert.deepEqual(at(4, delta(10), delta(10), delta(7)), []);
    assert.deepEqual(at(5, delta(9)), [9, 10]);
    assert.equal(order.readCounts().late, 2);
});

test("a hole that is filled late costs nothing but the time", () => {
    const {order, at} = made();
    at(0, key(0), delta(2), delta(3));
    assert.equal(order.tick(order.patience - 1), null);
    assert.deepEqual(at(order.patience - 1, delta(1)), [1, 2, 3]);
    assert.equal(order.readCounts().lost, 0);
});

test("patience begins with the first that waits, and what comes after all is taken with those behind it", () => {
    const {order, at} = made();
    at(0, key(0));
    at(10, delta(3));
    at(50, delta(2));
    assert.ok(Math.abs(order.deadline - order.patience - 10) < 1e-6);
    const now = order.deadline;
    assert.deepEqual(order.tick(now), {whole: 0});
    assert.deepEqual(at(now + 5, delta(4), delta(1)), [1, 2, 3, 4]);
    assert.deepEqual([order.deadline, order.isLost, order.shift], [null, false, 0]);
});

test("patience goes by the round trip and the jitter, as native viewers'", () => {
    const {order, at} = made();
    for (const [roundTrip, patience] of [[4, 48], [20, 200], [90, 200], [150, 300]]) {
        order.roundTrip = roundTrip;
        assert.equal(order.patience, patience, `${roundTrip} ms`);
    }
    order.roundTrip = 4;
    at(0, key(0, {at: 2 ** 32 - 4500}));
    // Pictures that arrive in their capture intervals of 1500 / 90 ms have no jitter; RTP timestamps wrap.
    for (let id = 1; id < 9; id++) at(id * 1500 / 90, delta(id, {at: (2 ** 32 - 4500 + id * 1500) % 2 ** 32}));
    assert.ok(Math.abs(order.patience - 48) < 1e-6, `${order.patience}`);
    at(9 * 1500 / 90 + 16, delta(9, {at: 9000}));
    assert.ok(Math.abs(order.patience - 48 - 16) < 1e-6, `${order.patience}`);
});

test("what is given up is asked for again and again, until a repair picture comes", () => {
    const {order, at} = made();
    at(0, key(0), delta(1), delta(3));
    const {deadline} = order;
    assert.equal(order.tick(deadline - 1), null);
    assert.deepEqual(order.tick(deadline), {whole: 1500});
    assert.equal(order.tick(deadline), null);
    assert.equal(order.deadline, deadline + 65);
    assert.deepEqual(at(deadline + 1, delta(4)), []);
    assert.deepEqual(order.tick(deadline + 65), {whole: 1500});
    assert.deepEqual(at(deadline + 70, repair(5, 4)), [5]);
    assert.deepEqual([order.deadline, order.isLost, order.waiting], [null, false, 0]);
    assert.deepEqual(at(deadline + 80, delta(6)), [6]);
    // In decoding order it followed 1.
    assert.equal(order.shift, 3);
    assert.deepEqual(at(deadline + 90, delta(2)), []);
    assert.deepEqual(order.readCounts(), {keys: 1, repairs: 1, reference: 2, late: 1, lost: 1});
});

test("without a repair picture within a second it is a keyframe", () => {
    const {order, at} = made();
    at(0, key(0), delta(2));
    const lostAt = order.deadline, asked = [];
    for (let now = lostAt; now < lostAt + 1200; now = order.deadline) asked.push([now - lostAt, order.tick(now).whole]);
    for (const [time, whole] of asked) assert.equal(whole, time < 1000 ? 0 : null, `${time} ms`);
    assert.ok(asked.length < 20);
    order.roundTrip = 400;
    assert.equal(order.tick(lostAt + 1900).whole, 0, "five round trips");
});

test("a repair picture ends a hole at once, and so does a keyframe", () => {
    for (const next of [repair(4, 4), key(4)]) {
        const {order, at} = made();
        at(0, key(0), delta(2), delta(3));
        assert.deepEqual(at(5, next, delta(5)), [4, 5]);
        assert.equal(order.readCounts().reference, 2);
        assert.equal(order.deadline, null);
        assert.equal(order.shift, next.isKey ? 0 : 3);
    }
});

test("a repair picture that reaches back too short waits as others do, and is dropped with what is given up", () => {
    const {order, at} = made();
    at(0, key(0), delta(1));
    assert.deepEqual(at(1, delta(3), repair(5, 2), delta(6)), []);
    // The missing picture 2 arrives late, and with it 3, which is all that the repair picture 5 needs.
    assert.deepEqual(at(2, delta(2)), [2, 3, 5, 6]);
    assert.equal(order.shift, 1);
    assert.deepEqual(at(3, repair(10, 3)), []);
    const now = order.deadline;
    assert.deepEqual(order.tick(now), {whole: 9000});
    assert.deepEqual(at(now + 1, repair(11, 4), repair(12, 5), repair(13, 7)), [13]);
    assert.equal(order.readCounts().reference, 3);
});

test("behind a lost keyframe another viewer's repair picture is none, though its frame number would do", () => {
    const {at} = made();
    at(0, key(0), delta(1));
    // The keyframe is 4: numbers count from 0 after it.
    assert.deepEqual(at(1, repair(6, 2, {number: 2})), []);
    assert.deepEqual(at(2, key(7, {number: 0})), [7]);
});

test("another viewer's repair picture is one like others to who has everything", () => {
    const {order, at} = made();
    at(0, key(0), delta(1), delta(2));
    assert.deepEqual(at(1, repair(3, 1), delta(4)), [3, 4]);
    assert.equal(order.shift, 0);
});

test("what follows a repair picture may come ahead of it", () => {
    const {order, at} = made();
    at(0, key(0), delta(2));
    const now = order.deadline;
    order.tick(now);
    assert.deepEqual(at(now + 30, delta(5), delta(6)), []);
    assert.deepEqual(at(now + 40, repair(4, 4)), [4, 5, 6]);
    assert.equal(order.deadline, null);
});

test("frame_num wraps, and repair pictures are shifted on until the next keyframe", () => {
    const {order, at} = made();
    at(0, key(4090, {number: 4090}), delta(4091), delta(4092));
    assert.deepEqual(at(1, repair(4100, 8), delta(4101)), [4100, 4101]);
    assert.equal(order.shift, 7);
    assert.deepEqual(at(2, repair(4110, 20), delta(4111)), [4110, 4111]);
    assert.equal(order.shift, 15);
    at(3, key(4112));
    assert.equal(order.shift, 0);
    assert.deepEqual(at(4, repair(4113, 1, {number: 1})), [4113]);
    assert.equal(order.shift, 0);
});

test("a keyframe drops what is older, and one that is older than the last picture is dropped", () => {
    const {order, at} = made();
    at(0, key(0), delta(2), delta(3));
    assert.deepEqual(at(1, delta(11), key(10), delta(1), delta(4), key(9)), [10, 11]);
    assert.deepEqual(order.readCounts(), {keys: 2, repairs: 0, reference: 2, late: 3, lost: 0});
    // Decoders have discarded everything before it.
    assert.deepEqual(at(2, delta(12, {dependencies: [0]})), []);
});

test("no repair picture is of use before the first keyframe, nor behind one that is missing", () => {
    const {order, at} = made();
    assert.deepEqual(at(0, repair(5, 9)), []);
    assert.deepEqual(order.tick(0), {whole: null});
    assert.deepEqual(at(1, key(6), delta(7)), [6, 7]);
    // The keyframe 8, which restarts the numbers, is missing.
    assert.deepEqual(at(2, repair(10, 2, {number: 2})), []);
});

test("what the decoder refuses is as good as lost", () => {
    const {order, at} = made();
    at(0, key(0), delta(2));
    const now = order.deadline;
    order.tick(now);
    at(now, repair(3, 3));
    order.refuse(now + 1);
    assert.deepEqual(order.tick(now + 1), {whole: 0});
    assert.deepEqual(at(now + 2, delta(4), repair(5, 4)), []);
    assert.deepEqual(at(now + 3, repair(6, 6), delta(7)), [6, 7]);
    assert.equal(order.shift, 5);
    order.refuse(now + 4);
    assert.deepEqual(order.tick(now + 4), {whole: 9000});
    assert.deepEqual(at(now + 5, delta(8), key(9)), [9]);
    // The same without a descriptor.
    const other = made();
    other.at(0, plainKey(), plain(1), plain(2));
    other.order.refuse(1);
    assert.deepEqual(other.order.tick(1), {whole: 1500});
    assert.deepEqual(other.at(2, plain(3), plain(4, {back: 2}), plain(5, {back: 4})), [5]);
});

test("after a failure of the decoder nothing but a keyframe is of use", () => {
    const {order, at} = made();
    at(0, key(0), delta(1));
    order.fail(5);
    assert.deepEqual(order.tick(5), {whole: null});
    assert.deepEqual(at(6, delta(2), repair(3, 3), delta(4)), []);
    assert.equal(order.tick(6), null);
    assert.deepEqual(order.tick(70), {whole: null});
    assert.deepEqual(at(71, key(5), delta(6)), [5, 6]);
});

test("not more wait than there is room for", () => {
    const {order, at} = made();
    at(0, key(0));
    for (let id = 2; id < 500; id++) {
        assert.deepEqual(at(1, delta(id)), []);
        assert.ok(order.waiting <= 60);
    }
    assert.ok(order.isLost);
    assert.deepEqual(order.tick(1), {whole: 0});
    assert.deepEqual(at(2, key(499 + 1)), [500]);
    assert.equal(order.waiting, 0);
    // A picture may refer to many others, or to none that exist.
    assert.deepEqual(at(3, delta(501, {dependencies: [500, 499]}), delta(502, {dependencies: [777]})), []);
});

test("without a descriptor they are taken as they come, as far as frame_num is no sign", () => {
    const {order, at} = made();
    assert.deepEqual(at(0, plain(7)), []);
    assert.deepEqual(order.tick(0), {whole: null});
    assert.deepEqual(at(1, plainKey(), plain(1), plain(2), plain(5), plain(5), plain(9, {number: null})), [0, 1, 2, 5, 5, null]);
    // Once pictures were out of order, a gap is no sign of loss until the next keyframe.
    for (let number = 6; number < 90; number++) assert.deepEqual(at(number, plain(number)), [number]);
    assert.deepEqual(at(99, plain(95)), [95]);
    assert.equal(order.isLost, false);
    assert.equal(order.deadline, null);
});

test("without a descriptor, after thirty in a row, one that is missing is a loss", () => {
    const {order, at} = made();
    at(0, plainKey());
    // A picture without references to it has the number of the next one.
    for (let number = 1; number <= 30; number++) at(number, plain(number, {isReference: false}), plain(number));
    assert.deepEqual(at(31, plain(30)), [], "the same once more");
    assert.equal(order.isLost, false);
    assert.deepEqual(at(32, plain(32), plain(33)), []);
    assert.deepEqual(order.tick(32), {whole: 45_000});
    // Repair pictures may arrive without a descriptor, too: one for other viewers, then one for this viewer.
    assert.deepEqual(at(33, plain(34, {back: 3}), plain(35), plain(36, {back: 6}), plain(37)), [36, 37]);
    assert.equal(order.shift, 5);
    assert.deepEqual(order.readCounts(), {keys: 1, repairs: 1, reference: 4, late: 1, lost: 1});
    assert.deepEqual(at(34, plainKey(), plain(3)), [0, 3], "it has to be shown anew");
});

test("without a descriptor the mark of a repair picture says that frame_num counts", () => {
    const {order, at} = made();
    at(0, plainKey(), plain(1));
    assert.deepEqual(at(1, plain(5, {back: 3})), []);
    assert.ok(order.isLost);
    assert.deepEqual(order.tick(1), {whole: 1500});
    assert.deepEqual(at(2, plain(6, {back: 5}), plain(6, {back: 5})), [6]);
    assert.equal(order.isLost, false);
    order.fail(3);
    assert.deepEqual(at(4, plain(7), plain(8, {back: 7})), []);
    assert.deepEqual(at(5, plainKey()), [0]);
});

/** A seeded generator of numbers from 0 to 1 (exclusive). */
const generator = (seed) => () => (seed = seed * 48271 % 2147483647) / 2147483647;

/** A host's pictures with their arrival times, some of them lost. */
function world(random) {
    const pictures = [], loss = random() * 0.4, spread = random() * 200, start = Math.floor(random() * MODULUS);
    let steps = 0, sinceKey = 0, isWhole = true;
    for (let id = 0; id < 70; id++) {
        steps++;
        // The host skips a picture; afterwards only these can be decoded.
        const mayFollow = isWhole && random() > 0.04;
        const isKey = id === 0 || id === 69 || random() < 0.03, isRepair = !isKey && (!mayFollow || random() < 0.08);
        if (!mayFollow) sinceKey++, steps++;
        isWhole = true;
        sinceKey = isKey ? 0 : sinceKey + 1;
        const number = (start + steps) % MODULUS, more = {at: steps * 1500, number};
        const back = Math.min(sinceKey, 1 + Math.floor(random() * 12));
        const picture = isKey ? key(id, more) : isRepair ? repair(id, back, more) : delta(id, more);
        const isLost = id > 0 && id < 69 && random() < loss;
        pictures.push({picture, steps, time: id === 69 ? 5000 : isLost && random() < 0.5 ? Infinity
            : id * 16 + random() * spread + (isLost ? random() * 400 : 0)});
    }
    return pictures.filter(({time}) => time < Infinity).sort((one, other) => one.time - other.time);
}

test("10,000 random ways: nothing is decoded without what it refers to, and nothing stands still", () => {
    let given = 0, repairs = 0, losses = 0;
    for (let seed = 1; seed <= 10_000; seed++) {
        const random = generator(seed), pictures = world(random), order = new FrameOrder();
        const stepsOf = new Map(pictures.map(({picture, steps}) => [picture, steps]));
        order.roundTrip = 1 + random() * 80;
        // Keyframes that were sent, including lost ones, have no number here: `back` reaches at most to the last one.
        let last = null, newest = -1, decoded = 0, isBroken = false;
        for (const {picture, time} of pictures) {
            for (let {deadline} = order; deadline !== null && deadline <= time; {deadline} = order) {
                const asked = order.tick(deadline);
                if (asked) assert.equal(asked.whole === null || asked.whole === last?.at, true, `${seed}`);
                if (asked) losses++;
                assert.ok(order.deadline === null || order.deadline > deadline || order.isLost, `${seed}: it goes on`);
            }
            const isNew = picture.id > newest, taken = [];
            order.add(picture, time);
            for (let next; (next = order.take());) {
                taken.push(next);
                const before = [last, decoded];
                const gap = last && stepsOf.get(next) - stepsOf.get(last);
                if (!next.isKey) {
                    assert.ok(last && !isBroken && next.id > last.id, `${seed}: ${next.id} after ${last?.id}`);
                    if (next.dependencies.length) assert.equal(next.dependencies[0], last.id, `${seed}`);
                    else assert.ok(gap <= next.back, `${seed}: ${next.id} reaches back ${next.back} of ${gap}`);
                    const number = ((next.number - order.shift) % MODULUS + MODULUS) % MODULUS;
                    assert.equal(number, (decoded + 1) % MODULUS, `${seed}: no gap for the decoder`);
                    decoded = number;
                    if (!next.dependencies.length) repairs++;
                } else {
                    decoded = next.number;
                    isBroken = false;
                }
                last = next;
                newest = next.id;
                given++;
                if (!next.isKey && random() < 0.01) {
                    order.refuse(time);
                    [last, decoded] = before;
                }
            }
            if (picture.isKey && isNew) assert.ok(taken.includes(picture), `${seed}: a keyframe waits`);
            assert.ok(order.waiting <= 60);
            // Every wait is limited in time.
            if (order.waiting || order.isLost) {
                assert.ok(order.deadline !== null && order.deadline - time <= 400, `${seed}: it stands still`);
            }
            if (!isBroken && random() < 0.005) {
                order.fail(time);
                isBroken = true;
            }
        }
        assert.ok(last.id === 69 && order.waiting === 0, `${seed}: the keyframe at the end`);
    }
    assert.ok(given > 250_000 && repairs > 10_000 && losses > 10_000, `${given} ${repairs} ${losses}`);
});
