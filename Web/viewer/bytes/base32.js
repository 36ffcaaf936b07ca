// Crockford's base 32, which the share link uses: its characters can be read aloud and typed by hand.

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/**
 * Letters that look like a digit, with that digit.
 * @type {Record<string, string>}
 */
const ALIKE = {O: "0", I: "1", L: "1"};
/** The length of a link's secret, in bytes. */
const SECRET_LENGTH = 10;

/**
 * Decodes the secret from a code, XXXX-XXXX-XXXX-XXXX. Case is ignored, `O` is read as 0, `I` and `L` as 1; hyphens, blanks,
 * and the port for Heliograph's own viewers, which may follow a dot in a link, are skipped. Returns `null` for an invalid code.
 * @param {string} text
 * @returns {Uint8Array | null}
 */
export function secretOf(text) {
    const bytes = fromBase32(text.replace(/\.\d{1,5}$/, ""));
    return bytes?.length === SECRET_LENGTH ? bytes : null;
}

/**
 * Decodes base 32, leniently as in `secretOf`. Returns `null` if it has other characters, or bits after the last byte that are
 * not zero or would be a character too many.
 * @param {string} text
 * @returns {Uint8Array | null}
 */
export function fromBase32(text) {
    const bytes = [];
    let buffer = 0, bits = 0;
    for (const character of text.toUpperCase().replace(/[-\s]/g, "")) {
        const value = ALPHABET.indexOf(ALIKE[character] ?? character);
        if (value < 0) return null;
        buffer = (buffer << 5 | value) & 0xffff;
        bits += 5;
        if (bits >= 8) {
            bits -= 8;
            bytes.push(buffer >> bits & 255);
        }
    }
    return bits < 5 && (buffer & (1 << bits) - 1) === 0 ? Uint8Array.from(bytes) : null;
}

/**
 * Encodes bytes as base 32, in lower case.
 * @param {Uint8Array} bytes @returns {string}
 */
export function toBase32(bytes) {
    let text = "", buffer = 0, bits = 0;
    for (const byte of bytes) {
        buffer = (buffer << 8 | byte) & 0xffff;
        bits += 8;
        while (bits >= 5) {
            bits -= 5;
            text += ALPHABET[buffer >> bits & 31];
        }
    }
    return (bits ? text + ALPHABET[buffer << 5 - bits & 31] : text).toLowerCase();
}

/**
 * Formats a partly typed code: upper case, in groups of four, without characters that codes can't contain.
 * @param {string} text
 * @returns {string}
 */
export function tidyCode(text) {
    const characters = [...text.toUpperCase()].filter((each) => ALPHABET.includes(each) || each in ALIKE);
    return (characters.slice(0, 16).join("").match(/.{1,4}/g) ?? []).join("-");
}
