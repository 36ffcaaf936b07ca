// A rendezvous and a host behind it, as a WebSocket that tests use in place of a browser's.

import {createCipheriv, createDecipheriv, createHash, hkdfSync} from "node:crypto";

const bigEndian = (call, type) => [type, 0, 0, 0, call];
const text = (value) => [Buffer.byteLength(value), ...Buffer.from(value)];

/** The host's end of a call: HelioRendezvous' CallSealer with the role of the host. */
export class HostSealer {
    #sent = 0;
    #opened = 0;

    constructor(secret, device, nonce = Buffer.alloc(16, 9)) { Object.assign(this, {secret, device, nonce}); }

    key(purpose, ...context) {
        const info = Buffer.concat([Buffer.from(`${purpose}\0`), this.device, ...context]);
        const bytes = Buffer.from(hkdfSync("sha256", this.secret, "heliograph call 1", info, 28));
        return {key: bytes.subarray(0, 16), salt: bytes.subarray(16)};
    }

    #parameters({key, salt}, counter, start) {
        const iv = Buffer.from(salt);
        iv[11] ^= counter;
        return {key, iv, start};
    }

    open(envelope) {
        const isFirst = this.#opened === 0, length = isFirst ? 24 : 8, start = envelope.subarray(0, length);
        if (isFirst) this.ringers = start.subarray(0, 16);
        const counter = this.#opened++;
        const keys = isFirst ? [this.key("ringer first", this.ringers)]
            : [this.key("ringer", this.ringers, this.nonce), this.key("ringer first", this.ringers)];
        for (const each of keys) {
            const {key, iv} = this.#parameters(each, counter, start), decipher = createDecipheriv("aes-128-gcm", key, iv);
            decipher.setAAD(start).setAuthTag(envelope.subarray(-16));
            const message = decipher.update(envelope.subarray(length, -16));
            try {
                decipher.final();
                return message.toString();
            } catch {
                // The other key, or none.
            }
        }
        throw new Error("not authentic");
    }

    seal(message) {
        const counter = this.#sent++, head = Buffer.from([0, 0, 0, 0, 0, 0, 0, counter]);
        const start = counter ? head : Buffer.concat([this.nonce, head]);
        const {key, iv} = this.#parameters(this.key("host", this.ringers, this.nonce), counter, start);
        const cipher = createCipheriv("aes-128-gcm", key, iv);
        cipher.setAAD(start);
        return Buffer.concat([start, cipher.update(message), cipher.final(), cipher.getAuthTag()]);
    }

    /** The token that the ringer has to show. */
    get token() {
        const info = Buffer.concat([Buffer.from("token\0"), this.device]);
        return Buffer.from(hkdfSync("sha256", this.secret, "heliograph call 1", info, 16));
    }
}

/** The frames that a server sends about the only call of a page. */
export const server = {
    challenge: (version = 1) => [65, version, ...new Uint8Array(32)],
    ringing: (call = 1) => bigEndian(call, 68),
    turn: (entries, call = 1) => [
        ...bigEndian(call, 70), 0, 0, 14, 16, entries.length,
        ...entries.flatMap(({url, username, credential}) => [...text(url), ...text(username), ...text(credential)]),
    ],
    message: (envelope, call = 1) => [...bigEndian(call, 71), ...envelope],
    hungUp: (reason, call = 1) => [...bigEndian(call, 73), reason],
    draining: () => [74, 0, 0, 0, 1],
    refused: (reason) => [75, reason],
};

/** A WebSocket to a rendezvous; `put` is what the rendezvous sends. */
export class FakeRendezvous {
    static OPEN = 1;
    readyState = 1;
    isClosed = false;
    /** The frames that the page has sent. @type {Buffer[]} */
    sent = [];

    constructor(url) { this.url = url; }

    send(frame) { this.sent.push(Buffer.from(frame)); }

    close() {
        this.readyState = 3;
        this.isClosed = true;
    }

    put(frame) { this.onmessage({data: Uint8Array.from(frame).buffer}); }

    /** The connection is lost, or the server has closed it. */
    drop() {
        this.readyState = 3;
        this.onclose({});
    }

    /** The envelopes that the page has sent. */
    get envelopes() { return this.sent.filter(([type]) => type === 5).map((frame) => frame.subarray(5)); }
    get types() { return this.sent.map(([type]) => type); }
}

/** The name of a host whose public key is `key`. */
export const deviceOf = (key) => createHash("sha256").update(key).digest().subarray(0, 16);
