// The page's own decoding of the picture: when it starts, when it is given up, and what shows the picture instead.

import assert from "node:assert/strict";
import test from "node:test";
import {canDrawOwn, OwnPicture} from "../viewer/picture/ownpicture.js";
import {hasCard, PictureChoice, pictureWay} from "../viewer/picture/picturechoice.js";
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

function made(t, {worker: Worker = FakeWorker, video = null, choice = null} = {}) {
    const clock = browser(t), log = [];
    const canvas = Object.assign(new FakeElement("canvas"), {dataset: {}, transferControlToOffscreen: () => "offscreen"});
    const shown = {video, isOpen: true, roundTrip: null}, host = [];
    const own = new OwnPicture(canvas, {
        choice,
        drawn: (width, height) => log.push(`drawn ${width}x${height}`), turned: (mode) => log.push(mode),
        died: () => log.push("died"), video: () => shown.video, roundTrip: () => shown.roundTrip,
        tell: (channel, message) => {
            if (shown.isOpen) host.push([channel, message]);
            return shown.isOpen;
        },
    }, {Worker, RTCRtpScriptTransform: Transform});
    const told = () => log.splice(0);
    /** Starts a session. */
    const stand = () => {
        const transceiver = {receiver: {transform: null}};
        own.stand(transceiver);
        return transceiver.receiver.transform?.options ?? null;
    };
    /** The messages to the host since the last call. */
    const heard = () => host.splice(0);
    const modes = () => own.worker.sent.filter(({type}) => type === "mode").map(({mode}) => mode);
    return {...clock, own, canvas, told, stand, modes, shown, heard, worker: own.worker};
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
    for (const [search, way] of [
        ["", "auto"], ["?picture=own", "own"], ["?x=1&picture=own", "own"], ["?picture=video", "video"], ["?picture=x", "auto"],
    ]) assert.equal(pictureWay(search), way, search);
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
    worker.tell({
        ...statistics(), drawn: 30, order: 0.1, decode: 4, draw: 2, shown: 6.5, skipped: 1, reference: 2, late: 3, keys: 1, repairs: 4,
        acceleration: "no-preference",
    });
    assert.deepEqual(own.figures, {
        fps: 30, buffered: 0.1, decode: 4, draw: 2, shown: 6.5, dropped: 6, repairs: 5, decoder: "WebCodecs",
    });
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
        // The worker may report it again, or may have drawn another picture meanwhile.
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
    // A silent worker is not given up while the page itself is stalled or hidden.
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

/** Returns a session with the page's own picture. */
function owning(t, {isOrdered = true} = {}) {
    const all = ready(t);
    all.stand();
    all.worker.tell(drawn());
    all.own.taken();
    assert.deepEqual(all.heard(), [], "it does not decode alone yet");
    all.worker.tell({...tried(), isOrdered});
    return all;
}
const lastMode = ({sent}) => sent.filter(({type}) => type === "mode").at(-1);

test("the host is told when the page decodes, and when the browser does so again, which needs a keyframe", (t) => {
    const {own, worker, heard} = owning(t);
    assert.deepEqual(heard(), [["control", {type: "ownPicture", enabled: true, repairs: true}]]);
    assert.deepEqual(lastMode(worker), {type: "mode", mode: "own", session: 1, isHeard: true});
    own.isWanted = false;
    assert.deepEqual(heard(), [
        ["control", {type: "pictureLost", n: 1}], ["control", {type: "ownPicture", enabled: false, repairs: false}],
    ]);
    assert.equal(lastMode(worker).isHeard, false);
    worker.tell({type: "lost", session: 1, whole: 5});
    worker.tell({type: "seen", session: 1, at: 5, ms: 1});
    assert.deepEqual(heard(), []);
    own.isWanted = true;
    worker.tell(drawn());
    worker.tell({...tried(), isOrdered: true});
    worker.tell({type: "lost", session: 1, whole: 5});
    assert.deepEqual(heard().slice(1), [["moves", {type: "pictureLost", whole: 5, n: 2}]]);
    own.end();
    assert.deepEqual(heard(), []);
});

test("losses are counted, and told by the channel that loses nothing where they must not get lost", (t) => {
    const {worker, heard} = owning(t);
    heard();
    for (const whole of [7, 7, 7, 7, null, 0]) worker.tell({type: "lost", session: 1, whole});
    assert.deepEqual(heard().map(([channel, {n, whole}]) => [channel, n, whole]), [
        ["moves", 1, 7], ["moves", 2, 7], ["control", 3, 7], ["moves", 4, 7], ["control", 5, undefined], ["control", 6, 0],
    ]);
    worker.tell({type: "seen", session: 1, at: 9000, ms: 3.5});
    assert.deepEqual(heard(), [["moves", {type: "pictureSeen", at: 9000, ms: 3.5}]]);
});

test("without the dependency descriptor no repair picture gets through", (t) => {
    const {heard} = owning(t, {isOrdered: false});
    assert.deepEqual(heard(), [["control", {type: "ownPicture", enabled: true, repairs: false}]]);
});

test("a host that does not take it, or says so late, or a channel that is not there", (t) => {
    const {own, worker, stand, heard, shown} = ready(t);
    stand();
    worker.tell(drawn());
    worker.tell({...tried(), isOrdered: true});
    assert.equal(lastMode(worker).isHeard, false);
    worker.tell({type: "lost", session: 1, whole: 5});
    assert.deepEqual(heard(), []);
    shown.isOpen = false;
    own.taken();
    assert.deepEqual([heard(), lastMode(worker).isHeard], [[], false]);
    shown.isOpen = true;
    own.taken();
    assert.equal(heard().length, 1);
    assert.deepEqual(lastMode(worker), {type: "mode", mode: "own", session: 1, isHeard: true});
    own.taken();
    assert.deepEqual(heard(), []);
    // The next session's host may be an older version.
    stand();
    worker.tell(drawn(3));
    worker.tell(tried(3));
    assert.deepEqual([own.mode, heard()], ["own", []]);
});

test("the worker knows how long the path takes", (t) => {
    const {worker, shown, pass} = owning(t);
    const times = () => worker.sent.filter(({type}) => type === "roundTrip").map(({time}) => time);
    pass(1000);
    assert.deepEqual(times(), []);
    shown.roundTrip = 30;
    pass(2000);
    shown.roundTrip = 40;
    pass(1000);
    assert.deepEqual(times(), [30, 40]);
});

/** A video that presents pictures on request. */
class FakeVideo {
    callbacks = new Map();
    count = 0;
    requestVideoFrameCallback(call) {
        this.callbacks.set(++this.count, call);
        return this.count;
    }
    cancelVideoFrameCallback(number) { this.callbacks.delete(number); }
    /** Presents pictures that took this time; `null` where the browser doesn't measure it. */
    show(delay, count = 1, presentationTime = performance.now()) {
        const metadata = delay === null ? {presentationTime} : {presentationTime, receiveTime: presentationTime - delay};
        for (let i = 0; i < count; i++) {
            const calls = [...this.callbacks.values()];
            this.callbacks.clear();
            for (const call of calls) call(presentationTime, metadata);
        }
    }
}

/** A page without a choice in its address. */
function choosing(t, {memory = {isOwnFaster: null}, test = {isReady: true}} = {}) {
    const screen = new FakeVideo(), choice = new PictureChoice(screen, memory), all = made(t, {choice});
    all.worker.tell({type: "ready", ...test});
    /** The worker's report of a trial of so many pictures with this median. */
    const report = (pictures, shown, session = 1) => all.worker.tell({...statistics(session), trial: {pictures, shown}});
    /** Starts a session with a first picture. */
    const begin = (session = 1) => {
        all.stand();
        all.worker.tell(drawn(session));
        all.pass(100);
        all.told();
    };
    return {...all, screen, choice, memory, report, begin};
}

test("without a choice in the address, the worker draws a test picture", (t) => {
    assert.deepEqual(choosing(t).worker.sent, [{type: "canvas", canvas: "offscreen", isTested: true}]);
});

test("no session waits for a test that most machines fail", (t) => {
    assert.equal(choosing(t).own.awaited, null);
});

for (const [name, choose] of [
    ["the address", (t) => made(t)], ["an earlier page", (t) => choosing(t, {memory: {isOwnFaster: true}})],
]) {
    test(`a session waits for the worker that ${name} has chosen`, (t) => {
        const {own} = choose(t);
        assert.equal(own.awaited, own.ready);
    });
}

test("a decoder that was faster recently needs no test picture, but is compared again", (t) => {
    const {worker, choice, begin, report, screen, own} = choosing(t, {memory: {isOwnFaster: true}});
    assert.ok(choice.isPossible);
    assert.deepEqual(worker.sent, [{type: "canvas", canvas: "offscreen"}]);
    begin();
    worker.tell(tried());
    assert.equal(own.mode, "both");
    screen.show(12, 30);
    report(30, 5);
    assert.equal(own.mode, "own");
});

/** A browser whose WebGL has this renderer; `null` if it has no WebGL. */
function drawingBy(renderer, {isMasked = false, lost = []} = {}) {
    const context = {
        getExtension: (name) => {
            if (name === "WEBGL_lose_context") return {loseContext: () => lost.push(name)};
            return isMasked ? null : {};
        },
        getParameter: (name) => (name === 0x9246 || isMasked ? renderer : "WebKit WebGL"),
    };
    return {OffscreenCanvas: class {
        getContext(kind, {failIfMajorPerformanceCaveat}) {
            assert.ok(kind === "webgl" && failIfMajorPerformanceCaveat);
            return renderer === null ? null : context;
        }
    }};
}

test("a graphics card is known by WebGL's renderer", () => {
    const lost = [];
    assert.ok(hasCard(drawingBy("ANGLE (NVIDIA, NVIDIA GeForce RTX 3060, OpenGL 4.5)", {lost})));
    assert.ok(hasCard(drawingBy("Apple GPU", {isMasked: true, lost})));
    assert.equal(lost.length, 2);
    for (const name of ["ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)))", "llvmpipe, or similar", null]) {
        assert.ok(!hasCard(drawingBy(name)) && !hasCard(drawingBy(name, {isMasked: true})), name);
    }
    assert.ok(!hasCard({}));
});

test("it is not looked at where it was slower recently, or where the browser measures nothing", () => {
    assert.ok(new PictureChoice(new FakeVideo(), {isOwnFaster: null}).isPossible);
    assert.ok(!new PictureChoice(new FakeVideo(), {isOwnFaster: false}).isPossible);
    assert.ok(!new PictureChoice({}, {isOwnFaster: true}).isPossible);
});

test("without a graphics card, the worker ends before it is used, and the result is stored", async (t) => {
    const {own, canvas, worker, stand, told, memory} = choosing(t, {test: {isReady: false, isSlow: true}});
    await own.ready;
    assert.ok(worker.isTerminated);
    assert.equal(memory.isOwnFaster, false);
    assert.equal(stand(), null);
    own.isWanted = false;
    own.isWanted = true;
    assert.deepEqual([told(), own.mode, canvas.dataset, own.facts], [[], "none", {}, "picture=video"]);
});

test("a worker without a decoder is done without, and says nothing about the speed", (t) => {
    const {stand, memory} = choosing(t, {test: {isReady: false}});
    assert.deepEqual([stand(), memory.isOwnFaster], [null, null]);
});

test("if it is faster by 2 ms, it shows the picture, and that is stored", (t) => {
    const {own, begin, report, screen, told, memory} = choosing(t);
    begin();
    assert.equal(own.facts, "picture=both");
    screen.show(7.5, 29);
    report(60, 5.5);
    assert.deepEqual([told(), memory.isOwnFaster], [[], null], "too few pictures yet");
    screen.show(7.5);
    report(60, 5.5);
    assert.deepEqual([told(), memory.isOwnFaster], [["own"], true]);
    assert.equal(own.facts, "picture=own (own 5.5 ms, video 7.5 ms)");
    assert.equal(screen.callbacks.size, 0, "no more is measured");
    // The next session doesn't compare again.
    own.end();
    begin(3);
    report(1, 50, 3);
    assert.deepEqual(told(), ["own"]);
});

test("if it is not, the video shows the picture, in this page's later sessions, too", (t) => {
    const {own, begin, report, screen, told, memory, modes, stand} = choosing(t);
    begin();
    screen.show(7.4, 30);
    report(30, 5.5);
    assert.deepEqual([told(), modes().at(-1), memory.isOwnFaster], [["video"], "video", false]);
    assert.equal(own.facts, "picture=video (own 5.5 ms, video 7.4 ms)");
    assert.equal(screen.callbacks.size, 0);
    own.isWanted = false;
    own.isWanted = true;
    own.end();
    assert.deepEqual([told(), stand()], [[], null]);
});

test("a still screen is waited for, and a few pictures are enough after three seconds", (t) => {
    const {begin, report, screen, told, pass} = choosing(t);
    begin();
    for (let i = 0; i < 8; i++) {
        pass(1000);
        screen.show(12);
        report(i, 5);
        assert.deepEqual(told(), []);
    }
    report(8, 5);
    assert.deepEqual(told(), ["own"]);
});

test("a browser that doesn't say when it received a picture keeps its own decoder", (t) => {
    const {own, begin, report, screen, told, pass, memory} = choosing(t);
    begin();
    screen.show(null, 90);
    report(90, 1);
    assert.deepEqual(told(), []);
    pass(3000);
    report(180, 1);
    assert.deepEqual([told(), memory.isOwnFaster, own.facts], [["video"], false, "picture=video"]);
});

test("a video that doesn't play is not compared with, which the next page does again", (t) => {
    const {begin, report, told, pass, memory} = choosing(t);
    begin();
    pass(3000);
    report(29, 1);
    assert.deepEqual(told(), []);
    report(30, 1);
    assert.deepEqual([told(), memory.isOwnFaster], [["video"], null]);
});

test("pictures of a hidden page don't count, nor those that it received", (t) => {
    const {own, begin, report, screen, told, pass, now} = choosing(t);
    const see = (isSeen) => {
        document.hidden = !isSeen;
        own.isVisible = isSeen;
    };
    begin();
    screen.show(500, 29);
    see(false);
    screen.show(500, 30);
    pass(5000);
    report(30, 1);
    see(true);
    const shownAt = now();
    report(30, 1);
    assert.deepEqual(told(), []);
    pass(20);
    // Received while the page was hidden.
    screen.show(500, 30);
    report(30, 1);
    assert.deepEqual(told(), []);
    screen.show(15, 30);
    report(30, 10);
    assert.deepEqual([told(), own.facts], [["own"], "picture=own (own 10.0 ms, video 15.0 ms)"]);
    assert.ok(now() - shownAt < 3000);
});

test("one that fails in two sessions is not tried by the next page", (t) => {
    const {worker, begin, memory, own} = choosing(t);
    begin();
    worker.tell({type: "failed", session: 1});
    assert.equal(memory.isOwnFaster, null);
    own.end();
    begin(3);
    worker.tell({type: "failed", session: 3});
    assert.equal(memory.isOwnFaster, false);
});

test("a worker that dies in a session is not made by the next page", (t) => {
    const {worker, begin, memory, told} = choosing(t);
    begin();
    worker.onerror({});
    assert.deepEqual([told(), memory.isOwnFaster], [["died"], false]);
});

test("forced, it is used however slow it is, and nothing is measured", (t) => {
    const {own, worker, stand, told} = ready(t);
    stand();
    worker.tell(drawn());
    worker.tell({...tried(), trial: {pictures: 30, shown: 500}});
    assert.deepEqual([told(), own.facts], [["both", "drawn 800x600", "own"], "picture=own"]);
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
    // Without a report of the browser, after a moment.
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
    // The next session's picture is on the canvas itself.
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

test("times of the sound go to the worker by the wall clock, and silence once", (t) => {
    const {own, worker, stand} = ready(t);
    stand();
    own.hear(null);
    own.hear({at: 90, time: 20});
    own.hear(null);
    own.hear(null);
    const sent = worker.sent.filter(({type}) => type === "sound");
    assert.deepEqual(sent, [
        {type: "sound", session: 1, sound: {at: 90, time: 20 + performance.timeOrigin}},
        {type: "sound", session: 1, sound: null},
    ]);
});

test("it is known to be of use without a comparison if the address asks for it, or it was faster, and has not failed", (t) => {
    const {own, worker, stand} = ready(t);
    assert.ok(own.isProven && !own.isDrawn);
    stand();
    assert.ok(own.isDrawn);
    worker.tell({type: "failed", session: 1});
    assert.ok(!own.isProven && !own.isDrawn);
});

for (const isLikely of [true, false]) {
    test(`where both are compared, it is of use without a comparison only if it was faster before: ${isLikely}`, (t) => {
        assert.equal(ready(t, {choice: {isLikely, isRefused: false, end() {}}}).own.isProven, isLikely);
    });
}
