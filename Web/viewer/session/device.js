// The name that this viewer uses when it asks to be admitted, by which the host's user can recognise it.

/** @type {[RegExp, string][]} */
const BROWSERS = [[/Edg\w*\//, "Edge"], [/OPR\//, "Opera"], [/SamsungBrowser\//, "Samsung Internet"],
    [/Firefox\/|FxiOS\//, "Firefox"], [/Chrome\/|CriOS\//, "Chrome"], [/Safari\//, "Safari"]];
/** @type {[RegExp, string][]} */
const SYSTEMS = [[/iPhone/, "iPhone"], [/iPad/, "iPad"], [/Android/, "Android"], [/CrOS/, "ChromeOS"],
    [/Windows/, "Windows"], [/Mac OS X/, "Mac"], [/Linux/, "Linux"]];
/** Matches the systems of phones and tablets. */
const PHONES = /iPhone|iPad|Android/;
/** The maximum size of a name in bytes of UTF-8. */
const LONGEST = 64;

/** @param {string} userAgent @returns {string} for example `Firefox on Linux` */
export function nameOf(userAgent) {
    /** @param {[RegExp, string][]} list */
    const first = (list) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
    const browser = first(BROWSERS) ?? "Browser", system = first(SYSTEMS);
    return system ? `${browser} on ${system}` : browser;
}

/** @param {string} userAgent @returns {boolean} true for a browser that reports a phone or tablet */
export function isPhone(userAgent) { return PHONES.test(userAgent); }

/**
 * Returns the browser engine, which determines the texts of warnings: all browsers on iPhone and iPad use Safari's, most others
 * Chromium's.
 * @param {string} userAgent @returns {"chromium" | "firefox" | "safari" | "other"}
 */
export function kindOf(userAgent) {
    if (/iPhone|iPad/.test(userAgent)) return "safari";
    if (/Firefox\//.test(userAgent)) return "firefox";
    if (/Chrome\//.test(userAgent)) return "chromium";
    return /Safari\//.test(userAgent) ? "safari" : "other";
}

/**
 * Removes control characters from a typed name, and shortens it to the host's limit.
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
