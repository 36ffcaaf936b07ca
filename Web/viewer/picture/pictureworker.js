// A worker between the network and the browser's own buffer for pictures. What it does with them goes by the mode: "video"
// lets them pass; "both" lets them pass, and decodes and draws them; "own" decodes and draws them, and what goes on to the
// browser are echoes.

import {Decoding} from "./decoding.js";
import {Drawing} from "./drawing.js";
import {Echo} from "./echo.js";
import {FrameOrder} from "./frameorder.js";
import {headOf, pictureHead, renumbered} from "./h264.js";
import {PictureTally} from "./picturetally.js";

/** Milliseconds between two requests for a keyframe by the browser's means. */
const ASKING = 500;
/** Milliseconds between two reports to the page, and between two to the host of the newest picture. */
const REPORT = 1000, SEEN = 100;
/** Pictures, or milliseconds since the first, after which it is known how well it goes. */
const TRIAL = {pictures: 10, time: 1000};
/** A configuration that any host's stream may need: Constrained Baseline, level 3.1. */
const PROBE = {codec: "avc1.42C01F", codedWidth: 1280, codedHeight: 720, optimizeForLatency: true};

/**
 * @typedef {import("./frameorder.js").Picture & {data: Uint8Array, parameters: import("./h264.js").Parameters | null,
 *     received: number, isTaken: boolean}} Arrived `received`: in milliseconds; `isTaken`: true once the decoder has it
 */

/** @type {Drawing | null} */
let drawing = null;
/** @type {Decoding | null} */
let decoding = null;
const echo = new Echo();

/** The page's newest session, the mode in which its pictures are treated, and the transformer that gives them. */
let session = 0, mode = "video";
/** @type {FrameTransformer | null} */
let transformer = null;
/** True if the host takes the page's own requests. */
let isHeard = false;
/** @type {FrameOrder<Arrived> | null} */
let order = null;
let roundTrip = NaN;
/** @type {import("./h264.js").Parameters | null} of the stream so far */
let parameters = null;
/** True if pictures come with the dependency descriptor. */
let isOrdered = false;
/** True if the browser's decoder was last given an echo: it can then use only a further echo or a keyframe. */
let isEchoing = false;
let askedAt = -Infinity;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let patience;
let isVisible = true;
/** @type {{width: number, height: number} | null} of the last picture, as it was told */
let told = null;
let drawnCount = 0, firstAt = 0, isTried = false;

/** Since the last report: counts, and milliseconds or pictures. */
const tally = new PictureTally(["received", "drawn", "skipped"], ["order", "decode", "draw", "shown", "held", "echo"]);
/** Since the last report to the host. */
const delays = new PictureTally([], ["shown"]);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let seeing;
let newest = 0, seenAt = -Infinity;
/** @type {number | null} */
let delay = null;

/** @param {string} type @param {object} [more] */
function tell(type, more) { postMessage({type, session, ...more}); }

/** True while the host hears from the page itself what this worker lacks. */
const isReporting = () => mode === "own" && isHeard;

/** Returns true, at most once in `ASKING` milliseconds, if a keyframe may be asked for. */
function mayAsk() {
    const now = performance.now();
    if (now - askedAt < ASKING) return false;
    askedAt = now;
    return true;
}

/** Asks the host for a keyframe, where browsers let a worker do so. */
function ask() {
    if (!mayAsk()) return;
    try {
        transformer?.sendKeyFrameRequest?.().catch(() => {});
    } catch {
        // A receiver that is gone wants none.
    }
}

/** Asks for a keyframe without which nothing is lost. */
function askForKey() {
    if (!isReporting()) ask();
    else if (mayAsk()) tell("lost", {whole: null});
}

/** Asks for what is lost, if it is time for that, and wakes up when it is. */
function attend() {
    clearTimeout(patience);
    if (!order) return;
    const now = performance.now(), lost = order.tick(now);
    // A page that nobody sees needs no picture at once; seen again, it asks.
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
        clearTimeout(patience);
        return;
    }
    if (decoding) return;
    [told, drawnCount, isTried, delay] = [null, 0, false, null];
    tally.read();
    order = new FrameOrder();
    if (roundTrip >= 0) order.roundTrip = roundTrip;
    decoding = new Decoding({
        picture: decoded, keyWanted: lose, late: () => order?.refuse(performance.now()),
        failed: (reason) => fail("decode", reason),
    });
}

/** The decoder has lost what it had. */
function lose() {
    order?.fail(performance.now());
    attend();
}

/** @param {DecodedPicture} picture @param {import("./decoding.js").Times} times */
function decoded(picture, {received, begun}) {
    const before = performance.now(), held = decoding?.held ?? 0;
    tally.note("decode", before - begun);
    tally.note("held", held);
    try {
        if (!drawing) picture.close();
        else if (drawing.draw(picture, held > 0)) drawn(before, received);
        else tally.count("skipped");
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
    if (seeing !== undefined) delays.note("shown", now - received);
    if (told?.width !== size.width || told.height !== size.height) {
        told = size;
        tell("drawn", size);
    }
    if (!drawnCount++) firstAt = begun;
    if (drawnCount >= TRIAL.pictures) tried();
}

/**
 * Tells the host of the newest picture that was taken, some times a second.
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

/** Reports the result of the trial, once for each time that mode "both" begins. */
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
    });
}

/**
 * @param {EncodedFrame} frame @param {Uint8Array} data of it
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
 * A frame has come.
 * @param {EncodedFrame} frame @param {(frame: EncodedFrame) => void} give it to the browser
 */
function take(frame, give) {
    if (mode === "video") return isEchoing ? leave(frame, give) : give(frame);
    tally.count("received");
    const picture = described(frame, new Uint8Array(frame.data));
    // Between its pictures and echoes the browser's decoder may change at a keyframe alone.
    if ((mode === "own") !== isEchoing) turnBrowser(picture.isKey);
    if (!isEchoing) {
        // The browser takes the data of a frame that it is given, so the decoder needs a copy.
        picture.data = picture.data.slice();
        give(frame);
    }
    order?.add(picture, picture.received);
    for (let next; (next = order?.take());) decode(next, /** @type {FrameOrder<Arrived>} */ (order).shift);
    attend();
    // Browsers take frames back only in the order in which they gave them. By the descriptor the browser knows itself which are
    // of use; without it what nobody shows is not worth an echo, which others would refer to.
    if (isEchoing && (picture.id !== null || picture.isTaken)) echoed(frame, give);
}

/** @param {Arrived} picture @param {number} shift */
function decode(picture, shift) {
    const {data, received} = picture;
    tally.note("order", performance.now() - received);
    const whole = shift && picture.parameters ? renumbered(data, picture.parameters, shift) : data;
    picture.isTaken = decoding?.decode(whole, received) ?? false;
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
 * The browser's decoder goes over to echoes, or back to pictures, if it can.
 * @param {boolean} isKey
 */
function turnBrowser(isKey) {
    if (!isKey) return askForKey();
    isEchoing = !isEchoing;
    if (!isEchoing) tell("passing");
}

/**
 * The browser is to have its pictures again: from the next keyframe on.
 * @param {EncodedFrame} frame @param {(frame: EncodedFrame) => void} give
 */
function leave(frame, give) {
    turnBrowser(headOf(new Uint8Array(frame.data)).isKey);
    if (!isEchoing) return give(frame);
    // A browser that lets no worker ask for a keyframe asks itself once it is given nothing any more.
    if (transformer?.sendKeyFrameRequest) echoed(frame, give);
}

/** @param {FrameTransformer} own @param {number} number of the session */
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
        turn(wanted);
    }
    // The connection may go in the middle of it.
    pass(event.transformer, number).catch(() => {});
};

self.onmessage = ({data}) => {
    switch (data.type) {
    case "canvas":
        try {
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
    case "visible":
        isVisible = data.isVisible;
        if (drawing?.show(data.isVisible)) drawn(performance.now(), performance.now());
        break;
    case "acceleration":
        if (decoding) decoding.acceleration = data.acceleration;
        break;
    case "clear":
        // The message may be meant for the last session's picture, and arrive after the first picture of this session.
        if (mode !== "video" && drawnCount) break;
        drawing?.clear();
        told = null;
        break;
    }
};

setInterval(report, REPORT);
