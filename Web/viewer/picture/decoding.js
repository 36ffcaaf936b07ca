// One `VideoDecoder` for a stream of H.264: configured by the stream's own parameter sets, rebuilt when it fails.

import {headOf, joined, NAL, parametersOf, typeOf, withoutReordering} from "./h264.js";

/**
 * Pictures that may be in the decoder while the oldest is late, by how many milliseconds it is that, and how many may be
 * in there at all: after a hole in the network many come at once, and are soon decoded.
 */
const MOST_LATE = 8, LATE = 250, MOST_HELD = 60;
/** Milliseconds within which errors count together, and how many are too many. */
const ERROR_SPAN = 10_000, MOST_ERRORS = 3;

/** Code points of ITU-T H.273 by the names that WebCodecs have for them. */
const PRIMARIES = new Map([[1, "bt709"], [5, "bt470bg"], [6, "smpte170m"]]);
const TRANSFERS = new Map([[1, "bt709"], [6, "smpte170m"], [13, "iec61966-2-1"]]);
const MATRICES = new Map([[0, "rgb"], [1, "bt709"], [5, "bt470bg"], [6, "smpte170m"]]);

/**
 * @typedef {{received: number, begun: number}} Times of a picture, in milliseconds: the access unit was received, and was
 *     given to the decoder
 *
 * @typedef {object} Ways
 * @property {(picture: DecodedPicture, times: Times) => void} picture is decoded, and whoever hears of it closes it
 * @property {() => void} keyWanted nothing can be decoded before an IDR picture
 * @property {() => void} late a picture was not taken, as too many are in the decoder; what was taken before it is decoded
 * @property {(reason: string) => void} failed the decoder is given up
 */

/**
 * The `colorSpace` of a configuration.
 * @param {import("./h264.js").Color | null} color
 * @returns {object | undefined} `undefined` where it isn't known
 */
function colorSpaceOf(color) {
    const primaries = PRIMARIES.get(color?.primaries ?? 2), transfer = TRANSFERS.get(color?.transfer ?? 2);
    const matrix = MATRICES.get(color?.matrix ?? 2);
    return primaries && transfer && matrix ? {primaries, transfer, matrix, fullRange: color?.isFullRange} : undefined;
}

export class Decoding {
    #on;
    #scope;
    #now;
    /** @type {PictureDecoder | null} */
    #decoder = null;
    /** @type {{codec: string} | null} */
    #configuration = null;
    #acceleration = "no-preference";
    #isWaiting = true;
    #hasGiven = false;
    #isOver = false;
    #count = 0;
    /**
     * Pictures in the decoder, by their timestamps there.
     * @type {Map<number, Times>}
     */
    #held = new Map();
    /**
     * When it failed.
     * @type {number[]}
     */
    #errors = [];

    /**
     * @param {Ways} on
     * @param {any} scope where the browser's types are
     * @param {() => number} now milliseconds
     */
    constructor(on, scope = globalThis, now = () => performance.now()) {
        this.#on = on;
        this.#scope = scope;
        this.#now = now;
    }

    /** The number of pictures in the decoder. */
    get held() { return this.#held.size; }
    get acceleration() { return this.#acceleration; }
    /** As WebCodecs name it; `undefined` before the first IDR picture. */
    get codec() { return this.#configuration?.codec; }
    /** The number of failures so far that still count. */
    get errors() { return this.#errors.length; }

    /** `hardwareAcceleration` from the next IDR picture on. */
    set acceleration(acceleration) {
        this.#acceleration = acceleration;
        this.#drop();
        this.#on.keyWanted();
    }

    /**
     * Decodes an access unit.
     * @param {Uint8Array} bytes in Annex B
     * @param {number} received milliseconds
     * @returns {boolean} whether it was taken: without an IDR picture before it nothing is
     */
    decode(bytes, received) {
        if (this.#isOver) return false;
        const {units, isKey, rest} = headOf(bytes);
        if (this.#isWaiting && !isKey) {
            this.#on.keyWanted();
            return false;
        }
        try {
            if (this.#isBehind()) {
                // A decoder that has given no picture since it began counts as failed.
                if (!this.#hasGiven) throw new Error("the decoder gives no pictures");
                if (!isKey) {
                    this.#on.late();
                    return false;
                }
                // The keyframe makes the pictures before it, which are still in the decoder, useless.
                this.#drop();
            }
            const data = isKey ? this.#begin(bytes, units, rest) : bytes;
            const timestamp = this.#count++ * 1000;
            this.#held.set(timestamp, {received, begun: this.#now()});
            this.#decoder?.decode(new this.#scope.EncodedVideoChunk({
                type: isKey ? "key" : "delta", timestamp, data,
            }));
        } catch (error) {
            this.#fail(String(error));
            return false;
        }
        return true;
    }

    #isBehind() {
        if (this.#held.size < MOST_LATE) return false;
        const [oldest] = this.#held.values();
        return this.#held.size >= MOST_HELD || this.#now() - oldest.begun >= LATE;
    }

    /**
     * Configures the decoder by the parameter set of an IDR picture, where that is another than before.
     * @param {Uint8Array} bytes of the access unit @param {Uint8Array[]} units before its first slice
     * @param {Uint8Array} rest
     * @returns {Uint8Array} the access unit to decode
     */
    #begin(bytes, units, rest) {
        const at = units.findIndex((unit) => typeOf(unit) === NAL.sps);
        if (at < 0 && this.#configuration && this.#decoder) {
            this.#isWaiting = false;
            return bytes;
        }
        const parameters = at < 0 ? null : parametersOf(units[at]);
        if (!parameters) throw new Error("a picture without a parameter set");
        const {codec, visible, color, hasReorderZero} = parameters;
        const configuration = {
            codec, codedWidth: visible.width, codedHeight: visible.height, colorSpace: colorSpaceOf(color),
            optimizeForLatency: true, hardwareAcceleration: this.#acceleration,
        };
        if (!this.#decoder) this.#decoder = this.#make();
        if (JSON.stringify(configuration) !== JSON.stringify(this.#configuration)) this.#decoder.configure(configuration);
        this.#configuration = configuration;
        this.#isWaiting = false;
        if (hasReorderZero) return bytes;
        const set = withoutReordering(units[at]);
        if (!set) return bytes;
        const head = joined(units.map((unit, i) => (i === at ? set : unit)));
        const data = new Uint8Array(head.length + rest.length);
        data.set(head);
        data.set(rest, head.length);
        return data;
    }

    /** @returns {PictureDecoder} */
    #make() {
        /** @type {PictureDecoder} */
        const decoder = new this.#scope.VideoDecoder({
            output: (/** @type {DecodedPicture} */ picture) => {
                if (decoder !== this.#decoder) return picture.close();
                this.#hasGiven = true;
                const times = this.#held.get(picture.timestamp);
                // A decoder may leave one out: it is not in there any more.
                for (const timestamp of this.#held.keys()) {
                    if (timestamp <= picture.timestamp) this.#held.delete(timestamp);
                }
                const now = this.#now();
                this.#on.picture(picture, times ?? {received: now, begun: now});
            },
            error: (/** @type {Error} */ error) => { if (decoder === this.#decoder) this.#fail(String(error)); },
        });
        return decoder;
    }

    /**
     * Goes on with another decoder, then with another kind of it, and then not at all.
     * @param {string} reason
     */
    #fail(reason) {
        const now = this.#now();
        this.#drop();
        this.#errors = [...this.#errors.filter((time) => now - time < ERROR_SPAN), now];
        if (this.#errors.length >= MOST_ERRORS) {
            this.#isOver = true;
            return this.#on.failed(reason);
        }
        if (this.#errors.length > 1) {
            this.#acceleration = this.#acceleration === "prefer-software" ? "no-preference" : "prefer-software";
        }
        this.#on.keyWanted();
    }

    #drop() {
        const decoder = this.#decoder;
        this.#decoder = this.#configuration = null;
        this.#held.clear();
        this.#isWaiting = true;
        this.#hasGiven = false;
        if (decoder && decoder.state !== "closed") decoder.close();
    }

    /** Nothing is decoded any more. */
    close() {
        this.#isOver = true;
        this.#drop();
    }
}
