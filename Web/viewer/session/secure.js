// The switch from plain HTTP to HTTPS if the host serves both, because browsers reserve some features to secure pages.

import {fromBase64url, toBase64url} from "../bytes/bytes.js";

/** The prefix of a ticket in the fragment; no code begins with it. */
const TICKET = "ticket.";
/** The permitted sizes of a ticket in bytes, as in docs/web/protocol.md. */
const LENGTHS = {least: 10, most: 64};

/** @param {boolean} isSecure `isSecureContext` @param {{servesHTTPS: boolean} | null} host */
export function gainsByHTTPS(isSecure, host) { return !isSecure && host?.servesHTTPS === true; }

/**
 * Returns this page's address over HTTPS with this viewer's ticket, because the page over HTTPS has another origin and storage.
 * @param {string} address this page's address @param {Uint8Array | null} ticket
 * @returns {string}
 */
export function secureAddress(address, ticket) {
    const url = new URL(address), port = url.port || "80";
    url.protocol = "https:";
    // The host serves both at the same port, which may be the default port of HTTP.
    url.port = port;
    url.hash = ticket ? TICKET + toBase64url(ticket) : "";
    return url.href;
}

/**
 * Returns the ticket that a page over HTTP has passed along.
 * @param {string} fragment @returns {Uint8Array | null}
 */
export function ticketOf(fragment) {
    if (!fragment.startsWith(TICKET)) return null;
    const ticket = fromBase64url(fragment.slice(TICKET.length));
    return ticket && LENGTHS.least <= ticket.length && ticket.length <= LENGTHS.most ? ticket : null;
}
