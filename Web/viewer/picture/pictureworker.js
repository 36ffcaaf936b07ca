// A worker between the network and the browser's own jitter buffer for pictures. In mode "video", it passes pictures on; in
// mode "both", it passes them on, and decodes and draws them; in mode "own", it decodes and draws them, and passes echoes on to
// the browser.

import {Decoding} from "./decoding.js";
import {Drawing} from "./drawing.js";
import {Echo} from "./echo.js";
import {FrameOrder} from "./frameorder.js";
import {headOf, pictureHead, renumbered} from "./h264.js";
import {PictureTally} from "./picturetally.js";
import {SoundStep} from "./soundstep.js";
import {DRAWING_LIMIT, drawingTime} from "./testpicture.js";

/** The minimum time in milliseconds between two keyframe requests by the browser's API. */
const ASKING = 500;
/**
 * The interval in milliseconds between reports to the page, and the minimum interval between reports of the newest picture to
 * the host.
 */
const REPORT = 1000, SEEN = 100;
/** The number of pictures, or the time in milliseconds since the first, after which the trial's result is known. */
const TRIAL = {pictures: 10, time: 1000};
/** A typical configuration of a host's stream: Constrained Baseline, level 3.1. */
const PROBE = {codec: "avc1.42C01F", codedWidth: 1280, codedHeight: 720, optimizeForLatency: true};

/**
 * @typedef {import("./frameorder.js").Picture & {data: Uint8Array, parameters: import("./h264.js").Parameters | null,
 *     received: number, isTaken: boolean}} Arrived `received`: the time of arrival in milliseconds; `isTaken`: true once the
 *     decoder has accepted it
 */

/** @type {Drawing | null} */
let drawing = null;
/** @type {Decoding | null} */
let decoding = null;
const echo = new Echo();

/** The page's newest session, the mode for its pictures, and the transformer that delivers them. */
let session = 0, mode = "video";
/** @type {FrameTransformer | null} */
let transformer = null;
/** True if the host supports the page's own requests. */
let isHeard = false;
/** @type {FrameOrder<Arrived> | null} */
let order = null;
let roundTrip = NaN;
/** @type {import("./h264.js").Parameters | null} the stream's last parameters */
let parameters = null;
/** True if pictures have the dependency descriptor. */
let isOrdered = false;
/** True if the browser's decoder last received an echo, so that it can only use another echo or a keyframe. */
let isEchoing = false;
let askedAt = -Infinity;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let patience;
let isVisible = true;
/** @type {{width: number, height: number} | null} the size of the last picture that was reported */
let told = null;
let drawnCount = 0, firstAt = 0, isTried = false;

/** The counts, and times in milliseconds or numbers of pictures, since the last report. */
const tally = new PictureTally(
    ["received", "drawn", "skipped", "crowded"], ["order", "decode", "draw", "shown", "held", "echo", "waited", "skew"],
);
/** The delays in mode "both", since it began or the page was last shown. */
const trial = new PictureTally([], ["shown"]);
/** The delays since the last report to the host. */
const delays = new PictureTally([], ["shown"]);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let seeing;
let newest = 0, seenAt = -Infinity;
/** @type {number | null} */
let delay = null;

/**
 * The decoded pictures that wait for their sound, with their times of arrival.
 * @type {SoundStep<{picture: DecodedPicture, received: number, at: number}>}
 */
const step = new SoundStep(({picture}, reason) => {
    picture.close();
    tally.count(reason);
});
/** @type {ReturnType<typeof setTimeout> | undefined} */
let releasing;

/** @param {string} type @param {object} [more] */
function tell(type, more) { postMessage({type, session, ...more}); }

/** True while the page itself reports losses to the host. */
const isReporting = () => mode === "own" && isHeard;

/** Returns true if a keyframe may be requested, at most once in `ASKING` milliseconds. */
function mayAsk() {
    const now = performance.now();
    if (now - askedAt < ASKING) return false;
    askedAt = now;
    return true;
}

/** Requests a keyframe by the browser's API, if workers may do so. */
function ask() {
    if (!mayAsk()) return;
    try {
        transformer?.sendKeyFrameRequest?.().catch(() => {});
    } catch {
        // The receiver has ended.
    }
}

/** Requests a keyframe although no picture is missing. */
function askForKey() {
    if (!isReporting()) ask();
    else if (mayAsk()) tell("lost", {whole: null});
}

/** Requests missing pictures if a request is due, and schedules the next check. */
function attend() {
    clearTimeout(patience);
    if (!order) return;
    const now = performance.now(), lost = order.tick(now);
    // A hidden page needs no picture at once; it requests one when it is shown.
    if (lost && !isReporting()) ask();
    else if (lost && isVisible) tell("lost", lost);
    const {deadline} = order;
    if (deadline !== null) patience = setTimeout(attend, Math.max(0, Math.ceil(deadline - now)));
}

/** @param {string} stage @param {unknown} reason */
function fail(stage, reason) {
    if (mode === "video") return;
    turn("video");
    tell("failed", {stage, reason: String(reason)});
}

/** @param {string} wanted @param {boolean} [heard] */
function turn(wanted, heard = false) {
    mode = wanted;
    isHeard = heard;
    if (wanted === "video") {
        decoding?.close();
        decoding = order = null;
        step.clear();
        clearTimeout(releasing);
        clearTimeout(patience);
        return;
    }
    if (decoding) return;
    [told, drawnCount, isTried, delay] = [null, 0, false, null];
    tally.read();
    trial.read();
    order = new FrameOrder();
    if (roundTrip >= 0) order.roundTrip = roundTrip;
    decoding = new Decoding({
        picture: decoded, keyWanted: lose, late: () => order?.refuse(performance.now()),
        failed: (reason) => fail("decode", reason),
    });
}

/** Handles that the decoder has lost its state. */
function lose() {
    order?.fail(performance.now());
    attend();
}

/** @param {DecodedPicture} picture @param {import("./decoding.js").Times} times */
function decoded(picture, {received, begun, at}) {
    const before = performance.now(), held = decoding?.held ?? 0;
    tally.note("decode", before - begun);
    tally.note("held", held);
    if (!drawing) return picture.close();
    // Only the page's own picture alone is kept in step: while both decoders run, their delays are compared.
    if (mode !== "own" || !isVisible || !step.count && !step.wait(at, before)) return show(picture, received, at, held > 0);
    step.add({picture, received, at}, at, before);
    release();
}

/** Draws the newest picture whose sound is heard, and schedules the next. */
function release() {
    clearTimeout(releasing);
    const taken = step.take(performance.now());
    if (taken) {
        tally.note("waited", taken.waited);
        show(taken.picture.picture, taken.picture.received, taken.picture.at, false);
    }
    const {deadline} = step;
    if (deadline !== null) releasing = setTimeout(release, Math.max(0, deadline - performance.now()));
}

/**
 * @param {DecodedPicture} picture @param {number} received @param {number} at its RTP timestamp
 * @param {boolean} isNewer as for `Drawing.draw`
 */
function show(picture, received, at, isNewer) {
    const before = performance.now();
    try {
        if (!drawing?.draw(picture, isNewer)) return tally.count("skipped");
        drawn(before, received);
        const skew = step.skew(at, performance.now());
        if (skew !== null) tally.note("skew", skew);
    } catch (error) {
        fail("draw", error);
    }
}

/** @param {number} begun when drawing began @param {number} received */
function drawn(begun, received) {
    const now = performance.now(), size = /** @type {Drawing} */ (drawing).size;
    tally.count("drawn");
    tally.note("draw", now - begun);
    tally.note("shown", now - received);
    if (mode === "both") trial.note("shown", now - received);
    if (seeing !== undefined) delays.note("shown", now - received);
    if (told?.width !== size.width || told.height !== size.height) {
        told = size;
        tell("drawn", size);
    }
    if (!drawnCount++) firstAt = begun;
    if (drawnCount >= TRIAL.pictures) tried();
}

/**
 * Reports the newest accepted picture to the host, at most once in `SEEN` milliseconds.
 * @param {number} at its RTP timestamp
 */
function see(at) {
    newest = at;
    if (!isReporting()) return;
    seeing ??= setTimeout(() => {
        seeing = undefined;
        seenAt = performance.now();
        delay = delays.read().shown ?? delay;
        if (isReporting() && delay !== null) tell("seen", {at: newest, ms: Math.round(delay * 10) / 10});
    }, Math.max(0, SEEN - (performance.now() - seenAt)));
}

/** Reports the result of the trial, once each time that mode "both" begins. */
function tried() {
    if (isTried || mode !== "both") return;
    isTried = true;
    tell("tried", {held: tally.median("held") ?? 0, drawn: drawnCount, isOrdered});
}

function report() {
    if (mode === "video") return void tally.read();
    if (drawnCount && performance.now() - firstAt >= TRIAL.time) tried();
    const {held, ...figures} = tally.read();
    tell("statistics", {
        mode, isOrdered, ...figures, ...order?.readCounts(), waiting: order?.waiting ?? 0, held: held ?? 0,
        errors: decoding?.errors, acceleration: decoding?.acceleration, codec: decoding?.codec,
        ...mode === "both" ? {trial: {pictures: trial.number("shown"), shown: trial.median("shown")}} : {},
    });
}

/**
 * @param {EncodedFrame} frame @param {Uint8Array} data the frame's data
 * @returns {Arrived}
 */
function described(frame, data) {
    const {rtpTimestamp = frame.timestamp, frameId, dependencies} = frame.getMetadata();
    const head = pictureHead(data, parameters);
    parameters = head.parameters;
    const id = dependencies && typeof frameId === "number" ? frameId : null;
    isOrdered = id !== null;
    return {
        ...head, data, at: rtpTimestamp >>> 0, modulus: parameters ? 2 ** parameters.frameNumberBits : 1, id,
        dependencies: dependencies ?? [], received: performance.now(), isTaken: false,
    };
}

/**
 * Processes an arrived frame.
 * @param {EncodedFrame} frame @param {(frame: EncodedFrame) => void} give passes a frame to the browser
 */
function take(frame, give) {
    if (mode === "video") return isEchoing ? leave(frame, give) : give(frame);
    tally.count("received");
    const picture = described(frame, new Uint8Array(frame.data));
    // The browser's decoder can only switch between pictures and echoes at a keyframe.
    if ((mode === "own") !== isEchoing) turnBrowser(picture.isKey);
    if (!isEchoing) {
        // The browser takes ownership of the data, so the decoder needs a copy.
        picture.data = picture.data.slice();
        give(frame);
    }
    order?.add(picture, picture.received);
    for (let next; (next = order?.take());) decode(next, /** @type {FrameOrder<Arrived>} */ (order).shift);
    attend();
    // Browsers accept frames only in the order in which they delivered them. With the descriptor, the browser itself knows
    // which frames can be decoded; without it, a dropped picture gets no echo, because later echoes would depend on it.
    if (isEchoing && (picture.id !== null || picture.isTaken)) echoed(frame, give);
}

/** @param {Arrived} picture @param {number} shift */
function decode(picture, shift) {
    const {data, received} = picture;
    tally.note("order", performance.now() - received);
    const whole = shift && picture.parameters ? renumbered(data, picture.parameters, shift) : data;
    picture.isTaken = decoding?.decode(whole, received, picture.at) ?? false;
    if (picture.isTaken) see(picture.at);
}

/** @param {EncodedFrame} frame @param {(frame: EncodedFrame) => void} give */
function echoed(frame, give) {
    const begun = performance.now();
    frame.data = echo.next();
    give(frame);
    tally.note("echo", performance.now() - begun);
}

/**
 * Switches the browser's decoder to echoes or back to pictures at a keyframe; otherwise requests one.
 * @param {boolean} isKey
 */
function turnBrowser(isKey) {
    if (!isKey) return askForKey();
    isEchoing = !isEchoing;
    if (!isEchoing) tell("passing");
}

/**
 * Passes pictures to the browser again, from the next keyframe on.
 * @param {EncodedFrame} frame @param {(frame: EncodedFrame) => void} give
 */
function leave(frame, give) {
    turnBrowser(headOf(new Uint8Array(frame.data)).isKey);
    if (!isEchoing) return give(frame);
    // If workers can't request keyframes, the browser requests one itself when it receives no more frames.
    if (transformer?.sendKeyFrameRequest) echoed(frame, give);
}

/** @param {FrameTransformer} own the transformer @param {number} number of the session */
async function pass({readable, writable}, number) {
    const reader = readable.getReader(), writer = writable.getWriter();
    /** @param {EncodedFrame} frame */
    const give = (frame) => { writer.write(frame).catch(() => {}); };
    for (;;) {
        const {done, value} = await reader.read();
        if (done) return;
        if (number !== session) {
            give(value);
            continue;
        }
        try {
            take(value, give);
        } catch (error) {
            fail("take", error);
        }
    }
}

self.onrtctransform = (/** @type {{transformer: FrameTransformer}} */ event) => {
    const {session: number, mode: wanted} = event.transformer.options;
    if (number > session) {
        session = number;
        transformer = event.transformer;
        isEchoing = isOrdered = false;
        parameters = null;
        askedAt = -Infinity;
        turn("video");
        step.clear();
        turn(wanted);
    }
    // The connection may close while frames are passed.
    pass(event.transformer, number).catch(() => {});
};

self.onmessage = ({data}) => {
    switch (data.type) {
    case "canvas":
        try {
            // Before the canvas is used, so that a slow machine only pays for the test.
            if (data.isTested && drawingTime() > DRAWING_LIMIT) return tell("ready", {isReady: false, isSlow: true});
            drawing = new Drawing(data.canvas);
        } catch (error) {
            return tell("ready", {isReady: false, reason: String(error)});
        }
        VideoDecoder.isConfigSupported(PROBE)
            .then(({supported}) => tell("ready", {isReady: supported}), () => tell("ready", {isReady: false}));
        break;
    case "mode":
        if (data.session === session) turn(data.mode, data.isHeard);
        break;
    case "roundTrip":
        roundTrip = data.time;
        if (order) order.roundTrip = roundTrip;
        break;
    case "sound":
        if (data.session !== session) break;
        // The page's clock and the worker's begin at different times.
        step.hear(data.sound && {at: data.sound.at, time: data.sound.time - performance.timeOrigin}, performance.now());
        release();
        break;
    case "visible":
        isVisible = data.isVisible;
        if (!isVisible) step.hear(null, performance.now());
        release();
        if (drawing?.show(data.isVisible)) drawn(performance.now(), performance.now());
        trial.read();
        break;
    case "acceleration":
        if (decoding) decoding.acceleration = data.acceleration;
        break;
    case "clear":
        // The message may concern the last session's picture, and arrive after the first picture of this session.
        if (mode !== "video" && drawnCount) break;
        drawing?.clear();
        told = null;
        break;
    }
};

setInterval(report, REPORT);
