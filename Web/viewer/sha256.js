// SHA-256 (FIPS 180-4) and HMAC (RFC 2104). Written here because browsers give crypto.subtle to secure contexts only,
// and a host on the local network is reached by plain HTTP.

import {concat} from "./bytes.js";

const BLOCK = 64;

const fraction = (root) => (root - Math.floor(root)) * 2 ** 32 >>> 0;
const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
// The first 32 bits of the fractions of the primes' square and cube roots (section 4.2.2, 5.3.3): a double has them.
const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = primes.map((prime) => fraction(Math.cbrt(prime)));

const rotate = (word, bits) => word >>> bits | word << 32 - bits;

/** @param {Uint8Array} message @returns {Uint8Array} 32 bytes */
export function sha256(message) {
    const padded = new Uint8Array((message.length + 8 >> 6) + 1 << 6);
    padded.set(message);
    padded[message.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, message.length / 2 ** 29);
    view.setUint32(padded.length - 4, message.length << 3);

    const state = Uint32Array.from(START);
    const words = new Uint32Array(64);
    for (let at = 0; at < padded.length; at += BLOCK) {
        for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + 4 * i);
        for (let i = 16; i < 64; i++) {
            const a = words[i - 15], b = words[i - 2];
            const low = rotate(a, 7) ^ rotate(a, 18) ^ a >>> 3;
            const high = rotate(b, 17) ^ rotate(b, 19) ^ b >>> 10;
            words[i] = words[i - 16] + low + words[i - 7] + high;
        }
        let [a, b, c, d, e, f, g, h] = state;
        for (let i = 0; i < 64; i++) {
            const one = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + (e & f ^ ~e & g) + ROUNDS[i] + words[i];
            const two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + (a & b ^ a & c ^ b & c);
            [h, g, f, e, d, c, b, a] = [g, f, e, d + one | 0, c, b, a, one + two | 0];
        }
        [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] += word; });
    }
    const digest = new DataView(new ArrayBuffer(32));
    state.forEach((word, i) => digest.setUint32(4 * i, word));
    return new Uint8Array(digest.buffer);
}

/** HMAC-SHA256. @param {Uint8Array} key @param {Uint8Array} message @returns {Uint8Array} 32 bytes */
export function hmacSha256(key, message) {
    const block = new Uint8Array(BLOCK);
    block.set(key.length > BLOCK ? sha256(key) : key);
    const inner = sha256(concat(block.map((byte) => byte ^ 0x36), message));
    return sha256(concat(block.map((byte) => byte ^ 0x5c), inner));
}
