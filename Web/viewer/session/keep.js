// Stores credentials in the browser, for the page's origin: a ticket for this tab, with which a reload or a lost connection
// comes back; the tickets of all of this browser's tabs, for as long as the host keeps their places, so that a new tab can take
// over from one that was closed or has crashed; and pairings. If storage is forbidden, nothing is stored, and everything else
// works.
//
// An origin over plain HTTP is only an address: another machine may have that address on another network or later, and its page
// could read the stored values. A pairing is valid from everywhere and for a long time, so over plain HTTP it is kept in the
// page's memory only. This applies to localhost too, where another program or tunnel may listen later. A ticket is less
// critical: the host accepts it for only ten minutes after its viewer has left.

import {fromBase64url, isEqual, randomBytes, toBase64url} from "../bytes/bytes.js";

const TICKET = "heliograph.ticket";
const PLACES = "heliograph.places";
const PAIRINGS = "heliograph.pairings";
const CALL = "heliograph.call";
const LAST_HOST = "heliograph.host";
const SETTINGS = "heliograph.settings";
const PICTURE = "heliograph.picture";
/** The maximum number of hosts whose pairings are stored for one address. */
const PAIRING_LIMIT = 8;
/** The time in milliseconds for which the host keeps the place of a viewer that has left (`AdmissionDesk.placeTime`). */
export const PLACE_TIME = 600_000;
/** The time in milliseconds for which the decoders' comparison is valid. */
export const COMPARISON_TIME = 7 * 86_400_000;
/**
 * The interval in milliseconds at which a tab with a place updates its entry, and the age of an entry after which the tab
 * counts as gone.
 */
export const SIGN_INTERVAL = 2000, GONE_AFTER = 5000;
/** The maximum number of stored places, one for each tab of this browser. */
const PLACE_LIMIT = 8;

export class Keep {
    /** The end of the names of what is stored for one host of several. */
    #host;
    #session;
    #local;
    /** The storage of pairings: the browser's, or the page's memory. */
    #pairings;
    #now;
    /** This page's identifier among the places of the browser. */
    #own = toBase64url(randomBytes(9));
    #hasTaken = false;

    /**
     * @param {Storage | null} session the tab's storage
     * @param {Storage | null} local the browser's storage
     * @param {boolean} isPrivate true if no other machine can have this page's origin, because it was loaded by HTTPS
     * @param {() => number} now the time in milliseconds, on a clock that all tabs share
     * @param {string} host the host's name at the rendezvous that this page comes from, where all hosts share one origin; empty
     *   for a page that comes from its host
     */
    constructor(session, local, isPrivate, now = () => Date.now(), host = "") {
        this.#host = host && `.${host}`;
        this.#session = session;
        this.#local = local;
        this.#now = now;
        this.keepsPairings = isPrivate;
        this.#pairings = isPrivate ? local : new Visit();
        // Pairings may have been stored by an older version of the page.
        if (!isPrivate) write(local, PAIRINGS + this.#host, null);
        // This tab was reloaded, so its old place must not be available to other tabs.
        const ticket = read(session, TICKET + this.#host);
        this.#places = this.#places.filter((each) => each.ticket !== ticket);
    }

    /** @returns {Uint8Array | null} */
    get ticket() { return fromBase64url(read(this.#session, TICKET + this.#host)); }

    set ticket(secret) {
        const ticket = secret && toBase64url(secret);
        write(this.#session, TICKET + this.#host, ticket);
        if (!ticket) this.call = null;
        const others = this.#others, call = this.call && {call: toBase64url(this.call)};
        this.#places = ticket ? [{tab: this.#own, ticket, at: this.#now(), isFree: false, ...call}, ...others] : others;
    }

    /**
     * The secret of the link by which this tab has come, for calls through a rendezvous: the host still takes calls by it, though
     * it admits only by the ticket. To be set before the ticket.
     * @returns {Uint8Array | null}
     */
    get call() { return fromBase64url(read(this.#session, CALL + this.#host)); }

    set call(secret) { write(this.#session, CALL + this.#host, secret && toBase64url(secret)); }

    /** Updates this tab's entry. Has to be called every `SIGN_INTERVAL`. */
    sign() { this.#mark(false); }

    /** Marks this tab's place as free for the next page. */
    leave() { this.#mark(true); }

    /**
     * Takes over the newest place of a closed or crashed tab of this browser. Only one attempt is made for each page, because
     * the host counts an unknown ticket as a guess.
     * @returns {Uint8Array | null} the place's ticket
     */
    takePlace() {
        const now = this.#now();
        const place = this.#others.find(({isFree, at}) => isFree || now - at >= GONE_AFTER);
        if (!place || this.#hasTaken) return null;
        this.#hasTaken = true;
        this.#places = this.#places.filter(({tab}) => tab !== place.tab);
        this.call = fromBase64url(place.call);
        this.ticket = fromBase64url(place.ticket);
        return this.ticket;
    }

    /** @param {boolean} isFree */
    #mark(isFree) {
        const places = this.#places, own = places.find(({tab}) => tab === this.#own);
        if (!own) return;
        this.#places = [{...own, at: this.#now(), isFree}, ...places.filter((each) => each !== own)];
    }

    get #others() { return this.#places.filter(({tab}) => tab !== this.#own); }

    /** The places that the host still keeps, newest first. */
    get #places() {
        const list = read(this.#local, PLACES + this.#host), now = this.#now();
        return (Array.isArray(list) ? list : []).filter((each) => typeof each?.tab === "string"
            && fromBase64url(each.ticket) && typeof each.at === "number" && Math.abs(now - each.at) < PLACE_TIME);
    }

    set #places(list) { write(this.#local, PLACES + this.#host, list.length ? list.slice(0, PLACE_LIMIT) : null); }

    /** @returns {{device: string, secret: Uint8Array, name: string, fingerprint: Uint8Array}[]} newest first */
    get pairings() {
        const list = read(this.#pairings, PAIRINGS + this.#host);
        return (Array.isArray(list) ? list : []).flatMap((entry) => {
            const secret = fromBase64url(entry?.secret), fingerprint = fromBase64url(entry?.fingerprint);
            if (!secret || !fingerprint || typeof entry.device !== "string") return [];
            return [{device: entry.device, secret, name: String(entry.name ?? ""), fingerprint}];
        });
    }

    set pairings(list) {
        write(this.#pairings, PAIRINGS + this.#host, list.length ? list.slice(0, PAIRING_LIMIT).map((each) => ({
            device: each.device, secret: toBase64url(each.secret), name: each.name,
            fingerprint: toBase64url(each.fingerprint),
        })) : null);
    }

    /**
     * Returns the pairing with a host: by its certificate, or else by its name, because certificates are renewed. A wrong host
     * receives only a proof from which it would have to guess 256 bits.
     * @param {import("./admission.js").Host} host
     */
    pairing(host) {
        const all = this.pairings;
        return all.find((each) => isEqual(each.fingerprint, host.fingerprint))
            ?? all.find((each) => each.name === host.name) ?? null;
    }

    /** @param {string} device @param {Uint8Array} secret @param {import("./admission.js").Host} host */
    addPairing(device, secret, host) {
        const others = this.pairings.filter((each) =>
            !isEqual(each.fingerprint, host.fingerprint) && each.name !== host.name);
        this.pairings = [{device, secret, name: host.name, fingerprint: host.fingerprint}, ...others];
    }

    /**
     * The stored settings.
     * @returns {object}
     */
    get settings() {
        const settings = read(this.#local, SETTINGS);
        return settings && typeof settings === "object" ? settings : {};
    }

    set settings(settings) { write(this.#local, SETTINGS, settings); }

    /**
     * True if the page's own decoder was faster than the browser's in this version of the browser; `null` if it is not known.
     * @returns {boolean | null}
     */
    get isOwnFaster() {
        const {isFaster, browser, at} = read(this.#local, PICTURE) ?? {};
        const isValid = browser === navigator.userAgent && Math.abs(this.#now() - at) < COMPARISON_TIME;
        return isValid && typeof isFaster === "boolean" ? isFaster : null;
    }

    set isOwnFaster(isFaster) {
        write(this.#local, PICTURE, {isFaster, browser: navigator.userAgent, at: this.#now()});
    }

    /** Deletes everything that is stored for this address. */
    forgetAll() {
        this.ticket = null;
        write(this.#local, PLACES + this.#host, null);
        this.pairings = [];
        write(this.#local, SETTINGS, null);
        write(this.#local, PICTURE, null);
    }
}

/**
 * Returns the host that this browser has last called from this origin, a rendezvous; empty if there is none.
 * @param {Storage | null} local
 */
export function lastHost(local) {
    const host = read(local, LAST_HOST);
    return typeof host === "string" ? host : "";
}

/** @param {Storage | null} local @param {string} host */
export function setLastHost(local, host) { write(local, LAST_HOST, host); }

/** A storage in the page's memory. */
class Visit {
    #entries = new Map();

    /** @param {string} name */
    getItem(name) { return this.#entries.get(name) ?? null; }
    /** @param {string} name @param {string} value */
    setItem(name, value) { this.#entries.set(name, value); }
    /** @param {string} name */
    removeItem(name) { this.#entries.delete(name); }
}

/** @param {Pick<Storage, "getItem" | "setItem" | "removeItem"> | null} storage @param {string} name */
function read(storage, name) {
    try {
        return JSON.parse(storage?.getItem(name) ?? "null");
    } catch {
        return null;
    }
}

/**
 * @param {Pick<Storage, "getItem" | "setItem" | "removeItem"> | null} storage
 * @param {string} name
 * @param {unknown} value
 */
function write(storage, name, value) {
    try {
        if (value == null) storage?.removeItem(name);
        else storage?.setItem(name, JSON.stringify(value));
    } catch {
        // The storage is full or forbidden, so the value is not stored.
    }
}
