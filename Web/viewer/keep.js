// What is remembered, and where: a ticket for this tab, which a reload or a lost network comes back by, and pairings
// for this browser. Each is kept for the page's origin by the browser itself. Where storage is forbidden, nothing is
// remembered and all else works.
//
// An origin of plain HTTP is no more than an address: on another network, another day, another machine may answer there,
// and its page would read what this one had stored. A pairing is good from anywhere and for long, so there it lasts as
// long as the page does and is never stored. That goes for localhost too, where any program or tunnel may listen next.

import {fromBase64url, isEqual, toBase64url} from "./bytes.js";

const TICKET = "heliograph.ticket";
const PAIRINGS = "heliograph.pairings";
const SETTINGS = "heliograph.settings";
/** The most hosts that one address is remembered for. */
const PAIRING_LIMIT = 8;

export class Keep {
    #session;
    #local;
    /** Where pairings are: what is stored, or what this page alone knows. */
    #pairings;

    /**
     * @param {Storage | null} session the tab's
     * @param {Storage | null} local the browser's
     * @param {boolean} isPrivate whether nobody else can ever answer at this page's origin: it came by HTTPS
     */
    constructor(session, local, isPrivate) {
        this.#session = session;
        this.#local = local;
        this.keepsPairings = isPrivate;
        this.#pairings = isPrivate ? local : new Visit();
        // By an older page than this one.
        if (!isPrivate) write(local, PAIRINGS, null);
    }

    /** @returns {Uint8Array | null} */
    get ticket() { return fromBase64url(read(this.#session, TICKET)); }
    set ticket(secret) { write(this.#session, TICKET, secret && toBase64url(secret)); }

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
     */
    pairing(host) {
        const all = this.pairings;
        return all.find((each) => isEqual(each.fingerprint, host.fingerprint))
            ?? all.find((each) => each.name === host.name) ?? null;
    }

    addPairing(device, secret, host) {
        const others = this.pairings.filter((each) =>
            !isEqual(each.fingerprint, host.fingerprint) && each.name !== host.name);
        this.pairings = [{device, secret, name: host.name, fingerprint: host.fingerprint}, ...others];
    }

    /** What the person has chosen in the menu. @returns {object} */
    get settings() {
        const settings = read(this.#local, SETTINGS);
        return settings && typeof settings === "object" ? settings : {};
    }

    set settings(settings) { write(this.#local, SETTINGS, settings); }

    /** Everything of this address, as if it had never been opened. */
    forgetAll() {
        this.ticket = null;
        this.pairings = [];
        write(this.#local, SETTINGS, null);
    }
}

/** A storage that goes with the page. */
class Visit {
    #entries = new Map();

    getItem(name) { return this.#entries.get(name) ?? null; }
    setItem(name, value) { this.#entries.set(name, value); }
    removeItem(name) { this.#entries.delete(name); }
}

function read(storage, name) {
    try {
        return JSON.parse(storage?.getItem(name) ?? "null");
    } catch {
        return null;
    }
}

function write(storage, name, value) {
    try {
        if (value == null) storage?.removeItem(name);
        else storage?.setItem(name, JSON.stringify(value));
    } catch {
        // Full or forbidden: not remembered.
    }
}
