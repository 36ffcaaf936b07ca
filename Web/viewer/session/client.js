// Comes to the host by whatever there is (a link's secret, this tab's ticket, a pairing), asks the person where there
// is nothing, and comes back by itself when a session is lost.

import {fromBase64url} from "../bytes/bytes.js";
import {delayBefore} from "./backoff.js";
import {canDecode, Session} from "./session.js";

/** Refusals after which the same credential is of no use any more. */
const FINAL = new Set(["wrong-proof", "link-used", "unknown-device"]);
/** Endings that time mends. */
const PASSING = new Set(["lost", "unreachable", "no-path"]);
/** Milliseconds between two looks whether a browser's decoder has come. */
export const DECODER_INTERVAL = 3000;

/**
 * @typedef {import("./admission.js").Host} Host
 *
 * @typedef {object} View what the person is shown
 * @property {(hostName: string) => void} connecting
 * @property {(host: import("./admission.js").Host | null, why: import("./session.js").Ending | null) => void} ask
 * @property {(code: string) => void} compare
 * @property {(tries: number, isWatching: boolean) => void} retrying
 * @property {(ending: import("./session.js").Ending) => void} ended for good, until the person wants more
 * @property {(host: import("./admission.js").Host | null) => void} paired
 *
 * @typedef {Omit<import("./session.js").Handlers, "choose" | "ask" | "compare" | "ended"> & {closed: () => void}} Handlers
 *   `closed` comes once for each session, behind whatever ended it: the host, the network or the person
 */
export class Client {
    /** @type {Session | null} */
    session = null;
    /**
     * The host as it last introduced itself.
     * @type {import("./admission.js").Host | null}
     */
    host = null;

    #url;
    #name;
    #isPhone;
    #keep;
    #view;
    #handlers;
    #start;
    #canDecode;
    /** @type {import("./admission.js").Credential} */
    #link = null;
    /**
     * What the person has chosen in the form: tried before all else, once.
     * @type {import("./admission.js").Credential}
     */
    #chosen = null;
    // Pairings that this host has not known: not tried again until the page is loaded anew.
    #unknown = new Set();
    #hasWatched = false;
    #tries = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #isWaiting = false;
    /** @type {import("./session.js").Ending | null} */
    #refusal = null;

    /**
     * @param {object} options
     * @param {string} options.url of the WebSocket
     * @param {string} options.name what this viewer calls itself
     * @param {boolean} [options.isPhone] whether it is the browser of a phone or tablet
     * @param {import("./keep.js").Keep} options.keep
     * @param {View} options.view
     * @param {Handlers} options.handlers of whatever session there is
     * @param {(...all: ConstructorParameters<typeof Session>) => Session} [options.start] begins a session
     * @param {() => boolean} [options.decodes] whether this browser has a decoder by now
     */
    constructor({
        url, name, isPhone = false, keep, view, handlers, start = (...all) => new Session(...all), decodes = canDecode,
    }) {
        this.#url = url;
        this.#name = name;
        this.#isPhone = isPhone;
        this.#keep = keep;
        this.#view = view;
        this.#handlers = handlers;
        this.#start = start;
        this.#canDecode = decodes;
    }

    get name() { return this.#name; }

    /** @param {Uint8Array | null} secret of the link that the page was opened by @param {boolean} hadLink */
    begin(secret, hadLink) {
        this.#link = secret && {kind: "link", secret};
        this.#choose(null);
        if (hadLink && !secret) this.#refusal = {kind: "refused", reason: "damaged-link"};
    }

    /** @param {Uint8Array} secret of a code that was typed */
    join(secret) { this.#choose({kind: "link", secret}); }

    /** @param {string} name what the host's person is to see */
    pair(name) {
        this.#name = name;
        this.#choose({kind: "pair"});
    }

    /**
     * The person says whether both codes are the same.
     * @param {boolean} areSame
     */
    confirm(areSame) {
        if (areSame) this.session?.confirm();
        else this.#stop(() => this.#ask({kind: "refused", reason: "pairing-mismatch"}));
    }

    /** Tries again at once, whatever was waited for. */
    retry() { this.#choose(null); }

    /** Something has changed that may have brought the host back: what waits to try again, tries. */
    hurry() {
        if (this.#isWaiting) this.#connect();
    }

    /** The page goes: the host hears it at once, rather than by silence. What lets this tab back in stays. */
    depart() { this.#stop(() => {}); }

    /** Leaves for good: the ticket goes too. */
    leave() {
        this.#keep.ticket = null;
        this.#hasWatched = false;
        this.#stop(() => this.#view.ended({kind: "left"}));
    }

    /**
     * Handles what is the client's of a host's message.
     * @param {any} message
     * @returns {boolean} whether it was
     */
    handle(message) {
        switch (message.type) {
        case "ticket":
            this.#keep.ticket = fromBase64url(message.ticket);
            return true;
        case "paired": {
            const secret = fromBase64url(message.secret);
            if (!secret || typeof message.device !== "string") return true;
            this.#keep.addPairing(message.device, secret, /** @type {Host} */ (this.host));
            this.#view.paired(this.host);
            return true;
        }
        default: return false;
        }
    }

    /** @param {import("./admission.js").Credential} credential */
    #choose(credential) {
        this.#chosen = credential;
        this.#refusal = null;
        this.#tries = 0;
        this.#stop(() => this.#connect());
    }

    /** @param {() => void} then */
    #stop(then) {
        clearTimeout(this.#timer);
        this.#isWaiting = false;
        const session = this.session;
        this.session = null;
        session?.leave();
        // However it ended: what the page has of it goes.
        if (session) this.#handlers.closed();
        then();
    }

    #connect() {
        clearTimeout(this.#timer);
        this.#isWaiting = false;
        if (!this.#tries) this.#view.connecting(this.host?.name ?? "");
        const viewer = {name: this.#name, isVisit: !this.#keep.keepsPairings, isPhone: this.#isPhone};
        const session = this.session = this.#start(this.#url, viewer, {
            choose: (host) => {
                this.host = host;
                return this.#credential(host);
            },
            ask: () => this.#stop(() => this.#ask(this.#refusal)),
            compare: (code) => this.#view.compare(code),
            entered: (control) => {
                // Used up: from here on the ticket counts, or the pairing.
                if (session.credential?.kind === "link") this.#link = null;
                this.#chosen = null;
                this.#handlers.entered(control);
            },
            pictureReady: this.#handlers.pictureReady,
            pictureAsked: this.#handlers.pictureAsked,
            picture: this.#handlers.picture,
            sound: this.#handlers.sound,
            soundAsked: this.#handlers.soundAsked,
            soundRefused: this.#handlers.soundRefused,
            opened: () => {
                this.#hasWatched = true;
                this.#tries = 0;
                this.#refusal = null;
                this.#handlers.opened();
            },
            transfer: this.#handlers.transfer,
            message: this.#handlers.message,
            interrupted: this.#handlers.interrupted,
            ending: this.#handlers.ending,
            ended: (ending) => { if (session === this.session) this.#ended(ending, session.credential); },
        });
    }

    /**
     * What to come by, best first: `null` where there is nothing.
     * @param {import("./admission.js").Host} host
     * @returns {import("./admission.js").Credential}
     */
    #credential(host) {
        if (this.#chosen) return this.#chosen;
        if (this.#link) return this.#link;
        // This tab's own, or that of one of this browser that has gone: the link that it came by is used.
        const ticket = this.#keep.ticket ?? this.#keep.takePlace();
        if (ticket) return {kind: "ticket", secret: ticket};
        const pairing = this.#keep.pairing(host);
        return pairing && !this.#unknown.has(pairing.device) ? {kind: "device", ...pairing} : null;
    }

    /**
     * @param {import("./session.js").Ending} ending
     * @param {import("./admission.js").Credential | undefined} credential
     */
    #ended(ending, credential) {
        this.session = null;
        this.#handlers.closed();
        if (ending.kind === "refused") {
            return credential && FINAL.has(ending.reason ?? "") ? this.#useless(credential, ending) : this.#ask(ending);
        }
        // A session that was there comes back; so does a host that was there. A first try that fails says so.
        if (PASSING.has(ending.kind) && (this.#hasWatched || this.#tries)) return this.#again();
        if (ending.kind === "bye") this.#hasWatched = false;
        this.#view.ended(ending);
        if (ending.kind === "fetching-codec") this.#awaitDecoder();
    }

    /** Begins as soon as the browser has what it decodes by. */
    #awaitDecoder() {
        this.#timer = setTimeout(() => {
            if (this.#canDecode()) this.#connect();
            else this.#awaitDecoder();
        }, DECODER_INTERVAL);
    }

    /**
     * @param {NonNullable<import("./admission.js").Credential>} credential
     * @param {import("./session.js").Ending} ending
     */
    #useless(credential, ending) {
        const wasChosen = credential === this.#chosen || credential === this.#link;
        this.#chosen = null;
        if (credential.kind === "link") this.#link = null;
        if (credential.kind === "ticket") this.#keep.ticket = null;
        if (credential.kind === "device") this.#unknown.add(credential.device);
        // A ticket that died with its host needs no words about codes.
        if (wasChosen || credential.kind === "device") this.#refusal = ending;
        else this.#refusal = this.#hasWatched ? {kind: "restarted"} : null;
        this.#connect();
    }

    #again() {
        this.#view.retrying(this.#tries, this.#hasWatched);
        this.#isWaiting = true;
        this.#timer = setTimeout(() => this.#connect(), delayBefore(this.#tries++));
    }

    /** @param {import("./session.js").Ending | null} why */
    #ask(why) {
        this.#chosen = null;
        this.#tries = 0;
        this.#refusal = null;
        this.#view.ask(this.host, why);
    }
}
