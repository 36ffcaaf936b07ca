// What this viewer calls itself when it asks to be let in: the host's person has to recognise it.

/** @type {[RegExp, string][]} */
const BROWSERS = [[/Edg\w*\//, "Edge"], [/OPR\//, "Opera"], [/SamsungBrowser\//, "Samsung Internet"],
    [/Firefox\/|FxiOS\//, "Firefox"], [/Chrome\/|CriOS\//, "Chrome"], [/Safari\//, "Safari"]];
/** @type {[RegExp, string][]} */
const SYSTEMS = [[/iPhone/, "iPhone"], [/iPad/, "iPad"], [/Android/, "Android"], [/CrOS/, "ChromeOS"],
    [/Windows/, "Windows"], [/Mac OS X/, "Mac"], [/Linux/, "Linux"]];
/** Systems of phones and tablets. */
const PHONES = /iPhone|iPad|Android/;
/** Bytes of UTF-8 that a name may have. */
const LONGEST = 64;

/** @param {string} userAgent @returns {string} `Firefox on Linux`, say */
export function nameOf(userAgent) {
    /** @param {[RegExp, string][]} list */
    const first = (list) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
    const browser = first(BROWSERS) ?? "Browser", system = first(SYSTEMS);
    return system ? `${browser} on ${system}` : browser;
}

/** @param {string} userAgent @returns {boolean} whether it is the browser of a phone or tablet, as far as it tells */
export function isPhone(userAgent) { return PHONES.test(userAgent); }

/**
 * Whose words a browser warns in: every one on an iPhone or iPad is Safari inside, and most others are Chromium.
 * @param {string} userAgent @returns {"chromium" | "firefox" | "safari" | "other"}
 */
export function kindOf(userAgent) {
    if (/iPhone|iPad/.test(userAgent)) return "safari";
    if (/Firefox\//.test(userAgent)) return "firefox";
    if (/Chrome\//.test(userAgent)) return "chromium";
    return /Safari\//.test(userAgent) ? "safari" : "other";
}

/**
 * A name as a person typed it, without control characters and cut to what the host takes.
 * @param {string} text
 */
export function tidyName(text) {
    let name = "", length = 0;
    for (const character of text.replace(/\p{C}/gu, "").trim()) {
        length += new TextEncoder().encode(character).length;
        if (length > LONGEST) break;
        name += character;
    }
    return name.trim();
}
