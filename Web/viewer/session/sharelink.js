// The fragment of this page's address, which browsers never send to a server. It may contain, separated by dots:
// - the secret of the link: the code that the host shows, XXXX-XXXX-XXXX-XXXX
// - the host's name at the rendezvous that serves this page, 26 letters and digits
// - the port for Heliograph's own viewers, or the fingerprint for them, which this page does not need
// or a ticket that this page passes on to itself over HTTPS (secure.js).

import {fromBase32, toBase32} from "../bytes/base32.js";
import {ticketOf} from "./secure.js";

const SECRET_LENGTH = 10, DEVICE_LENGTH = 16, FINGERPRINT_LENGTH = 32;

/**
 * @typedef {{secret: Uint8Array | null, device: Uint8Array | null, isDamaged: boolean}} SharedLink
 *   `device`: the host's name at the rendezvous
 */

/** @param {string} fragment without `#` @returns {SharedLink} */
export function parseFragment(fragment) {
    /** @type {SharedLink} */
    const link = {secret: ticketOf(fragment), device: null, isDamaged: false};
    if (link.secret) return link;
    for (const part of fragment.split(".")) {
        if (part === "" || /^\d{1,5}$/.test(part)) continue;
        const bytes = fromBase32(part);
        if (bytes?.length === SECRET_LENGTH && !link.secret) link.secret = bytes;
        else if (bytes?.length === DEVICE_LENGTH && !link.device) link.device = bytes;
        else if (bytes?.length !== FINGERPRINT_LENGTH) link.isDamaged = true;
    }
    return link;
}

/**
 * The fragment that may stay in the address bar and the history: without the secret.
 * @param {SharedLink} link @returns {string} empty, or with its `#`
 */
export const publicFragment = ({device}) => (device ? `#${toBase32(device)}` : "");
