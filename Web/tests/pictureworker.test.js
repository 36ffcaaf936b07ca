// The worker that decodes pictures: which of them the browser gets, and what it gets in place of the others.

import assert from "node:assert/strict";
import test from "node:test";
import {PictureTally} from "../viewer/picture/picturetally.js";
import {decoders, deltaframe, FakeCanvas, keyframe, machine, numberOf, repairframe} from "./picturefakes.js";

let number = 0;

/** Loads the worker's program anew for each test. */
async function made(t, {canAsk = true, isSupported = true, speed = null} = {}) {
    const scope = decoders(), messages = [];
    scope.VideoDecoder.isConfigSupported = async () => ({supported: isSupported});
    t.mock.timers.enable({apis: ["setInterval", "setTimeout"]});
    let now = 1000;
    const drawing = speed && machine(speed);
    t.mock.method(performance, "now", () => now + (drawing?.now() ?? 0));
    const worker = {};
    const fakes = {
        VideoDecoder: scope.VideoDecoder, EncodedVideoChunk: scope.EncodedVideoChunk, self: worker,
        postMessage: (message) => messages.push(message), ...drawing?.scope,
    };
    for (const [name, value] of Object.entries(fakes)) {
        globalThis[name] = value;
        t.after(() => delete globalThis[name]);
    }
    await import(`../viewer/picture/pictureworker.js?${++number}`);
    const canvas = new FakeCanvas(), tell = (data) => worker.onmessage({data});
    tell({type: "canvas", canvas, ...speed ? {isTested: true} : {}});
    await settle();
    /** Starts a session's receiver. */
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
        let count = 0;
        const frame = async (data, metadata) => {
            const one = {data: data.slice().buffer, timestamp: ++count * 1500, getMetadata: () => ({...metadata})};
            give(one);
            await settle();
            return one;
        };
        /** A picture with a dependency descriptor that refers to the one before it. */
        const ordered = (id, data = deltaframe(id), dependencies = [id - 1]) =>
            frame(data, {frameId: id, dependencies, rtpTimestamp: id * 100});
        return {written, asked, frame, ordered, end};
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

test("a test picture that is drawn quickly makes it useful", async (t) => {
    const {take, canvas} = await made(t, {speed: {draws: Array(6).fill(1), reading: 0.5}});
    assert.deepEqual(take("ready"), [{type: "ready", session: 0, isReady: true}]);
    assert.equal(canvas.kind, "2d");
});

test("a test picture that is drawn slowly is the end of it, and the canvas is left alone", async (t) => {
    const {take, canvas} = await made(t, {speed: {draws: [1, 17]}});
    assert.deepEqual(take("ready"), [{type: "ready", session: 0, isReady: false, isSlow: true}]);
    assert.equal(canvas.kind, undefined);
});

test("a machine that can't draw a test picture is not called slow", async (t) => {
    const {take} = await made(t, {speed: {draws: []}});
    const [{isReady, isSlow}] = take("ready");
    assert.deepEqual([isReady, isSlow], [false, undefined]);
});

test("both: the delays since the page is visible are reported together, over all seconds", async (t) => {
    const {begin, tell, newest, take, pass} = await made(t), session = begin(1, "both");
    const trial = () => take("statistics").at(-1).trial;
    await session.frame(keyframe());
    pass(5);
    newest().give();
    pass(995);
    assert.deepEqual(trial(), {pictures: 1, shown: 5});
    for (const delay of [7, 9]) {
        await session.frame(deltaframe());
        pass(delay);
        newest().give();
    }
    pass(1000);
    assert.deepEqual(trial(), {pictures: 3, shown: 7});
    tell({type: "visible", isVisible: false});
    await session.frame(deltaframe());
    newest().give();
    tell({type: "visible", isVisible: true});
    pass(1000);
    assert.deepEqual(trial(), {pictures: 0, shown: null});
    tell({type: "mode", mode: "own", session: 1});
    pass(1000);
    assert.equal(trial(), undefined);
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
    // A still picture suffices after a second; many pictures suffice at once.
    assert.deepEqual(take("tried"), []);
    pass(1000);
    assert.deepEqual(take("tried"), [{type: "tried", session: 1, held: 0, drawn: 2, isOrdered: false}]);
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
    // The browser's decoder can only change at a keyframe.
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

test("an error of the decoder costs a keyframe, which it asks for; the browser has echoes of what was taken", async (t) => {
    const {begin, tell, newest, take, decoders, pass} = await made(t), session = begin(1, "both");
    await session.frame(keyframe());
    tell({type: "mode", mode: "own", session: 1});
    await session.frame(keyframe());
    newest().fail();
    assert.equal(session.asked.length, 1);
    await session.frame(deltaframe());
    assert.equal(session.written.length, 2);
    assert.equal(decoders.length, 1);
    pass(600);
    assert.equal(session.asked.length, 2, "and once more");
    assert.ok(isEcho(await session.frame(keyframe())));
    newest().give();
    assert.equal(decoders.length, 2);
    pass(600);
    assert.equal(session.asked.length, 2);
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
    // After the session's first picture, messages about the last session are too late.
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

/** Only the page's own decoding, with echoes, as on a host that supports it. */
async function own(t, more) {
    const all = await made(t, more), session = all.begin(1, "both");
    await session.ordered(0, keyframe(), []);
    all.tell({type: "mode", mode: "own", session: 1, isHeard: true});
    assert.ok(isEcho(await session.ordered(10, keyframe(), [])));
    /** The `frame_num` of the pictures decoded since the last call. */
    const decoded = () => all.newest().chunks.splice(0).map(({data}) => numberOf(data));
    decoded();
    all.take("lost");
    session.written.splice(0);
    return {...all, session, decoded};
}

test("where the host hears the page, the keyframe for the first echo is asked for by the page", async (t) => {
    const {begin, tell, take, pass} = await made(t), session = begin(1, "both");
    await session.frame(keyframe());
    tell({type: "mode", mode: "own", session: 1, isHeard: true});
    for (let i = 0; i < 2; i++) await session.frame(deltaframe());
    assert.deepEqual(take("lost"), [{type: "lost", session: 1, whole: null}]);
    pass(500);
    await session.frame(deltaframe());
    assert.equal(take("lost").length, 1);
    assert.equal(session.asked.length, 0);
});

test("out of order: what waits is decoded in its order, and echoed as it comes, which is all that browsers take back", async (t) => {
    const {session, decoded, take, pass} = await own(t);
    await session.ordered(12, deltaframe(2));
    await session.ordered(13, deltaframe(3));
    pass(20);
    assert.deepEqual(decoded(), []);
    await session.ordered(11, deltaframe(1));
    assert.deepEqual(decoded(), [1, 2, 3]);
    assert.deepEqual(session.written.map((one) => one.getMetadata().frameId), [12, 13, 11]);
    assert.ok(session.written.every(isEcho));
    pass(1000);
    assert.deepEqual(take("lost"), []);
    const {isOrdered, keys, late, lost} = take("statistics").at(-1);
    assert.deepEqual([isOrdered, keys, late, lost], [true, 2, 0, 0]);
});

test("what is missing for too long is told with the last whole picture, and a repair picture is decoded without a gap", async (t) => {
    const {tell, session, decoded, take, pass} = await own(t);
    tell({type: "roundTrip", time: 20});
    await session.ordered(11, deltaframe(1));
    await session.ordered(13, deltaframe(3));
    pass(199);
    assert.deepEqual(take("lost"), []);
    pass(2);
    assert.deepEqual(take("lost"), [{type: "lost", session: 1, whole: 1100}]);
    await session.ordered(14, deltaframe(4));
    pass(64);
    assert.deepEqual(take("lost"), []);
    pass(2);
    assert.deepEqual(take("lost"), [{type: "lost", session: 1, whole: 1100}]);
    // Another viewer's repair picture doesn't reach back far enough.
    await session.ordered(15, repairframe(5, 3), []);
    await session.ordered(16, repairframe(6, 5), []);
    await session.ordered(17, deltaframe(7));
    assert.deepEqual(decoded(), [1, 2, 3]);
    assert.ok(session.written.length === 6 && session.written.every(isEcho));
    pass(5000);
    assert.deepEqual(take("lost"), []);
    const [first] = take("statistics");
    assert.deepEqual([first.repairs, first.reference, first.lost], [1, 3, 1]);
    await session.ordered(18, keyframe(), []);
    await session.ordered(19, deltaframe(1));
    assert.deepEqual(decoded(), [0, 1]);
    assert.equal(session.asked.length, 0);
});

test("hidden, it asks for nothing; seen again it does", async (t) => {
    const {tell, session, take, pass} = await own(t);
    tell({type: "visible", isVisible: false});
    await session.ordered(12, deltaframe(2));
    pass(3000);
    assert.deepEqual(take("lost"), []);
    tell({type: "visible", isVisible: true});
    pass(200);
    assert.equal(take("lost")[0].whole, 1000);
});

test("what the decoder does not take is told as a loss that only a keyframe ends", async (t) => {
    const {session, newest, take, decoded, pass} = await own(t);
    newest().fail();
    assert.deepEqual(take("lost"), [{type: "lost", session: 1, whole: null}]);
    await session.ordered(11, repairframe(1, 1), []);
    pass(103);
    assert.equal(take("lost").length, 1);
    await session.ordered(12, keyframe(), []);
    await session.ordered(13, deltaframe(1));
    assert.ok(session.written.every(isEcho));
    assert.deepEqual(decoded(), [0, 1]);
    assert.equal(session.asked.length, 0);
});

test("a decoder that is late costs no keyframe where a repair picture may do", async (t) => {
    const {session, newest, take, decoded, pass} = await own(t);
    newest().give(2);
    for (let id = 11; id < 19; id++) await session.ordered(id, deltaframe(id - 10));
    pass(251);
    await session.ordered(19, deltaframe(9));
    assert.deepEqual(take("lost"), [{type: "lost", session: 1, whole: 1800}]);
    newest().give(8);
    decoded();
    await session.ordered(20, deltaframe(10));
    await session.ordered(21, repairframe(11, 3), []);
    assert.deepEqual(decoded(), [9]);
    assert.equal(take("statistics").length, 0);
});

test("the host is told of the newest picture ten times a second, and how long it took to the canvas", async (t) => {
    const {session, newest, take, pass} = await own(t);
    newest().give(2);
    pass(100);
    take("seen");
    for (let id = 11; id < 41; id++) {
        await session.ordered(id, deltaframe(id - 10));
        pass(12.5);
        newest().give();
    }
    pass(100);
    const seen = take("seen");
    assert.ok(seen.length >= 3 && seen.length <= 5, `${seen.length}`);
    assert.deepEqual(seen.at(-1), {type: "seen", session: 1, at: 4000, ms: 12.5});
    pass(1000);
    assert.deepEqual(take("seen"), []);
});

test("beside the browser's own way, that has each picture as it comes, in whatever order", async (t) => {
    const {begin, newest, take, pass} = await made(t), session = begin(1, "both");
    await session.ordered(0, keyframe(), []);
    const early = await session.ordered(2, deltaframe(2));
    // The data of a frame that was passed on is gone.
    new Uint8Array(early.data).fill(0);
    await session.ordered(1, deltaframe(1));
    assert.deepEqual(session.written.map((one) => one.getMetadata().frameId), [0, 2, 1]);
    assert.deepEqual(newest().chunks.map(({data}) => numberOf(data)), [0, 1, 2]);
    newest().give(3);
    pass(1000);
    assert.equal(take("tried")[0].isOrdered, true);
    // Losses are now reported by the browser.
    await session.ordered(4, deltaframe(4));
    pass(300);
    assert.deepEqual(take("lost"), []);
    assert.equal(session.asked.length, 1);
});

test("the tally has counts, medians, and what nearly all stay below, and begins anew", () => {
    const tally = new PictureTally(["drawn", "skipped"], ["decode", "draw"]);
    for (let i = 100; i > 0; i--) tally.note("decode", i);
    tally.count("drawn", 3);
    tally.count("drawn");
    assert.equal(tally.median("decode"), 50);
    assert.deepEqual(tally.read(), {drawn: 4, skipped: 0, decode: 50, draw: null, worst: {decode: 95, draw: null}});
    tally.note("draw", 7);
    assert.deepEqual(tally.read(), {drawn: 0, skipped: 0, decode: null, draw: 7, worst: {decode: null, draw: 7}});
});

test("own: a picture waits until its sound is heard, and none without sound or on a page that is hidden", async (t) => {
    const {begin, tell, newest, take, pass, canvas} = await made(t), session = begin(1, "both");
    await session.frame(keyframe());
    newest().give();
    const hear = (sound, number = 1) => tell({type: "sound", session: number, sound: sound && {
        at: sound.at, time: performance.timeOrigin + sound.time,
    }});
    let at = 10_000, drawn = 1;
    /** Decodes a picture whose sound is heard this many milliseconds later. */
    const show = async (wait) => {
        at += 1500;
        if (wait !== null) hear({at, time: performance.now() + wait});
        await session.frame(deltaframe(), {rtpTimestamp: at});
        newest().give();
    };
    // While the delays of both decoders are compared, none waits.
    await show(30);
    assert.equal(canvas.drawn.length, ++drawn);
    tell({type: "mode", mode: "own", session: 1});
    await show(30);
    assert.equal(canvas.drawn.length, drawn);
    pass(29);
    assert.equal(canvas.drawn.length, drawn);
    pass(2);
    assert.equal(canvas.drawn.length, ++drawn);
    // Silence ends the wait.
    await show(30);
    hear(null);
    assert.equal(canvas.drawn.length, ++drawn);
    await show(null);
    assert.equal(canvas.drawn.length, ++drawn);
    // A time of an earlier session says nothing.
    hear({at: at + 1500, time: performance.now() + 30}, 0);
    await show(null);
    assert.equal(canvas.drawn.length, ++drawn);
    // A page that is being hidden waits for no sound.
    await show(30);
    tell({type: "visible", isVisible: false});
    assert.equal(canvas.drawn.length, ++drawn);
    tell({type: "visible", isVisible: true});
    assert.equal(canvas.drawn.length, drawn);
    // The browser takes over, and what waits is closed.
    await show(30);
    tell({type: "mode", mode: "video", session: 1});
    pass(100);
    assert.equal(canvas.drawn.length, drawn);
    take("statistics");
});
