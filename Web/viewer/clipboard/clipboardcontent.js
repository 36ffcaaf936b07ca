// Whether content of a clipboard is what its format says. Text and HTML are UTF-8 without NUL; a picture begins as a PNG
// file does, and its sides are no longer than `LONGEST_SIDE` (PNG, 5.2 and 11.2.1).

import {FORMATS} from "./transfermessage.js";

/**
 * What lies on a clipboard, by its formats.
 * @typedef {Map<"text" | "html" | "png", Uint8Array>} Contents
 */

const LONGEST_SIDE = 16384;
/** PNG's signature, then the length and name of its first chunk. */
const PNG_START = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];
const RETURN = 13;

/**
 * Takes content that has come, or is to go.
 * @param {Uint8Array} bytes @param {string} format
 * @returns {Uint8Array | null} `null`: it is not what its format says
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
 * Whether both are the same but for their ends of lines, which systems change as they paste.
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
 * Whether both are the same by the first format that both have. Browsers give the same HTML and pictures in other words,
 * one by their events and another when they are asked.
 * @param {Contents} a @param {Contents} b
 */
export function isAlike(a, b) {
    const format = FORMATS.find((each) => a.has(each) && b.has(each));
    const [one, other] = format ? [a.get(format), b.get(format)] : [];
    return format !== undefined && one !== undefined && other !== undefined && isSame(one, other, format);
}

/**
 * Whether both are the same in all their formats.
 * @param {Contents} a @param {Contents} b
 */
export function isIdentical(a, b) {
    return a.size === b.size && [...a].every(([format, bytes]) => {
        const others = b.get(format);
        return others !== undefined && isSame(bytes, others, format);
    });
}
