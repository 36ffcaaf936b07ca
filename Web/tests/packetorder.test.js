// Packets of sound on their way to the decoder, with what repeats them.

import assert from "node:assert/strict";
import test from "node:test";
import {blocksOf, PacketOrder} from "../viewer/packetorder.js";

const OPUS = 111, RED = 63;

/** A packet with others in it: each earlier one as [offset, bytes], and its own. */
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
    // Without its own sound the rest is whole.
    for (let length = 0; length < whole.length - 1; length++) assert.equal(blocksOf(whole.subarray(0, length)), null);
});

const taken = (order, ...all) => order.take(...all).map(({time, bytes}) => [time, ...bytes]);

test("each is decoded once and in order, whatever repeats it", () => {
    const order = new PacketOrder({opus: [OPUS], red: [RED]}), start = 0xffff_ff00;
    const [[first]] = taken(order, OPUS, start, Uint8Array.of(1));
    const at = (packets) => start + packets * 240 >>> 0, time = (packets) => first + packets * 5000;
    // The second is lost, and comes with the third.
    assert.deepEqual(taken(order, RED, at(2), red([[480, [1]], [240, [2]]], [3])), [[time(1), 2], [time(2), 3]]);
    assert.deepEqual(taken(order, OPUS, at(1), Uint8Array.of(2)), []);
    assert.deepEqual(taken(order, OPUS, at(2), Uint8Array.of(3)), []);
    assert.deepEqual(taken(order, OPUS, at(3), Uint8Array.of(4)), [[time(3), 4]]);
    for (const packets of [0, 1, 2, 3]) assert.equal(order.timestampAt(time(packets)), at(packets));
});

test("what the first packet repeats has a time too", () => {
    const order = new PacketOrder({opus: [OPUS], red: [RED]});
    const all = taken(order, RED, 100, red([[240, [1]]], [2]));
    assert.equal(all.length, 2);
    assert.equal(all[1][0] - all[0][0], 5000);
    assert.equal(order.timestampAt(all[0][0]), 100 - 240 + 2 ** 32);
});

test("damaged ones are passed over, and others are told", () => {
    const order = new PacketOrder({opus: [OPUS], red: [RED]});
    assert.deepEqual(order.take(RED, 0, Uint8Array.of(0xff, 1)), []);
    assert.deepEqual(order.take(RED, 0, Uint8Array.of(OPUS)), [], "empty");
    assert.deepEqual(order.take(RED, 0, red([[240, [1]]], [2], 9)), [], "of another kind");
    assert.equal(order.take(9, 0, Uint8Array.of(1)), null);
});
