// Texts for errors, with advice. An unknown reason is shown as it is.

import {fill, words} from "../language/language.js";
import {kindOf} from "../session/device.js";

/**
 * The keys in `words.endings` of kinds whose name is not a key itself.
 * @type {Record<string, string>}
 */
const NAMES = {
    "no-path": "noPath", "no-codec": "noCodec", "fetching-codec": "fetchingCodec", "no-webrtc": "noWebRTC", "too-fast": "tooFast",
    "no-rendezvous": "noRendezvous", "no-link": "noLink",
};

/**
 * @param {import("../session/session.js").Ending} ending
 * @returns {{title: string, text: string}}
 */
export function wordsFor({kind, reason = "", what = ""}) {
    /** @type {Record<string, string>} */
    const endings = words.endings;
    const given = NAMES[kind] ?? kind;
    const name = Object.hasOwn(endings, given) ? given : "left";
    /** @type {Record<string, string> | undefined} */
    const known = kind === "refused" ? words.refusals : kind === "bye" ? words.byes : undefined;
    const text = known && Object.hasOwn(known, reason) ? known[reason] : fill(endings[`${name}Text`], {reason, what});
    return {title: endings[name], text};
}

/**
 * Returns the text about a browser's warning of an unverifiable certificate, and how to proceed.
 * @param {string} userAgent @param {string} host the host in the address
 */
export function warningFor(userAgent, host) { return fill(words.warning[kindOf(userAgent)], {host}); }
