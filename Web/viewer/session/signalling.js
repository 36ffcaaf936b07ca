// The way of a session's messages until WebRTC connects: by a WebSocket of the host itself (here), or by a call through a
// rendezvous (remotesignalling.js).

/**
 * One session's exchange of messages with the host. Its owner sets the handlers at once; none is called before the current task
 * ends, and none after `close`.
 * @typedef {object} Signalling
 * @property {() => void} onopen called once when messages can be sent
 * @property {(text: string) => void} onmessage called with each message of the host
 * @property {(why: import("./session.js").Ending | null) => void} onclose called once, after the end by the other end or the
 *   network; `why`: what to tell the user, where more is known than that nothing answers
 * @property {RTCIceServer[]} iceServers TURN servers for this session, beside those that the host names
 * @property {(text: string) => void} send does nothing while the way is not open
 * @property {() => void} close
 *
 * @typedef {import("./admission.js").Credential} Credential
 *
 * @typedef {object} Meeting the way to the host, of which each session gets a `Signalling`
 * @property {boolean} needsCredential true if the host can't be asked anything without a credential
 * @property {(credential: Credential) => Signalling} open
 */

/** Messages by a WebSocket of the host itself. */
export class LocalSignalling {
    onopen = () => {};
    /** @type {Signalling["onmessage"]} */
    onmessage = () => {};
    /** @type {Signalling["onclose"]} */
    onclose = () => {};
    /** @type {RTCIceServer[]} */
    iceServers = [];
    #socket;

    /** @param {string} url */
    constructor(url) {
        this.#socket = new WebSocket(url);
        this.#socket.onopen = () => this.onopen();
        this.#socket.onmessage = ({data}) => this.onmessage(String(data));
        this.#socket.onclose = () => this.onclose(null);
    }

    /** @param {string} text */
    send(text) { if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text); }

    close() {
        this.onclose = () => {};
        this.onmessage = () => {};
        this.#socket.close();
    }
}

/**
 * Meets the host where this page comes from.
 * @param {string} url of the WebSocket @returns {Meeting}
 */
export const meetLocally = (url) => ({needsCredential: false, open: () => new LocalSignalling(url)});
