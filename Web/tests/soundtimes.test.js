// The pictures of the instants that are heard.

import assert from "node:assert/strict";
import test from "node:test";
import {SoundTimes, timeHeard} from "../viewer/sound/soundtimes.js";

test("nothing is known before the host has told a time, nor after the session", () => {
    const times = new SoundTimes();
    assert.deepEqual([times.isKnown, times.pictureAt(0)], [false, null]);
    times.told({at: 100, picture: 200});
    assert.ok(times.isKnown);
    times.forget();
    assert.deepEqual([times.isKnown, times.pictureAt(0)], [false, null]);
});

test("48 frames of sound are 90 ticks of the picture, to and fro, across wraparounds", () => {
    const times = new SoundTimes();
    times.told({at: 0xffffffff, picture: 0xfffffff0});
    assert.equal(times.pictureAt(0xffffffff), 0xfffffff0);
    assert.equal(times.pictureAt(0xffffffff + 48), 90 - 16);
    assert.equal(times.pictureAt(47), 90 - 16);
    assert.equal(times.pictureAt(0xffffffff - 480), 0xfffffff0 - 900);
});

test("a day later it is as exact, without another message", () => {
    const times = new SoundTimes();
    times.told({at: 7, picture: 9});
    for (let minute = 1; minute <= 1440; minute++) {
        const position = 7 + minute * 60 * 48_000 + minute, exact = 9 + minute * 60 * 90_000 + minute * 15 / 8;
        const off = (times.pictureAt(position) - Math.round(exact % 2 ** 32)) | 0;
        assert.ok(Math.abs(off) <= 1, String(off));
    }
});

test("a message without timestamps is counted, and the last good one holds", () => {
    const times = new SoundTimes();
    times.told({at: 0, picture: 90});
    for (const bad of [{}, {at: -1, picture: 0}, {at: 1.5, picture: 0}, {at: 0, picture: 2 ** 32}, {at: "0", picture: 0}]) {
        times.told(bad);
    }
    assert.deepEqual([times.malformed, times.pictureAt(48)], [5, 180]);
});

test("the output's time is the browser's where it has one, and else by the latency", () => {
    const context = {currentTime: 10, baseLatency: 0.01, outputLatency: 0.03};
    assert.equal(timeHeard(10.01, context, 5000), 5040);
    assert.equal(timeHeard(10.01, {currentTime: 10, baseLatency: 0.01}, 5000), 5020);
    const exact = {...context, getOutputTimestamp: () => ({contextTime: 9.95, performanceTime: 4990})};
    assert.equal(Math.round(timeHeard(10, exact, 5000)), 5040);
    for (const none of [{contextTime: 0, performanceTime: 0}, {}, {contextTime: 1, performanceTime: 1}]) {
        assert.equal(timeHeard(10, {...context, getOutputTimestamp: () => none}, 5000), 5030);
    }
});
