// A file that is sent: read, hashed, and sent within the receiver's credit, like HelioTransfer's OutgoingFile.

import {concat, isEqual} from "../bytes/bytes.js";
import {Sha256} from "../bytes/sha256.js";
import {MOST_DATA} from "./filemessage.js";

/** The size of one read in bytes; hashing it blocks the page for half a millisecond. */
const READ_SIZE = 4 * MOST_DATA;
/** The distance in bytes between the positions to which hashing can return; larger than the data in flight. */
const CHECKPOINT_DISTANCE = 4 << 20;
const EMPTY = new Uint8Array(0);

export class OutgoingFile {
    /**
     * `opening`: the disk opens the file; `announcing`: the entry has to be sent; `asked`: waits for the other end's position;
     * `checking`: hashes the beginning, to compare it with the other end's; `beginning`: the start position has to be sent;
     * `sending`; `skipping`: the file can't be sent, and the other end has to be notified.
     */
    phase;
    /** The reason why the file is skipped. */
    reason = "";
    /** The position up to which the file was sent. */
    sent = 0;
    /** The bytes from `sent` on that were read but not sent. */
    #buffer = EMPTY;
    #hash = new Sha256();
    /**
     * The newest two hash states, to which hashing can return.
     * @type {Sha256[]}
     */
    #checkpoints = [];
    /**
     * The pending read; its result is discarded if `#isReadStale`.
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

    /** Announces the file again on a new channel. Data that was read but not sent is discarded, and read again. */
    announceAgain() {
        if (this.phase !== "opening" && this.phase !== "skipping") this.phase = "announcing";
        // `sent` is kept for the progress until the other end reports its position.
        this.#forget();
    }

    #forget() {
        this.#buffer = EMPTY;
        this.#isReadStale = this.#reading !== null;
    }

    /** Restarts at the beginning. */
    begin() {
        this.#forget();
        this.sent = 0;
        this.#goBack(0);
    }

    /**
     * Checks whether the other end's first `offset` bytes are the beginning of this file.
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
     * Returns the next read to make; `null` for none.
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
     * Handles the result of a read.
     * @param {Uint8Array} bytes @returns {boolean} false if it has an unexpected size
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
     * Removes and returns the next piece.
     * @param {number} count at most `bufferedBytes`
     */
    takePiece(count) {
        const piece = this.#buffer.subarray(0, count);
        this.#buffer = this.#buffer.subarray(count);
        this.sent += count;
        return piece;
    }
}
