// Converts names from untrusted senders to names that are valid on every system, in the same way as the host's SafeName.swift.

import {utf8} from "../bytes/bytes.js";

/** The maximum sizes in bytes of UTF-8: file systems allow 255, and a number may have to be added. */
const MOST_BYTES = 200, MOST_EXTENSION_BYTES = 20;
const DEVICE = /^(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(COM|LPT)[0-9¹²³])$/i;
/**
 * Characters that are removed at the front and the back. A name must not consist of invisible joiners, and a combining mark at
 * the front has no base character.
 */
const FRONT = /^[\s\u200c\u200d\p{M}.-]+/u, BACK = /[\s\u200c\u200d.]+$/;

/**
 * @param {string} name @returns {string} a name without separators, control characters and leading dots that is not a device
 *   name
 */
export function safeName(name) {
    // Joiners are needed in Persian and Indian scripts and in emoji. All other invisible characters are removed, including
    // those that change the writing direction.
    let clean = name.replace(/(?![\u200c\u200d])\p{Cf}/gu, "")
        .replace(/[/\\:<>"|?*]|\p{Cc}|\p{Zl}|\p{Zp}|\p{Cs}|\p{Cn}/gu, "_");
    clean = shortened(trim(clean));
    if (DEVICE.test(trim(clean.split(".")[0]))) clean = `_${clean}`;
    return clean || "unnamed";
}

/**
 * Returns the name with a number: `name (2).ext`.
 * @param {string} name @param {number} number
 */
export function numbered(name, number) {
    const [stem, suffix] = split(name);
    return `${stem} (${number})${suffix}`;
}

/** @param {string} name */
const trim = (name) => name.replace(FRONT, "").replace(BACK, "");

/**
 * Shortens a name to `MOST_BYTES` between characters, keeping its extension.
 * @param {string} name
 */
function shortened(name) {
    if (utf8(name).length <= MOST_BYTES) return name;
    const [stem, suffix] = split(name);
    let kept = "", size = utf8(suffix).length;
    for (const character of characters(stem)) {
        size += utf8(character).length;
        if (size > MOST_BYTES) break;
        kept += character;
    }
    return (trim(kept) || "unnamed") + suffix;
}

/** @param {string} text */
function characters(text) {
    // Older browsers support only code points.
    if (!globalThis.Intl?.Segmenter) return [...text];
    return Array.from(new Intl.Segmenter("en").segment(text), ({segment}) => segment);
}

/**
 * Splits a name into its stem and its extension with the dot; the extension is empty if there is none or it is too long.
 * @param {string} name
 */
function split(name) {
    const [, stem, suffix] = /^(.+?)((?:\.tar)?\.[^.\s]+)$/su.exec(name) ?? [];
    // The limit excludes the `.tar` of `archive.tar.gz`.
    const size = stem ? utf8(suffix.replace(/^\.tar(?=\.)/, "")).length : Infinity;
    return size <= MOST_EXTENSION_BYTES ? [stem, suffix] : [name, ""];
}
