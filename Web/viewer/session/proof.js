// What shows that both ends know a secret, and the codes that two people compare: docs/web/protocol.md, "Proofs" and
// "Codes". All of it is bound to both DTLS certificates, so who swaps one in plain HTTP makes it wrong.

import {concat, utf8} from "../bytes/bytes.js";
import {hmacSha256, sha256} from "../bytes/sha256.js";

/**
 * Each behind its length in four big-endian bytes, so that no two lists of fields give the same bytes.
 * @param {(Uint8Array | string)[]} list
 */
function fields(...list) {
    return concat(...list.flatMap((field) => {
        const bytes = typeof field === "string" ? utf8(field) : field;
        const length = new Uint8Array(4);
        new DataView(length.buffer).setUint32(0, bytes.length);
        return [length, bytes];
    }));
}

/** @param {Uint8Array} host @param {Uint8Array} viewer SHA-256 of their certificates */
export const bindingOf = (host, viewer) => sha256(fields("heliograph web binding 1", host, viewer));

/**
 * @param {Uint8Array} secret of the link, a ticket or a pairing
 * @param {"viewer" | "host"} role who proves
 * @param {Uint8Array} binding
 * @param {Uint8Array} viewerNonce
 * @param {Uint8Array} hostNonce
 */
export const linkProof = (secret, role, binding, viewerNonce, hostNonce) =>
    hmacSha256(secret, fields("heliograph link proof 1", role, binding, viewerNonce, hostNonce));

/**
 * @param {string} name the viewer's, as in `hello`
 * @param {Uint8Array} nonce the viewer's for this pairing
 * @param {Uint8Array} binding
 */
export const pairingCommitment = (binding, name, nonce) =>
    sha256(fields("heliograph pairing commitment 1", binding, name, nonce));

/**
 * What both ends show, `012 345`.
 * @param {Uint8Array} binding
 * @param {string} name
 * @param {Uint8Array} nonce
 * @param {Uint8Array} hostNonce
 */
export function pairingCode(binding, name, nonce, hostNonce) {
    const digest = sha256(fields("heliograph pairing code 1", binding, name, nonce, hostNonce));
    // The remainder byte by byte: 64 bits don't fit a double.
    const code = digest.slice(0, 8).reduce((rest, byte) => (rest * 256 + byte) % 1_000_000, 0);
    return String(code).padStart(6, "0").replace(/^.{3}/, "$& ");
}
