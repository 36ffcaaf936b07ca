// Keeps the display on only while a picture is watched.

import assert from "node:assert/strict";
import test from "node:test";
import {Awake} from "../viewer/picture/awake.js";

function made(t) {
    const requests = [], locks = [];
    const before = Object.getOwnPropertyDescriptor(globalThis, "navigator");
    t.after(() => before ? Object.defineProperty(globalThis, "navigator", before) : delete globalThis.navigator);
    const request = () => new Promise((give, refuse) => requests.push({
        give: () => {
            const lock = {released: false, release: async () => { lock.released = true; }};
            locks.push(lock);
            give(lock);
        },
        refuse,
    }));
    Object.defineProperty(globalThis, "navigator", {value: {wakeLock: {request}}, configurable: true});
    return {awake: new Awake(), requests, locks, settle: () => new Promise((done) => setImmediate(done))};
}

test("what was held is given back", async (t) => {
    const {awake, requests, locks, settle} = made(t);
    awake.hold();
    requests[0].give();
    await settle();
    assert.equal(locks[0].released, false);
    awake.release();
    assert.equal(locks[0].released, true);
});

test("a lock that comes when nobody wants it any more, or a second one, is given back at once", async (t) => {
    const {awake, requests, locks, settle} = made(t);
    awake.hold();
    awake.release();
    requests[0].give();
    await settle();
    assert.equal(locks[0].released, true);
    awake.hold();
    awake.hold();
    requests[1].give();
    requests[2].give();
    await settle();
    assert.deepEqual(locks.slice(1).map(({released}) => released), [false, true]);
    awake.release();
    assert.equal(locks[1].released, true);
});

test("a browser that refuses, or has none, is no trouble", async (t) => {
    const {awake, requests, settle} = made(t);
    awake.hold();
    requests[0].refuse(new Error("no"));
    await settle();
    awake.release();
    navigator.wakeLock = undefined;
    awake.hold();
    awake.release();
});
