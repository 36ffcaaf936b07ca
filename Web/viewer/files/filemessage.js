// Parses and serialises messages about files, which share the data channel `transfer` with the clipboard's messages, as defined
// in docs/web/protocol.md: little-endian; the first byte is the kind, followed by the batch's number.

import {utf8} from "../bytes/bytes.js";

/** The first kind of message that is about files. */
export const FIRST_KIND = 16;
/** The types of messages by kind: of a sender from 16 on, of a receiver from 24 on. */
const KINDS = new Map([
    "offer", "entry", "begin", "data", "end", "skip", "withdraw", "", "accept", "refuse", "want", "credit", "verdict",
].map((type, index) => /** @type {[number, string]} */ ([FIRST_KIND + index, type])).filter(([, type]) => type));
const CODES = new Map([...KINDS].map(([kind, type]) => [type, kind]));
/** The reasons why a file or batch fails, in the order of their numbers on the wire, which begin with 1. */
export const REASONS = [
    "declined", "notAllowed", "noSpace", "tooMany", "badName", "tooLarge", "busy", "cancelled", "unreadable", "changed",
    "damaged", "diskFailed", "timedOut", "broken",
];
/** The maximum number of file bytes in one message, and the size of the header before them, in bytes. */
export const MOST_DATA = 15360;
export const DATA_HEADER = 9;
/** The minimum size of a file, in bytes, whose transfer resumes where it was interrupted; smaller files start again. */
export const RESUMABLE_SIZE = 256 * 1024;
/** The maximum number of names in a path, and the maximum sizes of a name and of a path in bytes. */
const MOST_NAMES = 32, MOST_NAME_BYTES = 255, MOST_PATH_BYTES = 1024;
const LATEST_MODIFIED = 2 ** 40, DIGEST = 32;

/**
 * @typedef {{path: string[], isFolder: boolean, size: number, modified: number}} FileEntry `modified` in seconds since 1970, 0
 *   if unknown
 *
 * `size` of an offer: the total size. `digest` of `want`: the hash of the bytes before `offset`; `null` at offset 0. `reason`
 * of a verdict: `null` if the file arrived completely.
 * @typedef {{batch: bigint} & ({type: "offer", count: number, size: number, name: string}
 *   | {type: "entry", index: number, entry: FileEntry} | {type: "begin", offset: number}
 *   | {type: "data", bytes: Uint8Array} | {type: "end", digest: Uint8Array}
 *   | {type: "skip", index: number, reason: string} | {type: "withdraw", reason: string}
 *   | {type: "accept", next: number, failed: number} | {type: "refuse", reason: string}
 *   | {type: "want", index: number, offset: number, digest: Uint8Array | null} | {type: "credit", total: number}
 *   | {type: "verdict", index: number, reason: string | null})} FileMessage
 */

/**
 * True if a name of this size in bytes can be sent.
 * @param {string} name
 * @param {number} size
 */
const isName = (name, size) => size > 0 && size <= MOST_NAME_BYTES && name !== "." && name !== ".." && !/[/\0]/.test(name);

/**
 * True if a path can be sent.
 * @param {string[]} path
 */
export function isPath(path) {
    const sizes = path.map((name) => utf8(name).length);
    return path.length > 0 && path.length <= MOST_NAMES && path.every((name, index) => isName(name, sizes[index]))
        && sizes.reduce((sum, size) => sum + size, 0) <= MOST_PATH_BYTES;
}

/** The error for a malformed message. */
class Malformed extends Error {}

/** Reads the fields of a message in order. */
class Reader {
    #bytes;
    #view;
    #at = 0;

    /** @param {Uint8Array} bytes */
    constructor(bytes) {
        this.#bytes = bytes;
        this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }

    get rest() { return this.#bytes.length - this.#at; }

    /** @param {number} count */
    take(count) {
        if (count > this.rest) throw new Malformed();
        this.#at += count;
        return this.#bytes.subarray(this.#at - count, this.#at);
    }

    u8() { return this.take(1)[0]; }

    u32() {
        this.take(4);
        return this.#view.getUint32(this.#at - 4, true);
    }

    u64() {
        this.take(8);
        return this.#view.getBigUint64(this.#at - 8, true);
    }

    /** Reads a size, which has to be an exact integer in JavaScript. */
    size(most = Number.MAX_SAFE_INTEGER) {
        const size = this.u64();
        check(size <= BigInt(most));
        return Number(size);
    }

    reason() {
        const reason = REASONS[this.u8() - 1];
        check(reason);
        return reason;
    }

    name() {
        const bytes = this.take(this.u8());
        let name;
        try {
            name = new TextDecoder("utf-8", {fatal: true, ignoreBOM: true}).decode(bytes);
        } catch {
            throw new Malformed();
        }
        check(isName(name, bytes.length));
        return name;
    }

    entry() {
        const kind = this.u8(), size = this.size(), modified = this.size(LATEST_MODIFIED), count = this.u8();
        check(kind <= 1 && (!kind || !size) && count <= MOST_NAMES);
        const path = Array.from({length: count}, () => this.name());
        check(isPath(path));
        return {path, isFolder: kind === 1, size, modified};
    }
}

/**
 * @param {unknown} isRight
 * @returns {asserts isRight}
 */
function check(isRight) {
    if (!isRight) throw new Malformed();
}

/**
 * Parses a whole message, which may be malformed or malicious.
 * @param {Uint8Array} bytes @returns {FileMessage | null} `null` if it is invalid
 */
export function parseFile(bytes) {
    if (bytes.length > DATA_HEADER + MOST_DATA) return null;
    const reader = new Reader(bytes);
    try {
        const type = KINDS.get(reader.u8());
        check(type);
        const message = /** @type {FileMessage} */ ({type, batch: reader.u64(), ...fields(type, reader)});
        return reader.rest ? null : message;
    } catch (error) {
        if (error instanceof Malformed) return null;
        throw error;
    }
}

/** @param {string} type @param {Reader} reader */
function fields(type, reader) {
    switch (type) {
    case "offer": {
        const count = reader.u32(), size = reader.size();
        check(count);
        return {count, size, name: reader.name()};
    }
    case "entry": return {index: reader.u32(), entry: reader.entry()};
    case "begin": return {offset: reader.size()};
    case "data":
        check(reader.rest);
        return {bytes: reader.take(reader.rest)};
    case "end": return {digest: reader.take(DIGEST)};
    case "skip": return {index: reader.u32(), reason: reader.reason()};
    case "withdraw": case "refuse": return {reason: reader.reason()};
    case "accept": {
        const next = reader.u32(), failed = reader.u32();
        check(failed <= next);
        return {next, failed};
    }
    case "want": {
        const index = reader.u32(), offset = reader.size();
        return {index, offset, digest: offset ? reader.take(DIGEST) : null};
    }
    // Clamp to the largest exact integer, which no sender exceeds.
    case "credit": return {total: Math.min(Number(reader.u64()), Number.MAX_SAFE_INTEGER)};
    default: {
        const index = reader.u32(), code = reader.u8();
        check(code <= REASONS.length);
        return {index, reason: REASONS[code - 1] ?? null};
    }
    }
}

/** @param {FileMessage} message a message with numbers in range and valid names @returns {Uint8Array} */
export function serialiseFile(message) {
    const made = new Uint8Array(sizeOfFile(message)), view = new DataView(made.buffer);
    let at = 0;
    /** @param {number} value */
    const u8 = (value) => { made[at++] = value; };
    /** @param {number} value */
    const u32 = (value) => { view.setUint32((at += 4) - 4, value, true); };
    /** @param {number | bigint} value */
    const u64 = (value) => { view.setBigUint64((at += 8) - 8, BigInt(value), true); };
    /** @param {Uint8Array} bytes */
    const put = (bytes) => {
        made.set(bytes, at);
        at += bytes.length;
    };
    /** @param {string} text */
    const name = (text) => {
        const bytes = utf8(text);
        u8(bytes.length);
        put(bytes);
    };
    u8(CODES.get(message.type) ?? 0);
    u64(message.batch);
    switch (message.type) {
    case "offer":
        u32(message.count);
        u64(message.size);
        name(message.name);
        break;
    case "entry": {
        const {index, entry} = message;
        u32(index);
        u8(entry.isFolder ? 1 : 0);
        u64(entry.size);
        u64(entry.modified);
        u8(entry.path.length);
        entry.path.forEach(name);
        break;
    }
    case "begin": u64(message.offset); break;
    case "data": put(message.bytes); break;
    case "end": put(message.digest); break;
    case "accept":
        u32(message.next);
        u32(message.failed);
        break;
    case "want":
        u32(message.index);
        u64(message.offset);
        if (message.digest) put(message.digest);
        break;
    case "credit": u64(message.total); break;
    case "skip": case "verdict": u32(message.index);
    // Falls through: these messages end with a reason, too.
    default: u8(message.reason === null ? 0 : REASONS.indexOf(message.reason) + 1);
    }
    return made;
}

/**
 * Returns the size of a message on the wire in bytes.
 * @param {FileMessage} message
 */
export function sizeOfFile(message) {
    switch (message.type) {
    case "offer": return 22 + utf8(message.name).length;
    case "entry": return message.entry.path.reduce((sum, each) => sum + 1 + utf8(each).length, 31);
    case "data": return DATA_HEADER + message.bytes.length;
    case "end": return 9 + DIGEST;
    case "skip": case "verdict": return 14;
    case "withdraw": case "refuse": return 10;
    case "want": return 21 + (message.digest ? DIGEST : 0);
    // The sizes of `begin`, `credit` and `accept`.
    default: return 17;
    }
}
