// A worker between the network and the browser's own buffer for pictures. What it does with them goes by the mode: "video"
// lets them pass; "both" lets them pass, and decodes and draws them; "own" decodes and draws them, and what goes on to the
// browser are echoes.

import {Decoding} from "./decoding.js";
import {Drawing} from "./drawing.js";
import {Echo} from "./echo.js";
import {headOf} from "./h264.js";

/** Milliseconds between two requests for a keyframe. */
const ASKING = 500;
/** Milliseconds between two reports. */
const REPORT = 1000;
/** Pictures, or milliseconds since the first, after which it is known how well it goes. */
const TRIAL = {pictures: 10, time: 1000};
/** What every host may send: Constrained Baseline, level 3.1. */
const PROBE = {codec: "avc1.42C01F", codedWidth: 1280, codedHeight: 720, optimizeForLatency: true};

/** @type {Drawing | null} */
let drawing = null;
/** @type {Decoding | null} */
let decoding = null;
const echo = new Echo();

/** The newest of the page's sessions, what becomes of its pictures, and what it gives them by. */
let session = 0, mode = "video";
/** @type {FrameTransformer | null} */
let transformer = null;
/** Whether the browser's decoder was last given an echo: then nothing but an echo or a keyframe is of use to it. */
let isEchoing = false;
let askedAt = -Infinity;
/** @type {{width: number, height: number} | null} of the last picture, as it was told */
let told = null;
let drawnCount = 0, firstAt = 0, isTried = false;

/** Counts and milliseconds since the last report. */
let tally = none();
function none() {
    return {
        received: 0, drawn: 0, skipped: 0, decode: /** @type {number[]} */ ([]), draw: /** @type {number[]} */ ([]),
        echo: /** @type {number[]} */ ([]), held: /** @type {number[]} */ ([]),
    };
}

/** @param {string} type @param {object} [more] */
function tell(type, more) { postMessage({type, session, ...more}); }

/** @param {number[]} values */
function median(values) {
    return values.length ? values.sort((one, other) => one - other)[values.length - 1 >> 1] : null;
}

/** Asks the host for a keyframe, where browsers let a worker do so. */
function ask() {
    const now = performance.now();
    if (now - askedAt < ASKING) return;
    askedAt = now;
    try {
        transformer?.sendKeyFrameRequest?.().catch(() => {});
    } catch {
        // A receiver that is gone wants none.
    }
}

/** @param {string} stage @param {unknown} reason */
function fail(stage, reason) {
    if (mode === "video") return;
    turn("video");
    tell("failed", {stage, reason: String(reason)});
}

/** @param {string} wanted */
function turn(wanted) {
    mode = wanted;
    if (wanted === "video") {
        decoding?.close();
        decoding = null;
        return;
    }
    if (decoding) return;
    [told, drawnCount, isTried, tally] = [null, 0, false, none()];
    decoding = new Decoding({picture: decoded, keyWanted: ask, failed: (reason) => fail("decode", reason)});
}

/** @param {DecodedPicture} picture @param {import("./decoding.js").Times} times */
function decoded(picture, {received, begun}) {
    const before = performance.now(), held = decoding?.held ?? 0;
    tally.decode.push(before - begun);
    tally.held.push(held);
    try {
        if (!drawing) picture.close();
        else if (drawing.draw(picture, held > 0)) drawn(before, received);
        else tally.skipped++;
    } catch (error) {
        fail("draw", error);
    }
}

/** @param {number} begun when drawing began @param {number} received */
function drawn(begun, received) {
    const now = performance.now(), size = /** @type {Drawing} */ (drawing).size;
    tally.drawn++;
    tally.draw.push(now - received);
    if (told?.width !== size.width || told.height !== size.height) {
        told = size;
        tell("drawn", size);
    }
    if (!drawnCount++) firstAt = begun;
    if (drawnCount >= TRIAL.pictures) tried();
}

/** How well it goes is known, once for each time that it begins. */
function tried() {
    if (isTried || mode !== "both") return;
    isTried = true;
    tell("tried", {held: median(tally.held) ?? 0, drawn: drawnCount});
}

function report() {
    if (mode === "video") return;
    if (drawnCount && performance.now() - firstAt >= TRIAL.time) tried();
    const {received, drawn, skipped} = tally;
    tell("statistics", {
        mode, received, drawn, skipped, held: median(tally.held) ?? 0, errors: decoding?.errors, acceleration: decoding?.acceleration,
        decode: median(tally.decode), shown: median(tally.draw), echo: median(tally.echo),
    });
    tally = none();
}

/**
 * @param {EncodedFrame} frame which may have other data afterwards
 * @returns {boolean} whether the browser is to have it
 */
function take(frame) {
    if (mode === "video" && !isEchoing) return true;
    const begun = performance.now(), bytes = new Uint8Array(frame.data);
    tally.received++;
    const wasTaken = decoding?.decode(bytes, begun) ?? false;
    // It may have failed just now.
    const isOwn = mode === "own";
    // Between its pictures and echoes a decoder may change at a keyframe alone.
    if (isOwn !== isEchoing) {
        if (!headOf(bytes).isKey) ask();
        else {
            isEchoing = isOwn;
            if (!isOwn) tell("passing");
        }
    }
    if (!isEchoing) return true;
    // What nobody shows is not worth an echo, which others would refer to.
    if (!wasTaken) ask();
    // Where nobody here can ask, the browser does so once nothing comes any more.
    if (!wasTaken && !transformer?.sendKeyFrameRequest) return false;
    const ready = performance.now();
    frame.data = echo.next();
    tally.echo.push(performance.now() - ready);
    return true;
}

/** @param {FrameTransformer} own @param {number} number of the session */
async function pass({readable, writable}, number) {
    const reader = readable.getReader(), writer = writable.getWriter();
    for (;;) {
        const {done, value} = await reader.read();
        if (done) return;
        let isWanted = true;
        try {
            if (number === session) isWanted = take(value);
        } catch (error) {
            fail("take", error);
        }
        if (isWanted) writer.write(value).catch(() => {});
    }
}

self.onrtctransform = (/** @type {{transformer: FrameTransformer}} */ event) => {
    const {session: number, mode: wanted} = event.transformer.options;
    if (number > session) {
        session = number;
        transformer = event.transformer;
        isEchoing = false;
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
        if (data.session === session) turn(data.mode);
        break;
    case "visible":
        if (drawing?.show(data.isVisible)) drawn(performance.now(), performance.now());
        break;
    case "acceleration":
        if (decoding) decoding.acceleration = data.acceleration;
        break;
    case "clear":
        // It may be about the last session's picture, and come behind the first of this one.
        if (mode !== "video" && drawnCount) break;
        drawing?.clear();
        told = null;
        break;
    }
};

setInterval(report, REPORT);
