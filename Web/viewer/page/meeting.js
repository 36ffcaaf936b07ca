// The way to the host: by this page's own server, or through the rendezvous that this page comes from.

import {fromBase32, toBase32} from "../bytes/base32.js";
import {lastHost, setLastHost} from "../session/keep.js";
import {meetRemotely} from "../session/remotesignalling.js";
import {meetLocally} from "../session/signalling.js";

/** The paths of the WebSockets: of a host, and of a rendezvous, which may be in a folder of a proxy in front of it. */
const HOST_PATH = "/signaling", RENDEZVOUS_PATH = "device";

/**
 * @param {import("../session/sharelink.js").SharedLink} link
 * @param {boolean} isAtRendezvous
 * @param {Storage | null} local the browser's storage
 * @returns {import("../session/signalling.js").Meeting & {host: string}} `host`: the host's name at the rendezvous, empty if
 *   there is none
 */
export function meet(link, isAtRendezvous, local) {
    if (!isAtRendezvous) return {...meetLocally(address(HOST_PATH)), host: ""};
    // The installed page, and one that was opened without a link, call the host of the last time.
    const device = link.device ?? (link.isDamaged || link.secret ? null : fromBase32(lastHost(local)));
    const host = device ? toBase32(device) : "";
    if (device) setLastHost(local, host);
    const {subtle} = globalThis.crypto ?? {};
    return {...meetRemotely(address(RENDEZVOUS_PATH), device?.length ? device : null, subtle), host};
}

/** @param {string} path @returns {string} a WebSocket's address at this page's server */
function address(path) {
    const url = new URL(path, location.origin + location.pathname);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    return url.href;
}
