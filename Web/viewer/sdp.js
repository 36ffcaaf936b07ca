// The little that has to be read from a session description: whose certificate it is.

/**
 * SHA-256 of the certificate of a description. `null` where it names none, several different ones, or one by another
 * hash: then it can't be checked against what was said before.
 * @param {string} sdp
 * @returns {Uint8Array | null}
 */
export function fingerprintOf(sdp) {
    const found = new Set();
    for (const [, hash, digits] of sdp.matchAll(/^a=fingerprint:(\S+)[ \t]+(\S*)[ \t]*\r?$/gm)) {
        if (hash.toLowerCase() !== "sha-256" || !/^([0-9a-f]{2}:){31}[0-9a-f]{2}$/i.test(digits)) return null;
        found.add(digits.toLowerCase());
    }
    if (found.size !== 1) return null;
    return Uint8Array.from([...found][0].split(":"), (pair) => parseInt(pair, 16));
}
