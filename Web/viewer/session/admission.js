// The viewer's side of the admission (docs/web/protocol.md, "Being let in"), without a socket, so that it can be tested step by
// step: its inputs are the host's messages, its outputs are actions.

import {fromBase64url, isEqual, toBase64url} from "../bytes/bytes.js";
import {bindingOf, linkProof, pairingCode, pairingCommitment} from "./proof.js";

const VERSION = 1;
const NONCE_LENGTH = 16;
const FINGERPRINT_LENGTH = 32;

/**
 * The viewer's credential.
 * @typedef {{kind: "link", secret: Uint8Array} | {kind: "ticket", secret: Uint8Array, call?: Uint8Array | null}
 *   | {kind: "device", device: string, secret: Uint8Array} | {kind: "pair", call?: Uint8Array | null} | null} Credential `null` if
 *   there is none, so that the user has to be asked; `call`: the secret for calls through a rendezvous, where that is another
 *
 * @typedef {{name: string, fingerprint: Uint8Array, pairing: boolean, system: string, servesHTTPS: boolean}} Host
 *   `system`: "linux", "macos" or another; empty if the host does not send it. `servesHTTPS`: true if this page's port also
 *   serves HTTPS
 *
 * @typedef {{do: "send", message: object} | {do: "ask", host: Host} | {do: "compare", code: string}
 *   | {do: "enter", control: boolean, iceServers: RTCIceServer[]} | {do: "end", why: import("./session.js").Ending}} Action
 *   `why`: `kind` is `refused` with a `reason` of the protocol, `impostor` (the host does not know the secret) or `violation`
 *   (the host violates the protocol)
 */
export class Admission {
    #state = "new";
    #choose;
    #random;
    #viewer;
    /** @type {Host | undefined} */
    #host;
    /** @type {Credential | undefined} */
    #credential;
    /** @type {Uint8Array} */
    #hostNonce;
    /** @type {Uint8Array} */
    #pairingNonce;

    /**
     * @param {object} options
     * @param {Uint8Array} options.fingerprint SHA-256 of the viewer's DTLS certificate
     * @param {string} options.name the viewer's name
     * @param {boolean} options.isVisit true if a pairing can be kept only while the page is open
     * @param {boolean} [options.isPhone] true for a browser on a phone or tablet
     * @param {(host: Host) => Credential} options.choose returns the credential for a host
     * @param {(count: number) => Uint8Array} options.random
     */
    constructor({fingerprint, name, isVisit, isPhone, choose, random}) {
        this.#viewer = {fingerprint, name, isVisit, isPhone, nonce: random(NONCE_LENGTH)};
        this.#choose = choose;
        this.#random = random;
    }

    /**
     * The SHA-256 of the certificate that the host's session description has to contain.
     * @returns {Uint8Array | undefined}
     */
    get hostFingerprint() { return this.#host?.fingerprint; }

    /**
     * The credential that was used.
     * @returns {Credential | undefined}
     */
    get credential() { return this.#credential; }

    /** @returns {Action[]} */
    begin() {
        this.#state = "greeting";
        const {nonce, fingerprint, name} = this.#viewer;
        return [send({
            type: "hello", version: VERSION, nonce: toBase64url(nonce), fingerprint: toBase64url(fingerprint), name,
            ...(this.#viewer.isVisit ? {visit: true} : {}),
            ...(this.#viewer.isPhone ? {phone: true} : {}),
        })];
    }

    /**
     * Handles the user's confirmation that the codes match.
     * @returns {Action[]}
     */
    confirm() {
        if (this.#state !== "comparing") return [];
        this.#state = "confirmed";
        return [send({type: "confirm"})];
    }

    /** @param {any} message @returns {Action[]} */
    receive(message) {
        switch (message.type) {
        case "welcome": return this.#state === "greeting" ? this.#welcome(message) : this.#disorder(message);
        case "pairing": return this.#state === "pairing" ? this.#compare(message) : this.#disorder(message);
        case "admitted":
            return ["joining", "confirmed"].includes(this.#state) ? this.#enter(message) : this.#disorder(message);
        case "refused": return this.#end({kind: "refused", reason: String(message.reason)});
        default: return [];
        }
    }

    /**
     * @param {any} message
     * @returns {Action[]}
     */
    #welcome({version, nonce, fingerprint, name, pairing, system, https}) {
        if (version !== VERSION) return this.#violation(`it speaks version ${version}, this page ${VERSION}`);
        const hostNonce = fromBase64url(nonce), print = fromBase64url(fingerprint);
        if (hostNonce?.length !== NONCE_LENGTH || print?.length !== FINGERPRINT_LENGTH) {
            return this.#violation("its welcome can't be read");
        }
        this.#hostNonce = hostNonce;
        /** @param {unknown} value */
        const text = (value) => (typeof value === "string" ? value : "");
        this.#host = {
            name: text(name), fingerprint: print, pairing: pairing === true, system: text(system),
            servesHTTPS: https === true,
        };
        const credential = this.#credential = this.#choose(this.#host);
        switch (credential?.kind) {
        case undefined:
            this.#state = "asking";
            return [{do: "ask", host: this.#host}];
        case "pair":
            this.#state = "pairing";
            this.#pairingNonce = this.#random(NONCE_LENGTH);
            return [send({
                type: "pair",
                commitment: toBase64url(pairingCommitment(this.#binding, this.#viewer.name, this.#pairingNonce)),
            })];
        default: {
            this.#state = "joining";
            /** @type {{type: string, proof: string, device?: string}} */
            const message = {type: "join", proof: toBase64url(this.#proof("viewer"))};
            if (credential?.kind === "device") message.device = credential.device;
            return [send(message)];
        }
        }
    }

    /**
     * @param {any} message
     * @returns {Action[]}
     */
    #compare({nonce}) {
        const hostNonce = fromBase64url(nonce);
        if (hostNonce?.length !== NONCE_LENGTH) return this.#violation("what it says about pairing can't be read");
        this.#state = "comparing";
        const code = pairingCode(this.#binding, this.#viewer.name, this.#pairingNonce, hostNonce);
        return [send({type: "reveal", nonce: toBase64url(this.#pairingNonce)}), {do: "compare", code}];
    }

    /**
     * @param {any} message
     * @returns {Action[]}
     */
    #enter({proof, control, iceServers}) {
        // After a pairing, the users have compared codes; otherwise the host has to prove that it knows the secret.
        if (this.#state === "joining") {
            const shown = fromBase64url(proof);
            if (!shown || !isEqual(shown, this.#proof("host"))) return this.#end({kind: "impostor"});
        }
        this.#state = "entered";
        return [{do: "enter", control: control === true, iceServers: Array.isArray(iceServers) ? iceServers : []}];
    }

    get #binding() {
        const {fingerprint} = /** @type {Host} */ (this.#host);
        return bindingOf(fingerprint, this.#viewer.fingerprint);
    }

    /** @param {"viewer" | "host"} role */
    #proof(role) {
        const {secret} = /** @type {{secret: Uint8Array}} */ (this.#credential);
        return linkProof(secret, role, this.#binding, this.#viewer.nonce, this.#hostNonce);
    }

    /** @param {any} message */
    #disorder({type}) { return this.#violation(`'${type}' came out of order`); }
    /** @param {string} what */
    #violation(what) { return this.#end({kind: "violation", what}); }

    /**
     * @param {import("./session.js").Ending} why
     * @returns {Action[]}
     */
    #end(why) {
        this.#state = "ended";
        return [{do: "end", why}];
    }
}

/**
 * @param {object} message
 * @returns {Action}
 */
const send = (message) => ({do: "send", message});
