// The proofs that both ends know a secret, and the codes that two users compare: docs/web/protocol.md, "Proofs" and "Codes".
// They are bound to both DTLS certificates, so replacing a certificate over plain HTTP invalidates them.

import {concat, utf8} from "../bytes/bytes.js";
import {hmacSha256, sha256} from "../bytes/sha256.js";

/**
 * Joins fields, each prefixed by its length as four big-endian bytes, so that different lists never give the same bytes.
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

/** @param {Uint8Array} host @param {Uint8Array} viewer the SHA-256 of the certificates */
export const bindingOf = (host, viewer) => sha256(fields("heliograph web binding 1", host, viewer));

/**
 * @param {Uint8Array} secret the secret of the link, a ticket or a pairing
 * @param {"viewer" | "host"} role the end that proves its knowledge
 * @param {Uint8Array} binding
 * @param {Uint8Array} viewerNonce
 * @param {Uint8Array} hostNonce
 */
export const linkProof = (secret, role, binding, viewerNonce, hostNonce) =>
    hmacSha256(secret, fields("heliograph link proof 1", role, binding, viewerNonce, hostNonce));

/**
 * @param {string} name the viewer's name, as in `hello`
 * @param {Uint8Array} nonce the viewer's nonce for this pairing
 * @param {Uint8Array} binding
 */
export const pairingCommitment = (binding, name, nonce) =>
    sha256(fields("heliograph pairing commitment 1", binding, name, nonce));

/**
 * Returns the code that both ends show, such as `012 345`.
 * @param {Uint8Array} binding
 * @param {string} name
 * @param {Uint8Array} nonce
 * @param {Uint8Array} hostNonce
 */
export function pairingCode(binding, name, nonce, hostNonce) {
    const digest = sha256(fields("heliograph pairing code 1", binding, name, nonce, hostNonce));
    // Compute the remainder byte by byte, because a double can't represent 64 bits.
    const code = digest.slice(0, 8).reduce((rest, byte) => (rest * 256 + byte) % 1_000_000, 0);
    return String(code).padStart(6, "0").replace(/^.{3}/, "$& ");
}
