// The frames that a browser exchanges with the rendezvous, one a binary message of the WebSocket: those of HelioRendezvousWire's
// ClientFrame and ServerFrame that a ringer needs. The first byte is the type; numbers are big-endian.

import {concat} from "../bytes/bytes.js";

export const VERSION = 1;
const RING = 3, MESSAGE = 5, HANG_UP = 7;
const NONCE_LENGTH = 32, NAME_LENGTH = 16;
const MOST_ENTRIES = 8, LONGEST_MESSAGE = 65_535, LONGEST_DATA = 2048;

/** The reasons why a call has ended, by number: HangUpReason. */
const HANG_UPS = [
    "", "ended", "busy", "unreachable", "not-permitted", "too-many", "too-fast", "lost", "protocol-error",
];
/** The reasons why the server closes a connection, by number: RefusalReason. */
const REFUSALS = [
    "", "protocol-error", "wrong-signature", "blocked", "too-many", "too-fast", "too-slow", "replaced", "idle",
];

/**
 * @typedef {{type: "challenge", version: number} | {type: "ringing", call: number}
 *   | {type: "turn", call: number, seconds: number, entries: {url: string, username: string, credential: string}[]}
 *   | {type: "message", call: number, content: Uint8Array} | {type: "hungUp", call: number, reason: string}
 *   | {type: "draining", seconds: number} | {type: "refused", reason: string} | {type: "other"}} ServerFrame
 *   `other`: a frame that concerns no ringer
 */

/** @param {number} call @param {Uint8Array} device @param {Uint8Array} token */
export const ringFrame = (call, device, token) => concat(start(RING, call), device, token);

/** @param {number} call @param {Uint8Array} content at most 65,535 bytes */
export const messageFrame = (call, content) => concat(start(MESSAGE, call), content);

/** @param {number} call @param {string} reason one of `HANG_UPS` */
export const hangUpFrame = (call, reason) => concat(start(HANG_UP, call), Uint8Array.of(HANG_UPS.indexOf(reason)));

/** @param {number} type @param {number} call */
function start(type, call) {
    const bytes = new Uint8Array(5);
    bytes[0] = type;
    new DataView(bytes.buffer).setUint32(1, call);
    return bytes;
}

/**
 * Parses a frame of the server; `null` if it is malformed.
 * @param {Uint8Array} bytes @returns {ServerFrame | null}
 */
export function parseServerFrame(bytes) {
    try {
        const reader = new Reader(bytes), frame = fields(reader);
        return frame && reader.isAtEnd ? frame : null;
    } catch {
        return null;
    }
}

/** @param {Reader} reader @returns {ServerFrame | null} */
function fields(reader) {
    switch (reader.number(1)) {
    case 65: {
        const version = reader.number(1);
        reader.take(NONCE_LENGTH);
        return {type: "challenge", version};
    }
    // registered, rung, presence
    case 66: reader.take(NAME_LENGTH); return {type: "other"};
    case 67: reader.take(4 + NAME_LENGTH); reader.take(reader.number(1)); return {type: "other"};
    case 69: reader.take(NAME_LENGTH + 5); return {type: "other"};
    case 68: return {type: "ringing", call: reader.number(4)};
    case 70: return turn(reader);
    case 71: return {type: "message", call: reader.number(4), content: reader.rest(LONGEST_MESSAGE)};
    case 72: reader.take(4); reader.rest(LONGEST_DATA); return {type: "other"};
    case 73: {
        const call = reader.number(4), reason = HANG_UPS[reader.number(1)];
        return reason ? {type: "hungUp", call, reason} : null;
    }
    case 74: return {type: "draining", seconds: reader.number(4)};
    case 75: {
        const reason = REFUSALS[reader.number(1)];
        return reason ? {type: "refused", reason} : null;
    }
    default: return null;
    }
}

/** @param {Reader} reader @returns {ServerFrame | null} */
function turn(reader) {
    const call = reader.number(4), seconds = reader.number(4), count = reader.number(1), entries = [];
    if (count > MOST_ENTRIES) return null;
    for (let index = 0; index < count; index++) {
        entries.push({url: reader.text(), username: reader.text(), credential: reader.text()});
    }
    return {type: "turn", call, seconds, entries};
}

/** Reads fields one after another; throws a RangeError where the frame ends too early. */
class Reader {
    #bytes;
    #at = 0;

    /** @param {Uint8Array} bytes */
    constructor(bytes) { this.#bytes = bytes; }

    get isAtEnd() { return this.#at === this.#bytes.length; }

    /** @param {number} count @returns {Uint8Array} */
    take(count) {
        if (count > this.#bytes.length - this.#at) throw new RangeError("truncated");
        return this.#bytes.slice(this.#at, this.#at += count);
    }

    /** @param {number} size in bytes, at most 4 @returns {number} */
    number(size) { return this.take(size).reduce((value, byte) => value * 256 + byte, 0); }

    /** @param {number} limit @returns {Uint8Array} */
    rest(limit) {
        const count = this.#bytes.length - this.#at;
        if (count > limit) throw new RangeError("too large");
        return this.take(count);
    }

    /** Reads a text, its length in one byte before it; throws a TypeError if it is not UTF-8. */
    text() { return new TextDecoder("utf-8", {fatal: true, ignoreBOM: true}).decode(this.take(this.number(1))); }
}
