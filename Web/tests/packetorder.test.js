// Sound packets on their way to the decoder, with redundancy.

import assert from "node:assert/strict";
import test from "node:test";
import {blocksOf, PacketOrder} from "../viewer/sound/packetorder.js";

const OPUS = 111, RED = 63;

/** A RED packet with earlier blocks, each as [offset, bytes], and its own. */
function red(earlier, own, type = OPUS) {
    return Uint8Array.from([
        ...earlier.flatMap(([before, bytes]) => [
            0x80 | type, before >> 6, before << 2 & 0xfc | bytes.length >> 8, bytes.length & 0xff,
        ]),
        type, ...earlier.flatMap(([, bytes]) => bytes), ...own,
    ]);
}

test("the packets in one are found, oldest first", () => {
    const blocks = blocksOf(red([[480, [1, 2]], [240, [3]]], [4, 5, 6]));
    assert.deepEqual(blocks.map(({type, before, bytes}) => [type, before, [...bytes]]),
        [[OPUS, 480, [1, 2]], [OPUS, 240, [3]], [OPUS, 0, [4, 5, 6]]]);
    assert.deepEqual(blocksOf(red([], [9])).map(({before, bytes}) => [before, [...bytes]]), [[0, [9]]]);
});

test("what is cut off is no packet", () => {
    const whole = red([[480, [1, 2]], [240, [3]]], [4]);
    // If only its own sound is missing, the rest is complete.
    for (let length = 0; length < whole.length - 1; length++) assert.equal(blocksOf(whole.subarray(0, length)), null);
});

const taken = (order, ...all) => order.take(...all).map(({timestamp, bytes}) => [timestamp, ...bytes]);

test("each is decoded once and in order, whatever repeats it", () => {
    for (const start of [0, 1000, 0x7fff_ff00, 0xffff_ff00]) {
        const order = new PacketOrder({opus: [OPUS], red: [RED]}), at = (packets) => start + packets * 240 >>> 0;
        assert.deepEqual(taken(order, OPUS, at(0), Uint8Array.of(1)), [[at(0), 1]]);
        // The second is lost, and recovered from the third.
        assert.deepEqual(taken(order, RED, at(2), red([[480, [1]], [240, [2]]], [3])), [[at(1), 2], [at(2), 3]]);
        assert.deepEqual(taken(order, OPUS, at(1), Uint8Array.of(2)), []);
        assert.deepEqual(taken(order, OPUS, at(2), Uint8Array.of(3)), []);
        assert.deepEqual(taken(order, OPUS, at(3), Uint8Array.of(4)), [[at(3), 4]]);
        // After a pause, and with another clock.
        assert.deepEqual(taken(order, OPUS, at(9000), Uint8Array.of(5)), [[at(9000), 5]]);
        assert.deepEqual(taken(order, OPUS, at(3), Uint8Array.of(6)), [[at(3), 6]]);
    }
});

test("what the first packet repeats is decoded too", () => {
    const order = new PacketOrder({opus: [OPUS], red: [RED]});
    assert.deepEqual(taken(order, RED, 100, red([[240, [1]]], [2])), [[2 ** 32 - 140, 1], [100, 2]]);
});

test("damaged ones are passed over, and others are told", () => {
    const order = new PacketOrder({opus: [OPUS], red: [RED]});
    assert.deepEqual(order.take(RED, 0, Uint8Array.of(0xff, 1)), []);
    assert.deepEqual(order.take(RED, 0, Uint8Array.of(OPUS)), [], "empty");
    assert.deepEqual(order.take(RED, 0, red([[240, [1]]], [2], 9)), [], "of another kind");
    assert.equal(order.take(9, 0, Uint8Array.of(1)), null);
});
