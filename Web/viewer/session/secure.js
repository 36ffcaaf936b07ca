// From plain HTTP to HTTPS, where the host serves both: browsers keep some things for pages that came securely.

import {fromBase64url, toBase64url} from "../bytes/bytes.js";

/** Stands before a ticket in the fragment: no code begins so. */
const TICKET = "ticket.";
/** Bytes of one, as docs/web/protocol.md has it. */
const LENGTHS = {least: 10, most: 64};

/** @param {boolean} isSecure `isSecureContext` @param {{servesHTTPS: boolean} | null} host */
export function gainsByHTTPS(isSecure, host) { return !isSecure && host?.servesHTTPS === true; }

/**
 * This page's address by HTTPS, with what lets this viewer in there: another origin knows nothing of what this one keeps.
 * @param {string} address of this page @param {Uint8Array | null} ticket
 * @returns {string}
 */
export function secureAddress(address, ticket) {
    const url = new URL(address), port = url.port || "80";
    url.protocol = "https:";
    // The host has both at one port, which may be the usual one of the other.
    url.port = port;
    url.hash = ticket ? TICKET + toBase64url(ticket) : "";
    return url.href;
}

/**
 * The ticket that a page by HTTP has handed over.
 * @param {string} fragment @returns {Uint8Array | null}
 */
export function ticketOf(fragment) {
    if (!fragment.startsWith(TICKET)) return null;
    const ticket = fromBase64url(fragment.slice(TICKET.length));
    return ticket && LENGTHS.least <= ticket.length && ticket.length <= LENGTHS.most ? ticket : null;
}
