// Reads and changes a few fields of session descriptions.

/**
 * Returns the SHA-256 of the certificate in a session description; `null` if it contains none, several different ones, or only
 * another hash, so that the certificate can't be verified.
 * @param {string} sdp
 * @returns {Uint8Array | null}
 */
export function fingerprintOf(sdp) {
    /** @type {Set<string>} */
    const found = new Set();
    for (const [, hash, digits] of sdp.matchAll(/^a=fingerprint:(\S+)[ \t]+(\S*)[ \t]*\r?$/gm)) {
        if (hash.toLowerCase() !== "sha-256" || !/^([0-9a-f]{2}:){31}[0-9a-f]{2}$/i.test(digits)) return null;
        found.add(digits.toLowerCase());
    }
    if (found.size !== 1) return null;
    return Uint8Array.from([...found][0].split(":"), (pair) => parseInt(pair, 16));
}

/**
 * Adds stereo to the description's Opus formats, because browsers decode Opus to one channel by default.
 * @param {string} sdp @returns {string}
 */
export function withStereo(sdp) {
    const types = [...sdp.matchAll(/^a=rtpmap:(\d+) opus\/48000\/2/gim)].map(([, type]) => type);
    return types.reduce((text, type) => text.replace(
        new RegExp(`^a=fmtp:${type} (?!.*\\bstereo=).*$`, "m"), (line) => `${line};stereo=1`), sdp);
}

/**
 * Removes the ICE candidates, which are not needed if both ends are connected already.
 * @param {string} sdp @returns {string}
 */
export function withoutCandidates(sdp) { return sdp.replace(/^a=(candidate:|end-of-candidates).*\r?\n/gm, ""); }
