// A picture whose autoplay the browser blocks starts with a touch, a key or the button.

import assert from "node:assert/strict";
import test from "node:test";
import {Playing} from "../viewer/picture/playing.js";
import {fire} from "./fakes.js";

function made() {
    const page = new EventTarget(), states = [];
    const video = {
        srcObject: null, plays: 0, refusal: null,
        async play() {
            this.plays++;
            if (this.refusal) throw Object.assign(new Error(this.refusal), {name: this.refusal});
        },
    };
    const playing = new Playing(video, page, () => states.push(playing.isRefused));
    const settle = () => new Promise((done) => setImmediate(done));
    return {page, video, playing, states, settle};
}

test("a picture that may begin does, and no touch begins it again", async () => {
    const {page, video, playing, states, settle} = made();
    await playing.show({});
    fire(page, "pointerup");
    await settle();
    assert.equal(video.plays, 1);
    assert.deepEqual(states, []);
});

for (const type of ["pointerup", "touchend", "keydown"]) {
    test(`a refused one begins with ${type}`, async () => {
        const {page, video, playing, states, settle} = made();
        video.refusal = "NotAllowedError";
        await playing.show({});
        assert.deepEqual(states, [true]);
        // Fails again.
        fire(page, type);
        await settle();
        assert.equal(playing.isRefused, true);
        video.refusal = null;
        fire(page, type);
        await settle();
        assert.deepEqual(states, [true, false]);
        assert.equal(video.plays, 3);
    });
}

test("a refused one begins with the button, and whoever stopped it", async () => {
    const {video, playing, states} = made();
    video.refusal = "NotAllowedError";
    await playing.show({});
    video.refusal = null;
    await playing.again();
    assert.deepEqual(states, [true, false]);
});

test("one that ends because another came, or that has gone, is not refused", async () => {
    const {page, video, playing, states, settle} = made();
    video.refusal = "AbortError";
    await playing.show({});
    assert.deepEqual(states, []);
    video.refusal = "NotAllowedError";
    const attempt = playing.show({});
    playing.end();
    await attempt;
    assert.deepEqual(states, []);
    fire(page, "pointerup");
    await settle();
    await playing.again();
    assert.equal(video.plays, 2, "there is nothing to play");
});
