// Validates clipboard content against its format. Text and HTML have to be UTF-8, and their NUL bytes are removed; a picture
// has to begin as a PNG file, with sides of at most `LONGEST_SIDE` pixels (PNG, 5.2 and 11.2.1).

import {FORMATS} from "./transfermessage.js";

/**
 * The content of a clipboard by format.
 * @typedef {Map<"text" | "html" | "png", Uint8Array>} Contents
 */

const LONGEST_SIDE = 16384;
/** PNG's signature, then the length and name of its first chunk. */
const PNG_START = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];
const RETURN = 13;

/**
 * Returns content in the form to pass on, for received content and for content to be sent.
 * @param {Uint8Array} bytes
 * @param {string} format
 * @returns {Uint8Array | null} `null` if the content does not match its format
 */
export function accepted(bytes, format) {
    if (format === "png") return isPicture(bytes) ? bytes : null;
    try {
        new TextDecoder("utf-8", {fatal: true}).decode(bytes);
    } catch {
        return null;
    }
    return bytes.includes(0) ? bytes.filter((byte) => byte) : bytes;
}

/** @param {Uint8Array} bytes */
function isPicture(bytes) {
    if (bytes.length < 24 || PNG_START.some((byte, at) => bytes[at] !== byte)) return false;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    return [16, 20].every((at) => view.getUint32(at) > 0 && view.getUint32(at) <= LONGEST_SIDE);
}

/**
 * Compares two contents of a format, ignoring differences in line endings, which systems change when they paste.
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 * @param {import("./transfermessage.js").Format} format
 */
function isSame(a, b, format) {
    let i = 0, j = 0;
    for (;;) {
        if (format !== "png") {
            while (a[i] === RETURN) i++;
            while (b[j] === RETURN) j++;
        }
        if (i >= a.length || j >= b.length) return i >= a.length && j >= b.length;
        if (a[i++] !== b[j++]) return false;
    }
}

/**
 * Compares two clipboards by the first format that both contain. Their other formats are ignored, because a browser's paste
 * event and its clipboard API return different HTML and picture bytes for the same copy.
 * @param {Contents} a @param {Contents} b
 */
export function isAlike(a, b) {
    const format = FORMATS.find((each) => a.has(each) && b.has(each));
    const [one, other] = format ? [a.get(format), b.get(format)] : [];
    return format !== undefined && one !== undefined && other !== undefined && isSame(one, other, format);
}

/**
 * True if both clipboards are equal in all formats.
 * @param {Contents} a @param {Contents} b
 */
export function isIdentical(a, b) {
    return a.size === b.size && [...a].every(([format, bytes]) => {
        const others = b.get(format);
        return others !== undefined && isSame(bytes, others, format);
    });
}
