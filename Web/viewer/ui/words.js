// What went wrong, in words that say what to do. A reason that is not known is shown as it is.

import {fill, words} from "../language/language.js";
import {kindOf} from "../session/device.js";

/**
 * What each kind of ending is called in `words.endings`, where that is no kind itself.
 * @type {Record<string, string>}
 */
const NAMES = {"no-path": "noPath", "no-codec": "noCodec", "fetching-codec": "fetchingCodec", "no-webrtc": "noWebRTC"};

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
 * What a browser will say of a certificate that nobody vouches for, and how one gets past it.
 * @param {string} userAgent @param {string} host as the address has it
 */
export function warningFor(userAgent, host) { return fill(words.warning[kindOf(userAgent)], {host}); }
