// Names that any system can have, made of those that anyone may have sent: as SafeName.swift makes them for the host.

import {utf8} from "../bytes/bytes.js";

/** The most bytes, in UTF-8: systems have 255, and a number may have to be added. */
const MOST_BYTES = 200, MOST_EXTENSION_BYTES = 20;
const DEVICE = /^(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(COM|LPT)[0-9¹²³])$/i;
/**
 * What a name neither begins nor ends with, dashes aside: joiners alone are seen by nobody. In front a mark has nothing to
 * stand on.
 */
const FRONT = /^[\s\u200c\u200d\p{M}.-]+/u, BACK = /[\s\u200c\u200d.]+$/;

/** @param {string} name @returns {string} without separators, control, hidden dots, or the name of a device */
export function safeName(name) {
    // Joiners make letters of Persian and Indian scripts, and emoji, what they are. All else that nobody sees goes: what
    // turns the direction of writing is among it.
    let clean = name.replace(/(?![\u200c\u200d])\p{Cf}/gu, "")
        .replace(/[/\\:<>"|?*]|\p{Cc}|\p{Zl}|\p{Zp}|\p{Cs}|\p{Cn}/gu, "_");
    clean = shortened(trim(clean));
    if (DEVICE.test(trim(clean.split(".")[0]))) clean = `_${clean}`;
    return clean || "unnamed";
}

/**
 * The name with a number: `name (2).ext`.
 * @param {string} name @param {number} number
 */
export function numbered(name, number) {
    const [stem, suffix] = split(name);
    return `${stem} (${number})${suffix}`;
}

/** @param {string} name */
const trim = (name) => name.replace(FRONT, "").replace(BACK, "");

/**
 * Cuts a name that is too long, between characters, and leaves its extension.
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
    // Older browsers have no more than code points.
    if (!globalThis.Intl?.Segmenter) return [...text];
    return Array.from(new Intl.Segmenter("en").segment(text), ({segment}) => segment);
}

/**
 * A name's stem, and its extension with the dot: "" where there is none, or it is too long for one.
 * @param {string} name
 */
function split(name) {
    const [, stem, suffix] = /^(.+?)((?:\.tar)?\.[^.\s]+)$/su.exec(name) ?? [];
    // `archive.tar.gz` has one of both.
    const size = stem ? utf8(suffix.replace(/^\.tar(?=\.)/, "")).length : Infinity;
    return size <= MOST_EXTENSION_BYTES ? [stem, suffix] : [name, ""];
}
