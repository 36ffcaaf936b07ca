// Crockford's base 32, as in the share link: what people can read aloud and type.

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/**
 * What people type for something that looks the same.
 * @type {Record<string, string>}
 */
const ALIKE = {O: "0", I: "1", L: "1"};
/** Bytes of a link's secret. */
const SECRET_LENGTH = 10;

/**
 * The secret of a code, XXXX-XXXX-XXXX-XXXX. Case does not matter, `O` is read as 0, `I` and `L` as 1; hyphens and
 * blanks are skipped, and the port of the host's own viewers, which a link may have behind a dot. `null` where it is
 * not one.
 * @param {string} text
 * @returns {Uint8Array | null}
 */
export function secretOf(text) {
    const bytes = [];
    let buffer = 0, bits = 0;
    for (const character of text.toUpperCase().replace(/\.\d{1,5}$/, "").replace(/[-\s]/g, "")) {
        const value = ALPHABET.indexOf(ALIKE[character] ?? character);
        if (value < 0) return null;
        buffer = (buffer << 5 | value) & 0xffff;
        bits += 5;
        if (bits >= 8) {
            bits -= 8;
            bytes.push(buffer >> bits & 255);
        }
    }
    return bytes.length === SECRET_LENGTH && bits === 0 ? Uint8Array.from(bytes) : null;
}

/**
 * What has been typed so far, tidied: capitals in groups of four, and nothing that no code has.
 * @param {string} text
 * @returns {string}
 */
export function tidyCode(text) {
    const characters = [...text.toUpperCase()].filter((each) => ALPHABET.includes(each) || each in ALIKE);
    return (characters.slice(0, 16).join("").match(/.{1,4}/g) ?? []).join("-");
}
