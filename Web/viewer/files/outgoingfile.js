// A file on its way to the other end: read here, hashed, and sent as far as there is credit. As HelioTransfer's
// OutgoingFile is.

import {concat, isEqual} from "../bytes/bytes.js";
import {Sha256} from "../bytes/sha256.js";
import {MOST_DATA} from "./filemessage.js";

/** The bytes of one read: hashing them keeps the page busy for half a millisecond. */
const READ_SIZE = 4 * MOST_DATA;
/** The distance of the places to which hashing can go back, in bytes: more than can be on its way. */
const CHECKPOINT_DISTANCE = 4 << 20;
const EMPTY = new Uint8Array(0);

export class OutgoingFile {
    /**
     * `opening`: the disk opens it; `announcing`: the other end is to be told of it; `asked`: the other end says what it
     * has already; `checking`: is that the beginning of this file? `beginning`, `sending`; `skipping`: it does not come,
     * and the other end is to be told.
     */
    phase;
    /** Why it is skipped. */
    reason = "";
    /** The place up to which it is sent. */
    sent = 0;
    /** What is read and not sent: the bytes from `sent` on. */
    #buffer = EMPTY;
    #hash = new Sha256();
    /**
     * Where hashing can go back to: the newest two.
     * @type {Sha256[]}
     */
    #checkpoints = [];
    /**
     * The read that is under way, and whether it is of use yet.
     * @type {{offset: number, count: number} | null}
     */
    #reading = null;
    #isReadStale = false;
    /** @type {{offset: number, digest: Uint8Array} | null} */
    #expected = null;

    /** @param {import("./filemessage.js").FileEntry} entry @param {number | null} job `null` for a folder */
    constructor(entry, job) {
        this.entry = entry;
        this.job = job;
        this.phase = job === null ? "announcing" : "opening";
    }

    get bufferedBytes() { return this.#buffer.length; }
    get isSent() { return this.sent === this.entry.size; }
    get digest() { return this.#hash.digest(); }

    /** @param {string} reason */
    skip(reason) {
        this.phase = "skipping";
        this.reason = reason;
    }

    /** Sends it anew, on a new channel: what is read and not sent is read again. */
    announceAgain() {
        if (this.phase !== "opening" && this.phase !== "skipping") this.phase = "announcing";
        // How far it was stays to be told until the other end says where it stands.
        this.#forget();
    }

    #forget() {
        this.#buffer = EMPTY;
        this.#isReadStale = this.#reading !== null;
    }

    /** Sends from the beginning. */
    begin() {
        this.#forget();
        this.sent = 0;
        this.#goBack(0);
    }

    /**
     * Looks whether the other end has the beginning of this file.
     * @param {number} offset
     * @param {Uint8Array} digest
     */
    check(offset, digest) {
        this.#forget();
        this.#goBack(offset);
        this.phase = "checking";
        this.#expected = {offset, digest};
        this.#finishCheck();
    }

    /** @param {number} offset */
    #goBack(offset) {
        this.#checkpoints = this.#checkpoints.filter(({length}) => length <= offset);
        this.#hash = this.#checkpoints.at(-1)?.copy() ?? new Sha256();
    }

    #finishCheck() {
        if (this.#hash.length !== this.#expected?.offset) return;
        const {offset, digest} = this.#expected;
        this.phase = "beginning";
        if (isEqual(this.digest, digest)) this.sent = offset;
        else this.begin();
    }

    /**
     * The read that is to be made now.
     * @returns {{offset: number, count: number} | null}
     */
    nextRead() {
        if (this.#reading) return null;
        let end;
        if (this.phase === "checking" && this.#expected) end = this.#expected.offset;
        else if (this.phase === "beginning" || this.phase === "sending") end = this.entry.size;
        else return null;
        const offset = this.#hash.length;
        if (this.bufferedBytes >= READ_SIZE || offset >= end) return null;
        return this.#reading = {offset, count: Math.min(READ_SIZE, end - offset)};
    }

    /**
     * Takes what was read.
     * @param {Uint8Array} bytes @returns {boolean} whether that is what was asked for
     */
    took(bytes) {
        if (!this.#reading) return true;
        const {count} = this.#reading;
        this.#reading = null;
        if (this.#isReadStale) {
            this.#isReadStale = false;
            return true;
        }
        if (!bytes.length || bytes.length > count) return false;
        this.#hash.update(bytes);
        if (this.#hash.length - (this.#checkpoints.at(-1)?.length ?? 0) >= CHECKPOINT_DISTANCE) {
            this.#checkpoints = [...this.#checkpoints.slice(-1), this.#hash.copy()];
        }
        if (this.phase === "checking") this.#finishCheck();
        else this.#buffer = this.#buffer.length ? concat(this.#buffer, bytes) : bytes;
        return true;
    }

    /**
     * Cuts the next piece off.
     * @param {number} count at most `bufferedBytes`
     */
    takePiece(count) {
        const piece = this.#buffer.subarray(0, count);
        this.#buffer = this.#buffer.subarray(count);
        this.sent += count;
        return piece;
    }
}
