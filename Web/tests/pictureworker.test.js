// The worker that decodes pictures: which of them the browser is given, and what it is given in their place.

import assert from "node:assert/strict";
import test from "node:test";
import {decoders, deltaframe, FakeCanvas, keyframe} from "./picturefakes.js";

let number = 0;

/** The worker's program, anew for each test. */
async function made(t, {canAsk = true, isSupported = true} = {}) {
    const scope = decoders(), messages = [];
    scope.VideoDecoder.isConfigSupported = async () => ({supported: isSupported});
    t.mock.timers.enable({apis: ["setInterval"]});
    let now = 1000;
    t.mock.method(performance, "now", () => now);
    const worker = {};
    const fakes = {
        VideoDecoder: scope.VideoDecoder, EncodedVideoChunk: scope.EncodedVideoChunk, self: worker,
        postMessage: (message) => messages.push(message),
    };
    for (const [name, value] of Object.entries(fakes)) {
        globalThis[name] = value;
        t.after(() => delete globalThis[name]);
    }
    await import(`../viewer/picture/pictureworker.js?${++number}`);
    const canvas = new FakeCanvas(), tell = (data) => worker.onmessage({data});
    tell({type: "canvas", canvas});
    await settle();
    /** A receiver of a session. */
    const begin = (session, mode) => {
        const written = [], asked = [];
        let give, end;
        const readable = new ReadableStream({start(controller) {
            give = (frame) => controller.enqueue(frame);
            end = () => controller.close();
        }});
        const writable = new WritableStream({write(frame) { written.push(frame); }});
        const transformer = {readable, writable, options: {session, mode}};
        if (canAsk) transformer.sendKeyFrameRequest = async () => void asked.push(now);
        worker.onrtctransform({transformer});
        const frame = async (data) => {
            const one = {data: data.slice().buffer};
            give(one);
            await settle();
            return one;
        };
        return {written, asked, frame, end};
    };
    const take = (type) => {
        const found = messages.filter((message) => message.type === type);
        for (const message of found) messages.splice(messages.indexOf(message), 1);
        return found;
    };
    return {
        tell, begin, take, messages, canvas, decoders: scope.made, newest: () => scope.made.at(-1),
        pass: (time) => {
            now += time;
            t.mock.timers.tick(time);
        },
    };
}

const settle = () => new Promise((done) => setImmediate(done));
const isEcho = ({data}) => data.byteLength < 50 && new Uint8Array(data)[5] === 0x42 && new Uint8Array(data)[7] === 10;

test("it says whether it is of use", async (t) => {
    const {take} = await made(t);
    assert.deepEqual(take("ready").map(({isReady}) => isReady), [true]);
});

test("without a decoder for what hosts send it is of none", async (t) => {
    const {take} = await made(t, {isSupported: false});
    assert.deepEqual(take("ready").map(({isReady}) => isReady), [false]);
});

test("for the browser alone all passes as it is", async (t) => {
    const {begin, decoders, canvas} = await made(t), session = begin(1, "video");
    for (const data of [keyframe(), deltaframe(), deltaframe()]) {
        const frame = await session.frame(data);
        assert.deepEqual(new Uint8Array(frame.data), data);
    }
    assert.equal(session.written.length, 3);
    assert.equal(decoders.length + canvas.drawn.length + session.asked.length, 0);
});

test("both: the browser has what it had, and the canvas has it too", async (t) => {
    const {begin, newest, canvas, take, pass} = await made(t), session = begin(1, "both");
    await session.frame(keyframe());
    await session.frame(deltaframe());
    assert.deepEqual(session.written.map(({data}) => data.byteLength), [keyframe().length, deltaframe().length]);
    newest().give(2);
    assert.deepEqual(take("drawn"), [{type: "drawn", session: 1, width: 1280, height: 720}]);
    assert.equal(canvas.drawn.length, 2);
    // A picture that rests is enough after a second; many are at once.
    assert.deepEqual(take("tried"), []);
    pass(1000);
    assert.deepEqual(take("tried"), [{type: "tried", session: 1, held: 0, drawn: 2}]);
    const [{received, drawn, mode}] = take("statistics");
    assert.deepEqual([received, drawn, mode], [2, 2, "both"]);
});

test("ten pictures are enough", async (t) => {
    const {begin, newest, take, pass} = await made(t), session = begin(1, "both");
    await session.frame(keyframe());
    for (let i = 0; i < 9; i++) {
        assert.deepEqual(take("tried"), []);
        await session.frame(deltaframe());
        pass(16);
        newest().give();
    }
    newest().give();
    assert.equal(take("tried").length, 1);
});

test("own: the browser has an echo for each, and its own again from a keyframe on", async (t) => {
    const {begin, tell, newest, take, pass, canvas} = await made(t), session = begin(1, "both");
    await session.frame(keyframe());
    tell({type: "mode", mode: "own", session: 1});
    // Its decoder may change at a keyframe alone.
    for (let i = 0; i < 2; i++) assert.ok(!isEcho(await session.frame(deltaframe())));
    assert.equal(session.asked.length, 1);
    assert.ok(isEcho(await session.frame(keyframe())));
    for (let i = 0; i < 3; i++) assert.ok(isEcho(await session.frame(deltaframe())));
    newest().give(7);
    assert.equal(canvas.drawn.at(-1)[0].timestamp, 6000);
    assert.equal(session.asked.length, 1);
    pass(501);
    tell({type: "mode", mode: "video", session: 1});
    assert.equal(newest().state, "closed");
    assert.ok(isEcho(await session.frame(deltaframe())));
    assert.ok(isEcho(await session.frame(deltaframe())));
    assert.equal(session.asked.length, 2);
    pass(501);
    assert.ok(isEcho(await session.frame(deltaframe())));
    assert.equal(session.asked.length, 3);
    assert.deepEqual(take("passing"), []);
    assert.ok(!isEcho(await session.frame(keyframe())));
    assert.equal(take("passing").length, 1);
    assert.ok(!isEcho(await session.frame(deltaframe())));
    assert.equal(session.written.length, 12);
});

test("an error of the decoder costs a keyframe, which it asks for; the browser goes on with echoes", async (t) => {
    const {begin, tell, newest, take, decoders} = await made(t), session = begin(1, "both");
    await session.frame(keyframe());
    tell({type: "mode", mode: "own", session: 1});
    await session.frame(keyframe());
    newest().fail();
    assert.equal(session.asked.length, 1);
    assert.ok(isEcho(await session.frame(deltaframe())));
    assert.equal(decoders.length, 1);
    await session.frame(keyframe());
    newest().give();
    assert.equal(decoders.length, 2);
    assert.deepEqual(take("failed"), []);
});

test("a decoder that fails again and again is given up, and the browser's own way goes on", async (t) => {
    const {begin, tell, newest, take} = await made(t), session = begin(1, "both");
    await session.frame(keyframe());
    tell({type: "mode", mode: "own", session: 1});
    for (let i = 0; i < 3; i++) {
        await session.frame(keyframe());
        newest().fail();
    }
    const [{stage, session: which}] = take("failed");
    assert.deepEqual([stage, which], ["decode", 1]);
    assert.ok(isEcho(await session.frame(deltaframe())));
    assert.ok(!isEcho(await session.frame(keyframe())));
});

test("where a worker can't ask, the browser does when it is given nothing", async (t) => {
    const {begin, tell, newest} = await made(t, {canAsk: false}), session = begin(1, "both");
    await session.frame(keyframe());
    tell({type: "mode", mode: "own", session: 1});
    await session.frame(keyframe());
    newest().fail();
    await session.frame(deltaframe());
    assert.equal(session.written.length, 2);
    await session.frame(keyframe());
    assert.equal(session.written.length, 3);
});

test("a canvas that takes no picture is given up", async (t) => {
    const {begin, canvas, newest, take} = await made(t), session = begin(1, "both");
    canvas.isBroken = true;
    await session.frame(keyframe());
    newest().give();
    assert.deepEqual(take("failed").map(({stage}) => stage), ["draw"]);
    assert.ok(!isEcho(await session.frame(deltaframe())));
});

test("the next session has the canvas, and the last one's pictures are the browser's", async (t) => {
    const {begin, tell, newest, take, canvas} = await made(t), first = begin(1, "both");
    await first.frame(keyframe());
    newest().give();
    tell({type: "mode", mode: "own", session: 1});
    const second = begin(2, "both");
    assert.ok(!isEcho(await first.frame(deltaframe())));
    tell({type: "mode", mode: "own", session: 1});
    assert.ok(!isEcho(await second.frame(keyframe())));
    newest().give();
    assert.deepEqual(take("drawn").map(({session}) => session), [1, 2]);
    // Behind its first picture, what was said about the last one's is late.
    tell({type: "clear"});
    assert.equal(canvas.width, 1280);
    tell({type: "mode", mode: "video", session: 2});
    tell({type: "clear"});
    assert.equal(canvas.width, 1);
    first.end();
});

test("hidden, it decodes and draws nothing, and shows the newest picture when it is seen", async (t) => {
    const {begin, tell, newest, canvas} = await made(t), session = begin(1, "both");
    tell({type: "visible", isVisible: false});
    await session.frame(keyframe());
    await session.frame(deltaframe());
    newest().give(2);
    assert.equal(canvas.drawn.length, 0);
    tell({type: "visible", isVisible: true});
    assert.deepEqual(canvas.drawn.map(([{timestamp}]) => timestamp), [1000]);
});
