// Measures what the page's own picture path costs for each picture, apart from decoding and drawing: reading H.264 headers,
// renumbering, the order of frames, echoes, acknowledgements, and the wait for sound. Needs no browser:
//
//     node Benchmarks/web/worker-costs.mjs [--rounds N] [--json]
//
// Each row is the median of N rounds (41) in microseconds for a picture, with the range of the middle half.

import {performance} from "node:perf_hooks";
import {parseArgs} from "node:util";
import {Echo} from "../../Web/viewer/picture/echo.js";
import {FrameOrder} from "../../Web/viewer/picture/frameorder.js";
import {headOf, pictureHead, renumbered} from "../../Web/viewer/picture/h264.js";
import {PictureTally} from "../../Web/viewer/picture/picturetally.js";
import {SoundStep} from "../../Web/viewer/picture/soundstep.js";
import {SoundTimes} from "../../Web/viewer/sound/soundtimes.js";
import {deltaframe, keyframe, LARGE, repairframe} from "../../Web/tests/picturefakes.js";

const {values} = parseArgs({options: {rounds: {type: "string", default: "41"}, json: {type: "boolean", default: false}}});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds is a positive number");

/** The pictures of a round. */
const PICTURES = 6000;
/** The bytes of a picture's slices: 8 Mbit/s at 60 pictures a second, and a keyframe of 1920x1080. */
const DELTA_BYTES = 16_667, KEY_BYTES = 200_000;

/**
 * Appends random bytes to an access unit's last slice, without start codes, as in coded pictures.
 * @param {Uint8Array} unit @param {number} size
 */
function filled(unit, size) {
    const whole = new Uint8Array(size);
    whole.set(unit);
    let seed = 1;
    for (let i = unit.length; i < size; i++) {
        seed = seed * 1103515245 + 12345 & 0x7fffffff;
        whole[i] = seed >> 16 & 0xff || 1;
    }
    return whole;
}

const key = filled(keyframe(), KEY_BYTES), large = filled(keyframe(LARGE), KEY_BYTES);
const {parameters} = pictureHead(key, null);
const deltas = Array.from({length: 16}, (_, i) => filled(deltaframe(i), DELTA_BYTES));
const repair = filled(repairframe(7, 3), DELTA_BYTES);

/** A picture as the worker describes it, with a dependency descriptor if it has an `id`. */
const described = (i, id, dependencies = []) => ({
    at: i * 1500 >>> 0, isKey: i === 0, isReference: true, number: i % 16, modulus: 16, back: null, id, dependencies,
});

/** Passes all pictures through an order: `arrange` returns the numbers in the order of arrival. */
function ordered(hasDescriptor, arrange = (i) => i) {
    const order = new FrameOrder();
    let taken = 0;
    for (let i = 0; i < PICTURES; i++) {
        const n = arrange(i), now = i * 1000 / 60;
        order.add(described(n, hasDescriptor ? n : null, n ? [n - 1] : []), now);
        while (order.take()) taken++;
        order.tick(now);
    }
    if (taken < PICTURES - 1) throw new Error(`only ${taken} pictures were taken`);
}

/** One of a hundred pictures comes after the next one. */
const swapped = (i) => (i % 100 === 50 ? i + 1 : i % 100 === 51 ? i - 1 : i);

/** The sum of what the rows make, so that none of it is optimised away. */
let sink = 0;
/** @param {(i: number) => number} cost */
const each = (cost) => () => { for (let i = 0; i < PICTURES; i++) sink += cost(i); };

const rows = {
    "header of a picture": each((i) => pictureHead(deltas[i & 15], parameters).number ?? 0),
    "header of a repair picture": each(() => pictureHead(repair, parameters).back ?? 0),
    "header and parameters of a keyframe": each((i) => Number(pictureHead(i & 1 ? key : large, null).isKey)),
    "units before the decoder": each((i) => headOf(deltas[i & 15]).rest.length),
    "frame_num written anew": each((i) => renumbered(deltas[i & 15], parameters, 3).length),
    "order by frame_num": () => ordered(false),
    "order by descriptor": () => ordered(true),
    "order by descriptor, 1 of 100 late": () => ordered(true, swapped),
    "echo": () => {
        const echo = new Echo();
        for (let i = 0; i < PICTURES; i++) sink += echo.next().byteLength;
    },
    "acknowledgement": () => {
        // What `pictureSeen` costs if each picture had one: ten a second do.
        const delays = new PictureTally([], ["shown"]);
        for (let i = 0; i < PICTURES; i++) {
            for (let k = 0; k < 6; k++) delays.note("shown", 4 + (i + k) % 7);
            sink += JSON.stringify({type: "pictureSeen", at: i * 1500, ms: delays.read().shown}).length;
        }
    },
    "loss report": each((i) => JSON.stringify({type: "pictureLost", whole: i * 1500, n: i}).length),
    "wait for sound": () => {
        const times = new SoundTimes(), step = new SoundStep(() => {});
        times.told({at: 0, picture: 0});
        let shown = 0;
        for (let i = 0; i < PICTURES; i++) {
            const now = i * 1000 / 60;
            // A time of the sound comes twenty times a second.
            if (i % 3 === 0) step.hear({at: times.pictureAt(Math.round(i * 800)) ?? 0, time: now + 30}, now);
            step.add(i, i * 1500 >>> 0, now);
            while (step.take(now)) shown++;
        }
        if (shown < PICTURES - 4) throw new Error(`only ${shown} pictures were shown`);
    },
};

/** @param {number[]} sorted @param {number} share */
const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

if (!values.json) console.log(`us for a picture, ${rounds} rounds of ${PICTURES}, node ${process.version}`);
for (const [name, run] of Object.entries(rows)) {
    // The first rounds are compiled.
    for (let i = 0; i < 3; i++) run();
    const times = [];
    for (let i = 0; i < rounds; i++) {
        const begun = performance.now();
        run();
        times.push((performance.now() - begun) * 1000 / PICTURES);
    }
    times.sort((one, other) => one - other);
    const [low, median, high] = [0.25, 0.5, 0.75].map((share) => Number(quantile(times, share).toPrecision(3)));
    if (values.json) console.log(JSON.stringify({name, unit: "us", median, low, high}));
    else console.log(`${name.padEnd(38)} ${String(median).padStart(8)}   (${low} to ${high})`);
}
if (!(sink > 0)) throw new Error("nothing was measured");
