// Substitutes for a browser's picture decoder in tests on Node.

import {BitWriter, escaped, joined, parametersOf, pictureHead} from "../viewer/picture/h264.js";

const bytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));

/** Parameter sets as x264 writes them: 1280x720 without reordering, and 1920x1080 with it. */
export const SMALL = bytes("6742c01fda014016ec05a808080a000003000200000300791e306540");
export const LARGE = bytes("67640028acd940780227e5c05a83008320000003002000000781e30632c0");

const NUMBER_BITS = parametersOf(SMALL).frameNumberBits;

/** @param {number} type of the NAL unit @param {number} number `frame_num` */
function slice(type, number = 0) {
    const writer = new BitWriter();
    for (const value of [0, type === 5 ? 7 : 5, 0]) writer.unsigned(value);
    writer.bits(number, NUMBER_BITS);
    return Uint8Array.from([0x60 | type, ...escaped(writer.end()), 0x80]);
}

export const keyframe = (sps = SMALL) => joined([sps, bytes("68ce3c80"), slice(5)]);
/** @param {number} [number] `frame_num` */
export const deltaframe = (number) => joined([slice(1, number)]);

/**
 * A repair picture.
 * @param {number} number `frame_num` @param {number} back
 */
export function repairframe(number, back) {
    const mark = [5, 18, ...Buffer.from("Heliograph repai"), back >> 8, back & 0xff, 0x80];
    return joined([Uint8Array.from([6, ...escaped(Uint8Array.from(mark))]), slice(1, number)]);
}

/**
 * `frame_num` of an access unit with the parameters of `SMALL`.
 * @param {Uint8Array} unit
 */
export const numberOf = (unit) => pictureHead(unit, parametersOf(SMALL)).number;

/**
 * A browser's scope with a `VideoDecoder` that returns its pictures on request.
 * @returns {any} `made`: all decoders so far
 */
export function decoders() {
    const made = [];
    class VideoDecoder {
        state = "unconfigured";
        configurations = [];
        chunks = [];
        waiting = [];

        constructor(ways) {
            Object.assign(this, ways);
            made.push(this);
        }

        configure(configuration) {
            if (configuration.hardwareAcceleration === "nonsense") throw new TypeError("no such acceleration");
            this.state = "configured";
            this.configurations.push(configuration);
        }

        decode(chunk) {
            if (this.state !== "configured") throw new Error("not configured");
            this.chunks.push(chunk);
            this.waiting.push(chunk);
        }

        /** Returns this many pictures. */
        give(count = 1) {
            for (const {timestamp} of this.waiting.splice(0, count)) {
                const {codedWidth: displayWidth, codedHeight: displayHeight} = this.configurations.at(-1);
                const picture = {timestamp, displayWidth, displayHeight, isClosed: false, close() { this.isClosed = true; }};
                this.output(picture);
            }
        }

        fail() {
            this.state = "closed";
            this.error(new Error("broken"));
        }

        close() {
            if (this.state === "closed") throw new Error("closed already");
            this.state = "closed";
        }
    }
    class EncodedVideoChunk { constructor(all) { Object.assign(this, all); } }
    return {made, VideoDecoder, EncodedVideoChunk};
}

/** The parts of an `OffscreenCanvas` that are drawn on. */
export class FakeCanvas {
    drawn = [];
    width = 1;
    height = 1;

    getContext(kind, options) {
        Object.assign(this, {kind, options});
        return {drawImage: (picture, ...place) => {
            if (this.isBroken) throw new Error("nothing can be drawn");
            this.drawn.push([picture, ...place]);
        }};
    }
}

/**
 * A browser's scope that draws test pictures, and its clock.
 * @param {object} speed
 * @param {number[]} speed.draws the times in milliseconds that the calls take; after the last, drawing fails
 * @param {number} [speed.queued] the time of what a call leaves to be done
 * @param {number} [speed.reading] the time of reading itself
 */
export function machine({draws, queued = 0, reading = 0}) {
    const left = [...draws], pictures = [], canvases = [];
    let time = 0, waiting = 0;
    class VideoFrame {
        isClosed = false;
        constructor(data, options) {
            Object.assign(this, {data}, options);
            pictures.push(this);
        }
        close() { this.isClosed = true; }
    }
    class OffscreenCanvas {
        constructor(width, height) {
            Object.assign(this, {width, height, asked: [width, height]});
            canvases.push(this);
        }
        getContext(kind, options) {
            this.options = options;
            return {
                drawImage: () => {
                    if (!left.length) throw new Error("nothing can be drawn");
                    time += left.shift();
                    waiting += queued;
                },
                getImageData: () => {
                    time += waiting + reading;
                    waiting = 0;
                },
            };
        }
    }
    return {scope: {VideoFrame, OffscreenCanvas}, now: () => time, pictures, canvases};
}
