// Conversions between bytes and text. `atob` is not used, because it accepts other alphabets, blanks and padding.

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/**
 * Encodes bytes as base64url without padding.
 * @param {Uint8Array} bytes @returns {string}
 */
export function toBase64url(bytes) {
    let text = "", buffer = 0, bits = 0;
    for (const byte of bytes) {
        buffer = (buffer << 8 | byte) & 0xffff;
        bits += 8;
        while (bits >= 6) {
            bits -= 6;
            text += ALPHABET[buffer >> bits & 63];
        }
    }
    return bits ? text + ALPHABET[buffer << 6 - bits & 63] : text;
}

/**
 * Decodes base64url without padding. Returns `null` for any other value, including one with nonzero bits after the last byte.
 * @param {unknown} text
 * @returns {Uint8Array | null}
 */
export function fromBase64url(text) {
    if (typeof text !== "string") return null;
    const bytes = [];
    let buffer = 0, bits = 0;
    for (const character of text) {
        const value = ALPHABET.indexOf(character);
        if (value < 0) return null;
        buffer = (buffer << 6 | value) & 0xffff;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes.push(buffer >> bits & 255);
        }
    }
    return bits < 6 && (buffer & (1 << bits) - 1) === 0 ? Uint8Array.from(bytes) : null;
}

/**
 * Encodes text as UTF-8.
 * @param {string} text @returns {Uint8Array}
 */
export const utf8 = (text) => new TextEncoder().encode(text);

/** @param {...Uint8Array} parts @returns {Uint8Array} */
export function concat(...parts) {
    const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of parts) {
        all.set(part, at);
        at += part.length;
    }
    return all;
}

/**
 * Compares two byte arrays in a time that does not depend on where they differ.
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 */
export function isEqual(a, b) {
    if (a.length !== b.length) return false;
    let difference = 0;
    for (let i = 0; i < a.length; i++) difference |= a[i] ^ b[i];
    return difference === 0;
}

/**
 * Returns random bytes from the browser's secure generator, which is available over plain HTTP too.
 * @param {number} count
 */
export const randomBytes = (count) => crypto.getRandomValues(new Uint8Array(count));
