// Signalling by a call through a rendezvous, for hosts behind a NAT. The rendezvous learns which host is called, and nothing of
// what is said: every message is sealed with the secret of the link, the ticket or the pairing (callsealer.js).

import {randomBytes, utf8} from "../bytes/bytes.js";
import {CallSealer, LONGEST_MESSAGE} from "./callsealer.js";
import {hangUpFrame, messageFrame, parseServerFrame, ringFrame, VERSION} from "./rendezvousframe.js";

/** The number of this page's only call on its connection. */
const CALL = 1;
/** The maximum number of the host's messages that wait to be opened. */
const WAITING_LIMIT = 256;

/**
 * The endings for the reasons of a call's end, by the names of rendezvousframe.js. A call that has merely ended says nothing.
 * @type {Record<string, import("./session.js").Ending | null>}
 */
const HANG_UPS = {
    "ended": null, "lost": null, "busy": {kind: "busy"}, "unreachable": {kind: "offline"},
    "not-permitted": {kind: "refused", reason: "not-permitted"}, "too-many": {kind: "busy"},
    "too-fast": {kind: "too-fast"}, "protocol-error": null,
};
/**
 * The endings for the reasons of the rendezvous' own refusals.
 * @type {Record<string, import("./session.js").Ending>}
 */
const REFUSALS = {
    "too-many": {kind: "crowded"}, "too-fast": {kind: "too-fast"}, "blocked": {kind: "blocked"},
};

export class RemoteSignalling {
    onopen = () => {};
    /** @type {import("./signalling.js").Signalling["onmessage"]} */
    onmessage = () => {};
    /** @type {import("./signalling.js").Signalling["onclose"]} */
    onclose = () => {};
    /** @type {RTCIceServer[]} */
    iceServers = [];
    #socket;
    /** @type {Uint8Array} */
    #device;
    /** @type {Promise<CallSealer>} */
    #sealer;
    #isOpen = false;
    #isEnded = false;
    #isRung = false;
    #waiting = 0;
    /** The last work on a message to send, and on one that was received: each waits for the one before. */
    #sending = Promise.resolve();
    #receiving = Promise.resolve();

    /**
     * @param {string} url of the WebSocket
     * @param {Uint8Array | null} device the host's name at the rendezvous; `null` if the link did not say it
     * @param {Uint8Array} secret
     * @param {SubtleCrypto | undefined} subtle missing over plain HTTP
     */
    constructor(url, device, secret, subtle) {
        if (!subtle || !device) {
            setTimeout(() => this.#end({kind: subtle ? "no-link" : "insecure"}), 0);
            return;
        }
        this.#device = device;
        this.#sealer = new CallSealer(subtle, device, randomBytes(16)).prepare(secret);
        const socket = this.#socket = new WebSocket(url);
        socket.binaryType = "arraybuffer";
        socket.onmessage = ({data}) => this.#heard(data);
        // Messages that came before are handled first.
        socket.onclose = () => this.#after(() => this.#end(this.#isRung ? null : {kind: "no-rendezvous"}));
    }

    /** @param {string} text */
    send(text) {
        const bytes = utf8(text);
        if (!this.#isOpen || this.#isEnded) return;
        if (bytes.length > LONGEST_MESSAGE) return this.#violation("a message is too long for it");
        this.#sending = this.#sending.then(async () => {
            const envelope = await (await this.#sealer).seal(bytes);
            if (!this.#isEnded) this.#put(messageFrame(CALL, envelope));
        }).catch(() => this.#end({kind: "impostor"}));
    }

    close() {
        this.onclose = () => {};
        this.#stop("ended");
    }

    /** @param {unknown} data */
    #heard(data) {
        if (this.#isEnded) return;
        const frame = data instanceof ArrayBuffer ? parseServerFrame(new Uint8Array(data)) : null;
        if (!frame) return this.#violation("the rendezvous' message can't be read");
        if ("call" in frame && frame.call !== CALL) return;
        switch (frame.type) {
        case "challenge":
            if (frame.version !== VERSION) return this.#violation(`the rendezvous speaks version ${frame.version}`);
            return this.#ring();
        case "turn":
            this.iceServers = frame.entries.map(({url, username, credential}) =>
                (/^turns?:/i.test(url) ? {urls: [url], username, credential} : {urls: [url]}));
            return;
        case "ringing":
            if (this.#isOpen) return;
            this.#isOpen = true;
            return this.onopen();
        case "message": return this.#open(frame.content);
        case "hungUp": return this.#after(() => this.#end(HANG_UPS[frame.reason] ?? null));
        case "refused": {
            const why = REFUSALS[frame.reason] ?? {kind: "no-rendezvous"};
            return this.#after(() => this.#end(this.#isOpen ? null : why));
        }
        // A rendezvous that is stopped ends the call; a session that has its picture by then goes on.
        case "draining": case "other": return;
        }
    }

    async #ring() {
        if (this.#isRung) return this.#violation("the rendezvous' challenge came twice");
        this.#isRung = true;
        try {
            const {token} = await this.#sealer;
            if (!this.#isEnded) this.#put(ringFrame(CALL, this.#device, token));
        } catch {
            this.#end({kind: "insecure"});
        }
    }

    /** @param {Uint8Array} envelope */
    #open(envelope) {
        if (!this.#isOpen) return this.#violation("a message came before the call");
        if (this.#waiting >= WAITING_LIMIT) return this.#violation("its messages come too fast");
        this.#waiting += 1;
        this.#receiving = this.#receiving.then(async () => {
            this.#waiting -= 1;
            if (this.#isEnded) return;
            let message;
            try {
                message = await (await this.#sealer).open(envelope);
            } catch {
                // Only who knows the secret can seal, and the rendezvous can't leave out or repeat a message unnoticed.
                return this.#end({kind: "impostor"});
            }
            if (!this.#isEnded) this.#tell(new TextDecoder().decode(message));
        });
    }

    /**
     * Passes a message on. A mistake of the receiver's is reported as any other of the page's, and says nothing about the host.
     * @param {string} text
     */
    #tell(text) {
        try {
            this.onmessage(text);
        } catch (error) {
            globalThis.reportError(error);
        }
    }

    /**
     * Acts when all messages that came before are handled.
     * @param {() => void} then
     */
    #after(then) { this.#receiving = this.#receiving.then(then); }

    /** @param {Uint8Array} frame */
    #put(frame) { if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(frame); }

    /** @param {string} what */
    #violation(what) { this.#end({kind: "violation", what}); }

    /** @param {import("./session.js").Ending | null} why */
    #end(why) {
        if (this.#isEnded) return;
        this.#stop(why?.kind === "impostor" || why?.kind === "violation" ? "protocol-error" : "ended");
        this.onclose(why);
    }

    /** @param {string} reason */
    #stop(reason) {
        if (this.#isEnded) return;
        this.#isEnded = true;
        if (this.#isRung) this.#put(hangUpFrame(CALL, reason));
        this.#socket?.close();
    }
}

/**
 * Returns the secret by which a call with this credential is made.
 * @param {import("./admission.js").Credential} credential
 * @returns {Uint8Array | null}
 */
export function callSecret(credential) {
    if (!credential) return null;
    return ("call" in credential && credential.call) || ("secret" in credential ? credential.secret : null);
}

/**
 * Meets a host at the rendezvous where this page comes from.
 * @param {string} url of the WebSocket
 * @param {Uint8Array | null} device the host's name there; `null` if nobody knows it, so that every session ends at once
 * @param {SubtleCrypto | undefined} subtle
 * @returns {import("./signalling.js").Meeting}
 */
export const meetRemotely = (url, device, subtle) => ({
    needsCredential: device !== null,
    open: (credential) => new RemoteSignalling(url, device, callSecret(credential) ?? new Uint8Array(0), subtle),
});
