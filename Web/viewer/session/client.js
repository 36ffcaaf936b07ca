// Connects to the host with the best available credential (a link's secret, this tab's ticket, a pairing), asks the user if
// there is none, and reconnects when a session is lost.

import {fromBase64url} from "../bytes/bytes.js";
import {delayBefore} from "./backoff.js";
import {callSecret} from "./remotesignalling.js";
import {canDecode, Session} from "./session.js";

/** The reasons for a refusal after which the credential is useless. */
const FINAL = new Set(["wrong-proof", "link-used", "unknown-device", "not-permitted", "paired-only"]);
/**
 * The number of times in a row that "not-permitted" is taken as passing for a credential that was let in before: a rendezvous may
 * have forgotten the host, which tells it again whom it permits.
 */
const DENIALS = 2;
/** The kinds of endings after which reconnecting makes sense. */
const PASSING = new Set([
    "lost", "unreachable", "no-path", "offline", "busy", "too-fast", "crowded", "no-rendezvous",
]);
/** The interval in milliseconds between checks whether the browser's decoder is available. */
export const DECODER_INTERVAL = 3000;

/**
 * @typedef {import("./admission.js").Host} Host
 *
 * @typedef {object} View shows the state to the user
 * @property {(hostName: string) => void} connecting
 * @property {(host: import("./admission.js").Host | null, why: import("./session.js").Ending | null) => void} ask
 * @property {(code: string) => void} compare
 * @property {(tries: number, isWatching: boolean) => void} retrying
 * @property {(ending: import("./session.js").Ending) => void} ended called if there will be no further attempt unless the user
 *   requests one
 * @property {(host: import("./admission.js").Host | null) => void} paired
 *
 * @typedef {Omit<import("./session.js").Handlers, "choose" | "ask" | "compare" | "ended"> & {closed: () => void}} Handlers
 *   `closed` is called once for each session, after its end by the host, the network or the user
 */
export class Client {
    /** @type {Session | null} */
    session = null;
    /**
     * The host's last introduction.
     * @type {import("./admission.js").Host | null}
     */
    host = null;

    #meeting;
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
     * The credential that the user has entered in the form: used first, and only once.
     * @type {import("./admission.js").Credential}
     */
    #chosen = null;
    /**
     * The secret by which the host has answered a call at a rendezvous, which may let nobody in any more, but asks the host for a
     * pairing.
     * @type {Uint8Array | null}
     */
    #reached = null;
    // The pairings that this host did not know. They are not used again until the page is reloaded.
    #unknown = new Set();
    #hasWatched = false;
    #tries = 0;
    #denials = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #isWaiting = false;
    /** @type {import("./session.js").Ending | null} */
    #refusal = null;

    /**
     * @param {object} options
     * @param {import("./signalling.js").Meeting} options.meeting the way to the host
     * @param {string} options.name this viewer's name
     * @param {boolean} [options.isPhone] true for a browser on a phone or tablet
     * @param {import("./keep.js").Keep} options.keep
     * @param {View} options.view
     * @param {Handlers} options.handlers the handlers of each session
     * @param {(...all: ConstructorParameters<typeof Session>) => Session} [options.start] starts a session
     * @param {() => boolean} [options.decodes] returns true if this browser has a decoder now
     */
    constructor({
        meeting, name, isPhone = false, keep, view, handlers, start = (...all) => new Session(...all), decodes = canDecode,
    }) {
        this.#meeting = meeting;
        this.#name = name;
        this.#isPhone = isPhone;
        this.#keep = keep;
        this.#view = view;
        this.#handlers = handlers;
        this.#start = start;
        this.#canDecode = decodes;
    }

    get name() { return this.#name; }

    /** @param {Uint8Array | null} secret the secret of the link that opened the page @param {boolean} hadLink */
    begin(secret, hadLink) {
        this.#link = secret && {kind: "link", secret};
        this.#choose(null, hadLink && !secret ? {kind: "refused", reason: "damaged-link"} : null);
    }

    /** @param {Uint8Array} secret the secret of a typed code */
    join(secret) { this.#choose({kind: "link", secret}); }

    /** @param {string} name the viewer's name to show at the host */
    pair(name) {
        this.#name = name;
        this.#choose({kind: "pair", call: this.#reached});
    }

    /**
     * Handles the user's answer whether both codes match.
     * @param {boolean} areSame
     */
    confirm(areSame) {
        if (areSame) this.session?.confirm();
        else this.#stop(() => this.#ask({kind: "refused", reason: "pairing-mismatch"}));
    }

    /** Reconnects at once. */
    retry() { this.#choose(null); }

    /** Makes a waiting attempt at once, because the host may be reachable again. */
    hurry() {
        if (this.#isWaiting) this.#connect();
    }

    /** Notifies the host at once that the page is closing. The ticket is kept, so that this tab can reconnect. */
    depart() { this.#stop(() => {}); }

    /** Leaves for good, and deletes the ticket. */
    leave() {
        this.#keep.ticket = null;
        this.#hasWatched = false;
        this.#stop(() => this.#view.ended({kind: "left"}));
    }

    /**
     * Handles a message of the host that concerns the client.
     * @param {any} message
     * @returns {boolean} true if the message was handled
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

    /**
     * @param {import("./admission.js").Credential} credential
     * @param {import("./session.js").Ending | null} refusal what to tell the user if a credential has to be asked for
     */
    #choose(credential, refusal = null) {
        this.#chosen = credential;
        this.#refusal = refusal;
        this.#tries = 0;
        this.#denials = 0;
        this.#stop(() => this.#connect());
    }

    /** @param {() => void} then */
    #stop(then) {
        clearTimeout(this.#timer);
        this.#isWaiting = false;
        const session = this.session;
        this.session = null;
        session?.leave();
        // Clean up after every session, however it ended.
        if (session) this.#handlers.closed();
        then();
    }

    #connect() {
        clearTimeout(this.#timer);
        this.#isWaiting = false;
        // A rendezvous passes on no call without the token of a credential.
        const {needsCredential} = this.#meeting, credential = needsCredential ? this.#credential(null) : null;
        if (needsCredential && !credential) return this.#ask(this.#refusal);
        if (!this.#tries) this.#view.connecting(this.host?.name ?? "");
        const viewer = {name: this.#name, isVisit: !this.#keep.keepsPairings, isPhone: this.#isPhone};
        const session = this.session = this.#start(() => this.#meeting.open(credential), viewer, {
            choose: (host) => {
                this.host = host;
                if (needsCredential) this.#reached = callSecret(credential);
                return credential ?? this.#credential(host);
            },
            ask: () => this.#stop(() => this.#ask(this.#refusal)),
            compare: (code) => this.#view.compare(code),
            entered: (control) => {
                // The link is used up; from now on, the ticket or the pairing is used.
                if (session.credential?.kind === "link") {
                    this.#link = null;
                    if (needsCredential) this.#keep.call = session.credential.secret;
                }
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
                this.#denials = 0;
                this.#refusal = null;
                this.#handlers.opened();
            },
            transfer: this.#handlers.transfer,
            message: this.#handlers.message,
            interrupted: this.#handlers.interrupted,
            ending: this.#handlers.ending,
            ended: (ending) => { if (session === this.session) this.#ended(ending, session.credential ?? credential); },
        });
    }

    /**
     * Returns the best credential for a host; `null` if there is none.
     * @param {import("./admission.js").Host | null} host `null` for the only one that `keep` is about
     * @returns {import("./admission.js").Credential}
     */
    #credential(host) {
        if (this.#chosen) return this.#chosen;
        if (this.#link) return this.#link;
        // Use this tab's ticket, or the ticket of a closed tab of this browser, because a link can be used only once.
        const ticket = this.#keep.ticket ?? this.#keep.takePlace();
        if (ticket) return {kind: "ticket", secret: ticket, call: this.#keep.call};
        const pairings = host ? [this.#keep.pairing(host)] : this.#keep.pairings;
        const pairing = pairings.find((each) => each && !this.#unknown.has(each.device));
        return pairing ? {kind: "device", ...pairing} : null;
    }

    /**
     * @param {import("./session.js").Ending} ending
     * @param {import("./admission.js").Credential | undefined} credential
     */
    #ended(ending, credential) {
        this.session = null;
        this.#handlers.closed();
        if (ending.kind === "refused") {
            const wasLetIn = this.#hasWatched && credential && credential !== this.#chosen && credential !== this.#link;
            if (wasLetIn && ending.reason === "not-permitted" && this.#denials++ < DENIALS) return this.#again();
            return credential && FINAL.has(ending.reason ?? "") ? this.#useless(credential, ending) : this.#ask(ending);
        }
        // Reconnect if there was a session, or if this was a repeated attempt; show the failure of a first attempt.
        if (PASSING.has(ending.kind) && (this.#hasWatched || this.#tries)) return this.#again();
        if (ending.kind === "bye") this.#hasWatched = false;
        this.#view.ended(ending);
        if (ending.kind === "fetching-codec") this.#awaitDecoder();
    }

    /** Connects as soon as the browser's decoder is available. */
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
        if (ending.reason === "not-permitted") this.#reached = null;
        this.#chosen = null;
        this.#denials = 0;
        if (credential.kind === "link") this.#link = null;
        if (credential.kind === "ticket") this.#keep.ticket = null;
        if (credential.kind === "device") this.#unknown.add(credential.device);
        // A ticket that was lost with its host needs no message about codes.
        if (wasChosen || credential.kind === "device") this.#refusal = ending;
        else this.#refusal = this.#hasWatched ? {kind: "restarted"} : null;
        this.#connect();
    }

    #again() {
        this.#view.retrying(this.#tries, this.#hasWatched);
        this.#isWaiting = true;
        this.#timer = setTimeout(() => this.#connect(), delayBefore(this.#tries++, this.#meeting.needsCredential));
    }

    /** @param {import("./session.js").Ending | null} why */
    #ask(why) {
        this.#chosen = null;
        this.#tries = 0;
        this.#refusal = null;
        // A pairing by codes needs no credential, but at a rendezvous a way to the host.
        const hides = this.#meeting.needsCredential && !this.#reached && this.host;
        this.#view.ask(hides ? {...hides, pairing: false} : this.host, why);
    }
}
