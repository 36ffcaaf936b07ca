// The little that has to be read from a session description, and changed in one.

/**
 * SHA-256 of the certificate of a description. `null` where it names none, several different ones, or one by another
 * hash: then it can't be checked against what was said before.
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
 * The description with Opus in stereo: browsers decode it to one channel where they have not asked for two.
 * @param {string} sdp @returns {string}
 */
export function withStereo(sdp) {
    const types = [...sdp.matchAll(/^a=rtpmap:(\d+) opus\/48000\/2/gim)].map(([, type]) => type);
    return types.reduce((text, type) => text.replace(
        new RegExp(`^a=fmtp:${type} (?!.*\\bstereo=).*$`, "m"), (line) => `${line};stereo=1`), sdp);
}

/**
 * The description without addresses: where the two ends are connected already, it is as good and much shorter.
 * @param {string} sdp @returns {string}
 */
export function withoutCandidates(sdp) { return sdp.replace(/^a=(candidate:|end-of-candidates).*\r?\n/gm, ""); }
