// SHA-256 (FIPS 180-4) and HMAC (RFC 2104), implemented here because browsers provide crypto.subtle in secure contexts only,
// and hosts on the local network are often reached by plain HTTP.

import {concat} from "./bytes.js";

const BLOCK = 64;

/** @param {number} root */
const fraction = (root) => (root - Math.floor(root)) * 2 ** 32 >>> 0;
/** @type {number[]} */
const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
// The first 32 bits of the fractional parts of the primes' square and cube roots (sections 4.2.2 and 5.3.3); the precision of a
// double suffices.
const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));

/** An incremental hash: data is added piece by piece. */
export class Sha256 {
    #state = Int32Array.from(START);
    #words = new Int32Array(64);
    /** The bytes that do not fill a block yet. */
    #rest = new Uint8Array(BLOCK);
    #count = 0;

    /** @param {Uint8Array} bytes @returns {this} */
    update(bytes) {
        const used = this.#count % BLOCK;
        this.#count += bytes.length;
        let at = 0;
        if (used) {
            at = Math.min(BLOCK - used, bytes.length);
            this.#rest.set(bytes.subarray(0, at), used);
            if (used + at < BLOCK) return this;
            this.#take(this.#rest, 0, BLOCK);
        }
        const end = bytes.length - (bytes.length - at) % BLOCK;
        this.#take(bytes, at, end);
        this.#rest.set(bytes.subarray(end));
        return this;
    }

    /**
     * Returns the hash of the data so far; more data may follow.
     * @returns {Uint8Array} 32 bytes
     */
    digest() {
        const {length} = this, used = length % BLOCK, last = new Uint8Array(used < 56 ? BLOCK : 2 * BLOCK);
        last.set(this.#rest.subarray(0, used));
        last[used] = 0x80;
        const bits = new DataView(last.buffer, last.length - 8);
        bits.setUint32(0, length / 2 ** 29);
        bits.setUint32(4, length << 3);
        const copy = this.copy();
        copy.#take(last, 0, last.length);
        const digest = new DataView(new ArrayBuffer(32));
        copy.#state.forEach((word, i) => digest.setInt32(4 * i, word));
        return new Uint8Array(digest.buffer);
    }

    /** Returns an independent copy of the current state. */
    copy() {
        const copy = new Sha256();
        copy.#state.set(this.#state);
        copy.#rest.set(this.#rest);
        copy.#count = this.#count;
        return copy;
    }

    /** The number of bytes hashed so far. */
    get length() { return this.#count; }

    /**
     * Processes whole blocks. Avoids allocating arrays and closures, because all data of files passes through here.
     * @param {Uint8Array} bytes
     * @param {number} from
     * @param {number} to
     */
    #take(bytes, from, to) {
        const words = this.#words, state = this.#state;
        for (let at = from; at < to; at += BLOCK) {
            for (let i = 0, from = at; i < 16; i++, from += 4) {
                words[i] = bytes[from] << 24 | bytes[from + 1] << 16 | bytes[from + 2] << 8 | bytes[from + 3];
            }
            for (let i = 16; i < 64; i++) {
                const a = words[i - 15], b = words[i - 2];
                const low = (a >>> 7 | a << 25) ^ (a >>> 18 | a << 14) ^ a >>> 3;
                const high = (b >>> 17 | b << 15) ^ (b >>> 19 | b << 13) ^ b >>> 10;
                words[i] = words[i - 16] + low + words[i - 7] + high | 0;
            }
            let a = state[0], b = state[1], c = state[2], d = state[3];
            let e = state[4], f = state[5], g = state[6], h = state[7];
            for (let i = 0; i < 64; i++) {
                const high = (e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7);
                const one = h + high + (e & f ^ ~e & g) + ROUNDS[i] + words[i] | 0;
                const low = (a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10);
                const two = low + (a & b ^ a & c ^ b & c) | 0;
                h = g;
                g = f;
                f = e;
                e = d + one | 0;
                d = c;
                c = b;
                b = a;
                a = one + two | 0;
            }
            state[0] += a;
            state[1] += b;
            state[2] += c;
            state[3] += d;
            state[4] += e;
            state[5] += f;
            state[6] += g;
            state[7] += h;
        }
    }
}

/** @param {Uint8Array} message @returns {Uint8Array} 32 bytes */
export const sha256 = (message) => new Sha256().update(message).digest();

/**
 * Computes HMAC-SHA256.
 * @param {Uint8Array} key @param {Uint8Array} message @returns {Uint8Array} 32 bytes
 */
export function hmacSha256(key, message) {
    const block = new Uint8Array(BLOCK);
    block.set(key.length > BLOCK ? sha256(key) : key);
    const inner = sha256(concat(block.map((byte) => byte ^ 0x36), message));
    return sha256(concat(block.map((byte) => byte ^ 0x5c), inner));
}
