// What is remembered, and where: a ticket for this tab, which a reload or a lost network comes back by; the same for
// this browser, for as long as the host keeps the place of who has left, so that another tab comes back when this one
// was closed or has crashed; and pairings for this browser. Each is kept for the page's origin by the browser itself.
// Where storage is forbidden, nothing is remembered and all else works.
//
// An origin of plain HTTP is no more than an address: on another network, another day, another machine may answer there,
// and its page would read what this one had stored. A pairing is good from anywhere and for long, so there it lasts as
// long as the page does and is never stored. That goes for localhost too, where any program or tunnel may listen next.
// A ticket that such a page finds is void: the host takes it for ten minutes after its viewer has left.

import {fromBase64url, isEqual, randomBytes, toBase64url} from "../bytes/bytes.js";

const TICKET = "heliograph.ticket";
const PLACES = "heliograph.places";
const PAIRINGS = "heliograph.pairings";
const SETTINGS = "heliograph.settings";
/** The most hosts that one address is remembered for. */
const PAIRING_LIMIT = 8;
/** Milliseconds for which the host keeps the place of who has left (`AdmissionDesk.placeTime`). */
export const PLACE_TIME = 600_000;
/** Milliseconds between the signs of life of a tab that has a place; without any for longer, it counts as gone. */
export const SIGN_INTERVAL = 2000, GONE_AFTER = 5000;
/** The most places that are kept: each is a tab of this browser. */
const PLACE_LIMIT = 8;

export class Keep {
    #session;
    #local;
    /** Where pairings are: what is stored, or what this page alone knows. */
    #pairings;
    #now;
    /** What this page's own place is called among those of the browser. */
    #own = toBase64url(randomBytes(9));
    #hasTaken = false;

    /**
     * @param {Storage | null} session the tab's
     * @param {Storage | null} local the browser's
     * @param {boolean} isPrivate whether nobody else can ever answer at this page's origin: it came by HTTPS
     * @param {() => number} now milliseconds by the clock that all tabs have
     */
    constructor(session, local, isPrivate, now = () => Date.now()) {
        this.#session = session;
        this.#local = local;
        this.#now = now;
        this.keepsPairings = isPrivate;
        this.#pairings = isPrivate ? local : new Visit();
        // By an older page than this one.
        if (!isPrivate) write(local, PAIRINGS, null);
        // This tab was loaded anew: its place is its own still, and no other tab's.
        const ticket = read(session, TICKET);
        this.#places = this.#places.filter((each) => each.ticket !== ticket);
    }

    /** @returns {Uint8Array | null} */
    get ticket() { return fromBase64url(read(this.#session, TICKET)); }

    set ticket(secret) {
        const ticket = secret && toBase64url(secret);
        write(this.#session, TICKET, ticket);
        const others = this.#others;
        this.#places = ticket ? [{tab: this.#own, ticket, at: this.#now(), isFree: false}, ...others] : others;
    }

    /** This tab is still there. To be called every `SIGN_INTERVAL`. */
    sign() { this.#mark(false); }

    /** This tab goes: whoever opens the page next may have its place. */
    leave() { this.#mark(true); }

    /**
     * Takes the place of a tab of this browser that was closed or has crashed, the newest: it is this tab's from now on.
     * Once for each page: each that the host does not know any more counts as a guess there.
     * @returns {Uint8Array | null} its ticket
     */
    takePlace() {
        const now = this.#now();
        const place = this.#others.find(({isFree, at}) => isFree || now - at >= GONE_AFTER);
        if (!place || this.#hasTaken) return null;
        this.#hasTaken = true;
        this.#places = this.#places.filter(({tab}) => tab !== place.tab);
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

    /** Those that the host still keeps, the newest first. */
    get #places() {
        const list = read(this.#local, PLACES), now = this.#now();
        return (Array.isArray(list) ? list : []).filter((each) => typeof each?.tab === "string"
            && fromBase64url(each.ticket) && typeof each.at === "number" && Math.abs(now - each.at) < PLACE_TIME);
    }

    set #places(list) { write(this.#local, PLACES, list.length ? list.slice(0, PLACE_LIMIT) : null); }

    /** @returns {{device: string, secret: Uint8Array, name: string, fingerprint: Uint8Array}[]} newest first */
    get pairings() {
        const list = read(this.#pairings, PAIRINGS);
        return (Array.isArray(list) ? list : []).flatMap((entry) => {
            const secret = fromBase64url(entry?.secret), fingerprint = fromBase64url(entry?.fingerprint);
            if (!secret || !fingerprint || typeof entry.device !== "string") return [];
            return [{device: entry.device, secret, name: String(entry.name ?? ""), fingerprint}];
        });
    }

    set pairings(list) {
        write(this.#pairings, PAIRINGS, list.length ? list.slice(0, PAIRING_LIMIT).map((each) => ({
            device: each.device, secret: toBase64url(each.secret), name: each.name,
            fingerprint: toBase64url(each.fingerprint),
        })) : null);
    }

    /**
     * The pairing with a host: by its certificate, else by its name, as a certificate is renewed. Using one with the
     * wrong host shows that host nothing but a proof to try 256 bits on.
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
     * What the person has chosen in the menu.
     * @returns {object}
     */
    get settings() {
        const settings = read(this.#local, SETTINGS);
        return settings && typeof settings === "object" ? settings : {};
    }

    set settings(settings) { write(this.#local, SETTINGS, settings); }

    /** Everything of this address, as if it had never been opened. */
    forgetAll() {
        this.ticket = null;
        write(this.#local, PLACES, null);
        this.pairings = [];
        write(this.#local, SETTINGS, null);
    }
}

/** A storage that goes with the page. */
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
        // Full or forbidden: not remembered.
    }
}
