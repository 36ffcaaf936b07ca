// A browser's end of a call by a rendezvous: seals its messages and opens the host's, as HelioRendezvous' CallSealer does. The
// rendezvous, which passes them on, can't read or change them, leave one out, repeat one, or play them in another call.
//
//     first envelope  | nonce (16) | counter u64 | encrypted message | tag (16) |
//     others          | counter u64 | encrypted message | tag (16) |
//
// Keys: HKDF with SHA-256 (RFC 5869) from the secret of the link, the ticket or the pairing; encryption: AES-128-GCM. The browser's
// envelopes are under `ringer first` until it has opened the host's first one, then under `ringer`; the host's are under `host`. The
// context of `ringer first` is the device and the browser's nonce, that of `ringer` and `host` also the host's nonce.

import {concat, isEqual, utf8} from "../bytes/bytes.js";

const SALT = utf8("heliograph call 1");
const NONCE_LENGTH = 16, COUNTER_LENGTH = 8, TAG_LENGTH = 16, KEY_LENGTH = 16, TOKEN_LENGTH = 16;
/** The longest message in bytes; its envelope fits a frame. */
export const LONGEST_MESSAGE = 65_535 - NONCE_LENGTH - COUNTER_LENGTH - TAG_LENGTH;

/** @typedef {{seal: CryptoKey, open: CryptoKey, salt: Uint8Array}} DirectionKey */

export class CallSealer {
    #subtle;
    /** @type {CryptoKey} */
    #root;
    #device;
    #nonce;
    #sent = 0;
    #opened = 0;
    #hasEnded = false;
    /**
     * The key of the next envelope to seal, and that of the next to open: none before the host's nonce is known.
     * @type {DirectionKey}
     */
    #sending;
    /** @type {DirectionKey} */
    #receiving;
    /**
     * The token to ring with.
     * @type {Uint8Array}
     */
    token;

    /**
     * @param {SubtleCrypto} subtle
     * @param {Uint8Array} device the host's name at the rendezvous, 16 bytes
     * @param {Uint8Array} nonce 16 random bytes, never used before
     */
    constructor(subtle, device, nonce) {
        this.#subtle = subtle;
        this.#device = device;
        this.#nonce = nonce;
    }

    /**
     * Derives the first keys. To be called once, before everything else.
     * @param {Uint8Array} secret @returns {Promise<this>}
     */
    async prepare(secret) {
        this.#root = await this.#subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
        const context = concat(this.#device, this.#nonce);
        [this.token, this.#sending] = await Promise.all([
            this.#derive("token", this.#device, TOKEN_LENGTH), this.#key("ringer first", context),
        ]);
        return this;
    }

    /**
     * Seals the next message. Messages go out in the order of the calls, each of which waits for the one before.
     * @param {Uint8Array} message @returns {Promise<Uint8Array>}
     */
    async seal(message) {
        if (this.#hasEnded) throw new Error("ended");
        if (message.length > LONGEST_MESSAGE) throw new Error("too long");
        const counter = this.#sent++, {seal, salt} = this.#sending, head = counterBytes(counter);
        const start = counter ? head : concat(this.#nonce, head);
        const sealed = await this.#subtle.encrypt(parameters(salt, counter, start), seal, message);
        return concat(start, new Uint8Array(sealed));
    }

    /**
     * Opens the host's next envelope; each call waits for the one before. After an error, nothing more is opened or sealed.
     * @param {Uint8Array} envelope @returns {Promise<Uint8Array>}
     */
    async open(envelope) {
        if (this.#hasEnded) throw new Error("ended");
        try {
            const isFirst = this.#opened === 0, length = (isFirst ? NONCE_LENGTH : 0) + COUNTER_LENGTH;
            if (envelope.length < length + TAG_LENGTH) throw new Error("truncated");
            const start = envelope.slice(0, length), counter = this.#opened;
            // A gap or a repetition: the rendezvous has left out, repeated or exchanged an envelope.
            if (!isEqual(start.slice(-COUNTER_LENGTH), counterBytes(counter))) throw new Error("out of order");
            const next = isFirst ? await this.#keysOf(start.slice(0, NONCE_LENGTH)) : null;
            const {open, salt} = next ? next.receiving : this.#receiving;
            const message = await this.#subtle.decrypt(parameters(salt, counter, start), open, envelope.slice(length));
            // The host's nonce is authentic now.
            if (next) [this.#sending, this.#receiving] = [next.sending, next.receiving];
            this.#opened += 1;
            return new Uint8Array(message);
        } catch (error) {
            this.#hasEnded = true;
            throw error;
        }
    }

    /**
     * Derives the keys of both nonces.
     * @param {Uint8Array} hosts the host's nonce
     */
    async #keysOf(hosts) {
        const context = concat(this.#device, this.#nonce, hosts);
        const [sending, receiving] = await Promise.all([this.#key("ringer", context), this.#key("host", context)]);
        return {sending, receiving};
    }

    /**
     * @param {string} purpose @param {Uint8Array} context
     * @returns {Promise<DirectionKey>}
     */
    async #key(purpose, context) {
        const bytes = await this.#derive(purpose, context, KEY_LENGTH + 12), raw = bytes.slice(0, KEY_LENGTH);
        const [seal, open] = await Promise.all([
            this.#subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt"]),
            this.#subtle.importKey("raw", raw, "AES-GCM", false, ["decrypt"]),
        ]);
        return {seal, open, salt: bytes.slice(KEY_LENGTH)};
    }

    /**
     * @param {string} purpose @param {Uint8Array} context @param {number} count
     * @returns {Promise<Uint8Array>} `count` bytes
     */
    async #derive(purpose, context, count) {
        const info = concat(utf8(purpose), new Uint8Array(1), context);
        const bits = await this.#subtle.deriveBits({name: "HKDF", hash: "SHA-256", salt: SALT, info}, this.#root, 8 * count);
        return new Uint8Array(bits);
    }
}

/** @param {number} counter @returns {Uint8Array} eight bytes, big-endian */
function counterBytes(counter) {
    const bytes = new Uint8Array(COUNTER_LENGTH), view = new DataView(bytes.buffer);
    view.setUint32(0, Math.floor(counter / 2 ** 32));
    view.setUint32(4, counter >>> 0);
    return bytes;
}

/**
 * Returns the parameters of AES-GCM: the nonce is the salt XOR the counter, right-aligned (RFC 8446 section 5.3).
 * @param {Uint8Array} salt 12 bytes @param {number} counter @param {Uint8Array} start what is authenticated, not encrypted
 */
function parameters(salt, counter, start) {
    const iv = salt.slice();
    counterBytes(counter).forEach((byte, index) => { iv[4 + index] ^= byte; });
    return {name: "AES-GCM", iv, additionalData: start, tagLength: 8 * TAG_LENGTH};
}
