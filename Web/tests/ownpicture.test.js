// The page's own way to show the picture: when it begins, when it is enough, and what shows the picture instead.

import assert from "node:assert/strict";
import test from "node:test";
import {canDrawOwn, OwnPicture, wantsOwnPicture} from "../viewer/picture/ownpicture.js";
import {Playing} from "../viewer/picture/playing.js";
import {Surface} from "../viewer/picture/surface.js";
import {browser, FakeElement, fire} from "./fakes.js";

class FakeWorker {
    sent = [];
    isTerminated = false;
    constructor(path, options) {
        Object.assign(this, {path, options});
        if (path !== "picture/pictureworker.js") throw new Error("no such file");
    }
    postMessage(message) { this.sent.push(message); }
    terminate() { this.isTerminated = true; }
    tell(data) { this.onmessage({data}); }
}

class Transform {
    constructor(worker, options) { Object.assign(this, {worker, options}); }
}

function made(t, {worker: Worker = FakeWorker, video = null} = {}) {
    const clock = browser(t), log = [];
    const canvas = Object.assign(new FakeElement("canvas"), {dataset: {}, transferControlToOffscreen: () => "offscreen"});
    const shown = {video};
    const own = new OwnPicture(canvas, {
        drawn: (width, height) => log.push(`drawn ${width}x${height}`), turned: (mode) => log.push(mode),
        died: () => log.push("died"), video: () => shown.video,
    }, {Worker, RTCRtpScriptTransform: Transform});
    const told = () => log.splice(0);
    /** A session begins. */
    const stand = () => {
        const receiver = {transform: null};
        own.stand(receiver);
        return receiver.transform?.options ?? null;
    };
    const modes = () => own.worker.sent.filter(({type}) => type === "mode").map(({mode}) => mode);
    return {...clock, own, canvas, told, stand, modes, shown, worker: own.worker};
}

function ready(t, options) {
    const all = made(t, options);
    all.worker.tell({type: "ready", isReady: true});
    return all;
}

const drawn = (session = 1, width = 800, height = 600) => ({type: "drawn", session, width, height});
const tried = (session = 1, held = 0) => ({type: "tried", session, held});
const statistics = (session = 1, held = 0) => ({type: "statistics", session, held});

test("it is asked for by the page's address, and taken where the browser has all of it", () => {
    for (const [search, wanted] of [["", false], ["?picture=own", true], ["?x=1&picture=own", true], ["?picture=video", false]]) {
        assert.equal(wantsOwnPicture(search), wanted, search);
    }
    const scope = {};
    for (const name of ["RTCRtpScriptTransform", "VideoDecoder", "OffscreenCanvas", "Worker"]) scope[name] = class {};
    assert.ok(canDrawOwn(scope));
    for (const name of Object.keys(scope)) assert.ok(!canDrawOwn({...scope, [name]: undefined}), name);
});

test("the worker has the canvas, and stands before the receiver in every session", (t) => {
    const {own, worker, stand, told, canvas} = ready(t);
    assert.deepEqual(worker.sent, [{type: "canvas", canvas: "offscreen"}]);
    assert.deepEqual(worker.options, {type: "module"});
    assert.deepEqual(stand(), {session: 1, mode: "both"});
    assert.deepEqual(told(), ["both"]);
    assert.equal(canvas.dataset.mode, "both");
    own.end();
    assert.equal(canvas.dataset.mode, "none");
    assert.deepEqual(told(), []);
    assert.equal(stand().mode, "both");
    assert.equal(own.mode, "both");
});

test("a session waits for the worker, but not for long, and goes without one that doesn't come", async (t) => {
    const {own, stand, pass, told} = made(t);
    let isKnown = false;
    own.ready.then(() => { isKnown = true; });
    pass(999);
    await null;
    assert.ok(!isKnown);
    pass(1);
    await own.ready;
    assert.equal(stand(), null);
    assert.equal(own.mode, "none");
    assert.deepEqual(told(), []);
});

for (const [what, Worker, tell] of [
    ["can't be made", class { constructor() { throw new Error("no"); } }, () => {}],
    ["fails at once", FakeWorker, (worker) => worker.onerror({})],
    ["has no decoder", FakeWorker, (worker) => worker.tell({type: "ready", isReady: false})],
]) {
    test(`a worker that ${what} is done without`, async (t) => {
        const {own, worker, stand, told} = made(t, {worker: Worker});
        tell(worker);
        await own.ready;
        assert.equal(stand(), null);
        assert.deepEqual(told(), []);
    });
}

test("once it has shown that it goes well it is enough by itself", (t) => {
    const {own, worker, stand, told, modes} = ready(t, {video: {width: 800, height: 600}});
    stand();
    told();
    worker.tell(tried());
    assert.deepEqual(told(), [], "nothing was drawn yet");
    worker.tell(drawn());
    assert.deepEqual(told(), ["drawn 800x600"]);
    worker.tell(tried());
    assert.deepEqual(told(), ["own"]);
    assert.deepEqual(modes(), ["own"]);
    worker.tell(drawn(1, 640, 480));
    assert.deepEqual(told(), ["drawn 640x480"]);
    assert.equal(own.figures, null);
    worker.tell({...statistics(), drawn: 30, decode: 4, shown: 6.5, skipped: 1});
    assert.deepEqual(own.figures, {fps: 30, decode: 4, shown: 6.5, dropped: 1});
    own.end();
    assert.equal(own.figures, null);
});

test("another size than the browser's, or a decoder that holds pictures, is looked at again, and then given up", (t) => {
    const {worker, stand, told, modes, pass, shown} = ready(t, {video: {width: 400, height: 300}});
    stand();
    told();
    worker.tell(drawn());
    worker.tell(tried());
    shown.video = {width: 800, height: 600};
    worker.tell(statistics(1, 4));
    assert.deepEqual(told(), ["drawn 800x600"]);
    worker.tell(statistics());
    assert.deepEqual(told(), ["own"]);
    stand();
    told();
    worker.tell(drawn(3));
    for (let i = 0; i < 5; i++) {
        pass(1000);
        worker.tell(statistics(3, 4));
    }
    assert.deepEqual(told(), ["drawn 800x600", "video"]);
    assert.equal(modes().at(-1), "video");
});

test("what fails is not tried again in its session, and not at all after two", (t) => {
    const {worker, stand, told, own, modes} = ready(t);
    const fail = (session) => {
        assert.equal(stand().session, session);
        worker.tell(drawn(session));
        worker.tell(tried(session));
        worker.tell({type: "failed", session, stage: "decode", reason: "broken"});
        assert.deepEqual(told(), ["both", "drawn 800x600", "own", "video"]);
        assert.equal(modes().at(-1), "video");
        // It says it once more, or has drawn one more.
        worker.tell({type: "failed", session});
        worker.tell(drawn(session));
        own.isWanted = false;
        own.isWanted = true;
        assert.deepEqual(told(), []);
    };
    fail(1);
    fail(3);
    assert.equal(stand(), null);
});

test("while the picture waits for its sound the browser shows it", (t) => {
    const {worker, stand, told, own, modes} = ready(t);
    stand();
    worker.tell(drawn());
    worker.tell(tried());
    told();
    own.isWanted = false;
    assert.deepEqual(told(), ["video"]);
    own.isWanted = true;
    worker.tell(drawn());
    worker.tell(tried());
    assert.deepEqual(told(), ["both", "drawn 800x600", "own"]);
    assert.deepEqual(modes(), ["own", "video", "both", "own"]);
    own.isWanted = false;
    own.end();
    assert.equal(stand().mode, "video");
});

test("what the worker says of a session that has ended is not heard", (t) => {
    const {worker, stand, told, own} = ready(t);
    stand();
    own.end();
    worker.tell(drawn(1));
    stand();
    told();
    worker.tell(drawn(1));
    worker.tell({type: "failed", session: 1});
    assert.deepEqual(told(), []);
});

test("a worker that says nothing any more is gone, and the session with it; the next one is without", (t) => {
    const {worker, stand, told, pass, sleep} = ready(t);
    stand();
    told();
    // Not while the page itself stands still, or nobody sees it.
    sleep(20_000);
    pass(1000);
    document.hidden = true;
    pass(10_000);
    document.hidden = false;
    for (let i = 0; i < 5; i++) {
        pass(1000);
        worker.tell(statistics());
    }
    assert.deepEqual(told(), []);
    pass(5000);
    assert.deepEqual(told(), ["died"]);
    assert.ok(worker.isTerminated);
    assert.equal(stand(), null);
});

test("an exception in the worker is its end", (t) => {
    const {worker, stand, told} = ready(t);
    stand();
    told();
    worker.onerror({});
    assert.deepEqual(told(), ["died"]);
});

function surface(t) {
    const clock = browser(t), video = Object.assign(new FakeElement("video"), {videoWidth: 0, videoHeight: 0});
    const canvas = Object.assign(new FakeElement("canvas"), {hidden: true}), shown = new Surface(video, canvas), log = [];
    shown.resized = () => log.push(`${shown.width}x${shown.height}`);
    shown.covered = () => log.push("covered");
    const play = (videoWidth, videoHeight) => {
        Object.assign(video, {videoWidth, videoHeight});
        fire(video, "resize");
    };
    return {...clock, video, canvas, surface: shown, told: () => log.splice(0), play};
}

test("the canvas lies over the video from its first picture on, and its size counts", (t) => {
    const {surface: shown, canvas, video, told, play} = surface(t);
    play(800, 600);
    assert.deepEqual(told(), ["800x600"]);
    shown.drawn(640, 480);
    assert.deepEqual([told(), canvas.hidden, shown.isDrawn], [["640x480"], false, true]);
    shown.leaveVideo();
    assert.ok(video.classes.has("is-unused"));
    play(16, 16);
    assert.deepEqual(told(), []);
});

test("back to the video: the canvas stays until that shows a picture, and an echo is none", (t) => {
    const {surface: shown, canvas, video, told, play, pass} = surface(t);
    const callbacks = [];
    video.requestVideoFrameCallback = (call) => callbacks.push(call);
    shown.drawn(800, 600);
    shown.leaveVideo();
    told();
    shown.useVideo();
    assert.ok(!video.classes.has("is-unused"));
    play(16, 16);
    pass(200);
    assert.deepEqual([callbacks.length, canvas.hidden], [0, false]);
    play(800, 600);
    assert.equal(canvas.hidden, false);
    callbacks[0]();
    assert.deepEqual([told(), canvas.hidden], [["covered", "800x600"], true]);
    // Without a word of the browser, a moment later.
    shown.drawn(800, 600);
    shown.useVideo();
    pass(101);
    assert.ok(canvas.hidden);
});

test("a canvas that is drawn on again meanwhile stays", (t) => {
    const {surface: shown, canvas, play, pass} = surface(t);
    shown.drawn(800, 600);
    shown.useVideo();
    play(800, 600);
    shown.drawn(800, 600);
    pass(200);
    assert.equal(canvas.hidden, false);
});

test("the last picture of a lost session stays on the canvas, until another one is there", (t) => {
    const {surface: shown, canvas, told, play, pass} = surface(t);
    shown.drawn(800, 600);
    shown.freeze();
    shown.end();
    told();
    shown.useVideo();
    play(640, 480);
    pass(200);
    assert.deepEqual([told(), canvas.hidden], [[], false]);
    shown.thaw();
    assert.deepEqual([told(), canvas.hidden], [["covered", "640x480"], true]);
    // The next session's is on the canvas itself.
    shown.drawn(800, 600);
    shown.freeze();
    shown.drawn(800, 600);
    shown.thaw();
    assert.equal(canvas.hidden, false);
    shown.end();
    assert.equal(canvas.hidden, true);
});

test("a video that rests has nothing, and no browser refuses to play that", async (t) => {
    browser(t);
    const video = {srcObject: null, play: async () => { throw Object.assign(new Error("no"), {name: "NotAllowedError"}); }};
    const states = [], playing = new Playing(video, window, () => states.push(playing.isRefused));
    await playing.show("stream");
    playing.rest();
    playing.rest();
    assert.equal(video.srcObject, null);
    assert.deepEqual(states, [true, false]);
    video.play = async () => {};
    await playing.wake();
    assert.equal(video.srcObject, "stream");
    await playing.wake();
    playing.rest();
    playing.end();
    await playing.wake();
    assert.equal(video.srcObject, null);
});
