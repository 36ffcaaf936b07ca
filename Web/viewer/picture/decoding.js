// Decodes an H.264 stream with one `VideoDecoder`, which is configured by the stream's own parameter sets, and replaced when it
// fails.

import {headOf, joined, NAL, parametersOf, typeOf, withoutReordering} from "./h264.js";

/**
 * The number of pictures in the decoder from which on it counts as behind if the oldest one is late, the time in milliseconds
 * after which a picture is late, and the maximum number of pictures in the decoder. The maximum is large, because many pictures
 * arrive at once after a network interruption and are soon decoded.
 */
const MOST_LATE = 8, LATE = 250, MOST_HELD = 60;
/** The time in milliseconds within which errors are counted, and the number of errors after which decoding is given up. */
const ERROR_SPAN = 10_000, MOST_ERRORS = 3;

/** WebCodecs' names of the code points of ITU-T H.273. */
const PRIMARIES = new Map([[1, "bt709"], [5, "bt470bg"], [6, "smpte170m"]]);
const TRANSFERS = new Map([[1, "bt709"], [6, "smpte170m"], [13, "iec61966-2-1"]]);
const MATRICES = new Map([[0, "rgb"], [1, "bt709"], [5, "bt470bg"], [6, "smpte170m"]]);

/**
 * @typedef {{received: number, begun: number, at: number}} Times the times in milliseconds when the access unit was received,
 *   and when it was passed to the decoder; `at`: its RTP timestamp
 *
 * @typedef {object} Ways
 * @property {(picture: DecodedPicture, times: Times) => void} picture called with a decoded picture, which the callee has to
 *   close
 * @property {() => void} keyWanted called if nothing can be decoded before an IDR picture
 * @property {() => void} late called if a picture is dropped because the decoder is behind; the pictures before it are still
 *   decoded
 * @property {(reason: string) => void} failed called when decoding is given up
 */

/**
 * Returns the `colorSpace` of a decoder configuration.
 * @param {import("./h264.js").Color | null} color
 * @returns {object | undefined} `undefined` if it is unknown
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
     * The times of the pictures in the decoder, by their timestamps there.
     * @type {Map<number, Times>}
     */
    #held = new Map();
    /**
     * The times of the recent failures.
     * @type {number[]}
     */
    #errors = [];

    /**
     * @param {Ways} on
     * @param {any} scope the object with the browser's types
     * @param {() => number} now the time in milliseconds
     */
    constructor(on, scope = globalThis, now = () => performance.now()) {
        this.#on = on;
        this.#scope = scope;
        this.#now = now;
    }

    /** The number of pictures in the decoder. */
    get held() { return this.#held.size; }
    get acceleration() { return this.#acceleration; }
    /** The codec in WebCodecs' notation; `undefined` before the first IDR picture. */
    get codec() { return this.#configuration?.codec; }
    /** The number of recent failures. */
    get errors() { return this.#errors.length; }

    /** Sets `hardwareAcceleration` from the next IDR picture on. */
    set acceleration(acceleration) {
        this.#acceleration = acceleration;
        this.#drop();
        this.#on.keyWanted();
    }

    /**
     * Decodes an access unit.
     * @param {Uint8Array} bytes the access unit in Annex B format
     * @param {number} received the time of arrival in milliseconds
     * @param {number} [at] the RTP timestamp
     * @returns {boolean} false if it was dropped, for example without an IDR picture before it
     */
    decode(bytes, received, at = 0) {
        if (this.#isOver) return false;
        const {units, isKey, rest} = headOf(bytes);
        if (this.#isWaiting && !isKey) {
            this.#on.keyWanted();
            return false;
        }
        try {
            if (this.#isBehind()) {
                // A decoder that has not output any picture counts as failed.
                if (!this.#hasGiven) throw new Error("the decoder gives no pictures");
                if (!isKey) {
                    this.#on.late();
                    return false;
                }
                // The keyframe makes the older pictures in the decoder useless.
                this.#drop();
            }
            const data = isKey ? this.#begin(bytes, units, rest) : bytes;
            const timestamp = this.#count++ * 1000;
            this.#held.set(timestamp, {received, begun: this.#now(), at});
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
     * Configures the decoder by the sequence parameter set of an IDR picture, if it has changed.
     * @param {Uint8Array} bytes the access unit @param {Uint8Array[]} units its NAL units before the first slice
     * @param {Uint8Array} rest the first slice and everything after it
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
                // The decoder may have skipped earlier pictures, so remove them, too.
                for (const timestamp of this.#held.keys()) {
                    if (timestamp <= picture.timestamp) this.#held.delete(timestamp);
                }
                const now = this.#now();
                this.#on.picture(picture, times ?? {received: now, begun: now, at: 0});
            },
            error: (/** @type {Error} */ error) => { if (decoder === this.#decoder) this.#fail(String(error)); },
        });
        return decoder;
    }

    /**
     * Continues with a new decoder at the first failure, with the other kind of acceleration at the second, and then gives up.
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

    /** Ends decoding. */
    close() {
        this.#isOver = true;
        this.#drop();
    }
}
