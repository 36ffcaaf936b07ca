// Parses and serialises the clipboard's messages on the data channel `transfer`, as defined in docs/web/protocol.md:
// little-endian, the first byte is the kind.

/** The kinds of messages by number, and their sizes in bytes; -1 if variable. */
const KINDS = ["", "terms", "offer", "request", "data", "credit", "refuse", "cancel"];
const SIZES = [-1, 6, -1, 10, -1, 9, 6, 5];
/** The formats of content, in the order of their numbers on the wire, which begin with 1. */
export const FORMATS = /** @type {Format[]} */ (["text", "html", "png"]);
/** The reasons for refusing a transfer, in the order of their numbers on the wire. */
const REASONS = ["gone", "too-large", "not-allowed", "busy", "failed"];
/** The maximum sizes in bytes of the content in one message, and of a message. */
export const MOST_DATA = 16384;
const DATA_HEADER = 6, MOST_BYTES = DATA_HEADER + MOST_DATA;
/** The maximum number of formats in an offer. */
const MOST_FORMATS = 8;
/** The value on the wire for an unknown size. */
const UNKNOWN = 0xffffffff;

/** The terms that permit no transfers. */
export const NOTHING = Object.freeze({maySend: false, mayReceive: false, mostBytes: 0});

/**
 * @typedef {"text" | "html" | "png"} Format
 *
 * `size` is `null` if unknown; `id` identifies the transfer.
 * @typedef {{type: "terms", maySend: boolean, mayReceive: boolean, mostBytes: number}
 *   | {type: "offer", serial: number, entries: {format: Format, size: number | null}[]}
 *   | {type: "request", id: number, serial: number, format: Format}
 *   | {type: "data", id: number, isLast: boolean, bytes: Uint8Array} | {type: "credit", id: number, total: number}
 *   | {type: "refuse", id: number, reason: string} | {type: "cancel", id: number}} TransferMessage
 */

/**
 * Parses a whole message, which may be malformed or malicious.
 * @param {Uint8Array} bytes @returns {TransferMessage | null} `null` if it is invalid
 */
export function parse(bytes) {
    const {length} = bytes;
    if (length > MOST_BYTES) return null;
    const view = new DataView(bytes.buffer, bytes.byteOffset, length);
    const kind = bytes[0];
    if (kind === 2 || kind === 4 ? length < 6 : length !== SIZES[kind]) return null;
    /** @param {number} at */
    const u32 = (at) => view.getUint32(at, true);
    if (kind === 1) {
        const flags = bytes[1];
        return flags > 3 ? null : {type: "terms", maySend: flags % 2 > 0, mayReceive: flags > 1, mostBytes: u32(2)};
    }
    const id = u32(1), code = bytes[5];
    switch (kind) {
    case 2: {
        if (code > MOST_FORMATS || length !== 6 + 5 * code) return null;
        /** @type {{format: Format, size: number | null}[]} */
        const entries = [];
        for (let at = 6; at < length; at += 5) {
            const format = FORMATS[bytes[at] - 1], size = u32(at + 1);
            // Skip the unknown format of a newer host.
            if (!format) continue;
            if (entries.some((entry) => entry.format === format)) return null;
            entries.push({format, size: size === UNKNOWN ? null : size});
        }
        return {type: "offer", serial: id, entries};
    }
    case 3: {
        const format = FORMATS[bytes[9] - 1];
        return format ? {type: "request", id, serial: u32(5), format} : null;
    }
    case 4:
        // Only the last piece may be empty.
        if (code > 1 || (!code && length === DATA_HEADER)) return null;
        return {type: "data", id, isLast: code === 1, bytes: bytes.subarray(DATA_HEADER)};
    case 5: return {type: "credit", id, total: u32(5)};
    case 6: return REASONS[code - 1] ? {type: "refuse", id, reason: REASONS[code - 1]} : null;
    default: return {type: "cancel", id};
    }
}

/** @param {TransferMessage} message a message with numbers in range @returns {Uint8Array} */
export function serialise(message) {
    const made = new Uint8Array(sizeOf(message)), view = new DataView(made.buffer);
    /** @param {number} at @param {number} value */
    const u32 = (at, value) => view.setUint32(at, value, true);
    made[0] = KINDS.indexOf(message.type);
    if ("id" in message) u32(1, message.id);
    switch (message.type) {
    case "terms":
        made[1] = (message.maySend ? 1 : 0) + (message.mayReceive ? 2 : 0);
        u32(2, message.mostBytes);
        break;
    case "offer":
        u32(1, message.serial);
        made[5] = message.entries.length;
        message.entries.forEach(({format, size}, index) => {
            made[6 + 5 * index] = FORMATS.indexOf(format) + 1;
            // Clamp a size that exceeds the field, because its maximum means an unknown size.
            u32(7 + 5 * index, size === null ? UNKNOWN : Math.min(size, UNKNOWN - 1));
        });
        break;
    case "request":
        u32(5, message.serial);
        made[9] = FORMATS.indexOf(message.format) + 1;
        break;
    case "data":
        made[5] = message.isLast ? 1 : 0;
        made.set(message.bytes, DATA_HEADER);
        break;
    case "credit": u32(5, message.total); break;
    case "refuse": made[5] = REASONS.indexOf(message.reason) + 1;
    }
    return made;
}

/**
 * Returns the size of a message on the wire in bytes.
 * @param {TransferMessage | {type: "offer", entries: readonly unknown[]} | {type: "data", bytes: Uint8Array}} message
 */
export function sizeOf(message) {
    if (message.type === "offer") return 6 + 5 * message.entries.length;
    if (message.type === "data") return DATA_HEADER + message.bytes.length;
    return SIZES[KINDS.indexOf(message.type)];
}
