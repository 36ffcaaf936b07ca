// Inputs that must not be lost, over a channel that loses: each has a number and is sent again until the host has
// acknowledged it, so nothing waits for SCTP's own timer, which takes some tenths of a second. The host does each number
// once and in order, whichever channel brings it; so where this way is slow or shut, the reliable channel takes the same
// inputs as well.

import {utf8} from "../bytes/bytes.js";

/** Inputs, and bytes of them, that a message has at most. */
export const MOST_INPUTS = 32, MOST_BYTES = 1000;
/** Milliseconds until an input is sent again: less where the round trip is shorter, twice as many each time after. */
export const FIRST_REPEAT = 20;
const LEAST_REPEAT = 10, LAST_REPEAT = 250;
/** Milliseconds after which an input goes by the reliable channel as well. */
export const PATIENCE = 500;
/** Inputs that are kept for the host. Those past that have gone by the reliable channel, which keeps them itself. */
const CAPACITY = 256;
/** Slower echoes are made up, or of a path that no timer helps. */
const LONGEST_TRIP = 10_000;
/** A turn of the wheel that a message takes at most. */
const FARTHEST_SCROLL = 32_767;
/** Inputs on their way behind which a turn of the wheel waits for the next message: each repeats all of them. */
export const MOST_BEFORE_TURN = 8;
/** Bytes of an input that the host takes under a number. */
const LARGEST = 12_000;

/** @typedef {{message: import("./input.js").Message, size: number, at: number, isSent: boolean, isReliable: boolean}} Queued */

export class NumberedInputs {
    #send;
    #isOn = false;
    /**
     * Not acknowledged, oldest first: {message, size, at, isSent, isReliable}.
     * @type {Queued[]}
     */
    #queue = [];
    // The number of the oldest of them, or of the next.
    #first = 0;
    #sentAt = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #backoff = 1;
    /**
     * RFC 6298's: the round trip, and how much it varies.
     * @type {number | null}
     */
    #trip = null;
    #variation = 0;

    /** @param {(channel: "control" | "moves", message: import("./input.js").Message) => boolean} send whether it goes */
    constructor(send) { this.#send = send; }

    /** The host takes numbered inputs: from here on they have numbers. */
    begin() { this.#isOn = true; }

    /** The session has ended: the next one begins with number 0. */
    end() {
        clearTimeout(this.#timer);
        this.#timer = undefined;
        this.#trip = null;
        this.#isOn = false;
        this.#queue = [];
        this.#first = this.#variation = 0;
        this.#backoff = 1;
    }

    /** How many the host has not acknowledged. */
    get count() { return this.#queue.length; }

    /**
     * Sends what `Input` sends: what is reliable gets a number where the host takes numbers.
     * @param {"control" | "moves"} channel
     * @param {import("./input.js").Message} message
     * @returns {boolean} whether it goes
     */
    send(channel, message) {
        if (!this.#isOn || channel === "moves") return this.#send(channel, message);
        // That this end lives is no input. What is down is let go where that comes too late: by both ways.
        if (message.type === "alive") {
            const channels = /** @type {const} */ (["control", "moves"]);
            return channels.filter((each) => this.#send(each, message)).length > 0;
        }
        const size = sizeOf(message), isSlow = this.#isSlow;
        // The host says what it thinks of it.
        if (size > LARGEST) return this.#send(channel, message);
        if (this.#turnsOn(message)) return true;
        const entry = {message, size, at: performance.now(), isSent: false, isReliable: false};
        this.#queue.push(entry);
        this.#backoff = 1;
        // A page that is left has its timers slowed: nothing may stay down for that.
        const isUrgent = message.type === "releaseAll" || entry.size > MOST_BYTES || this.#queue.length > CAPACITY;
        // What has no room in a message waits for what is before it.
        const waits = message.type === "scroll" && this.#queue.length > MOST_BEFORE_TURN;
        const isGone = waits || !this.#window().includes(entry) || this.#transmit();
        if ((isSlow || isUrgent || !isGone) && !this.#goReliably() && !isGone) {
            this.#queue.pop();
            return false;
        }
        this.#wait();
        return true;
    }

    /**
     * The host has done all before `next`.
     * @param {{next: number, at: number}} message
     */
    done({next, at}) {
        const count = next - this.#first;
        // What was never sent it can't have done.
        if (!Number.isSafeInteger(next) || count > this.#queue.length) return;
        const trip = performance.now() - at;
        if (trip >= 0 && trip < LONGEST_TRIP) this.#measured(trip);
        if (count > 0) {
            this.#queue.splice(0, count);
            this.#first = next;
            this.#backoff = 1;
            // What had no room in a message has now.
            if (this.#window().some(({isSent}) => !isSent)) this.#transmit();
        }
        this.#wait();
    }

    /**
     * Adds a turn of the wheel to one that still waits for room.
     * @param {import("./input.js").Message} message
     * @returns {boolean} whether it could
     */
    #turnsOn({type, dx, dy}) {
        const last = this.#queue.at(-1);
        if (type !== "scroll" || last?.message.type !== "scroll" || last.isSent || last.isReliable) return false;
        const sum = {type, dx: last.message.dx + dx, dy: last.message.dy + dy};
        if (Math.max(Math.abs(sum.dx), Math.abs(sum.dy)) > FARTHEST_SCROLL) return false;
        last.message = sum;
        last.size = sizeOf(sum);
        return true;
    }

    /** Whether anything waits that the reliable channel has too: then it has what comes behind it as well. */
    get #isSlow() { return this.#queue.some(({isReliable}) => isReliable); }

    /** The oldest, as many as a message takes. */
    #window() {
        let size = 0;
        const end = this.#queue.findIndex((entry, index) => (size += entry.size) > MOST_BYTES || index === MOST_INPUTS);
        return end < 0 ? this.#queue : this.#queue.slice(0, end);
    }

    /**
     * Sends the oldest, by the channel that loses.
     * @returns {boolean} whether they went
     */
    #transmit() {
        const entries = this.#window();
        this.#sentAt = performance.now();
        if (!entries.length || !this.#send("moves", this.#message(this.#first, entries))) return false;
        for (const entry of entries) entry.isSent = true;
        return true;
    }

    /**
     * Sends by the reliable channel what it has not had yet.
     * @returns {boolean} whether it has all now
     */
    #goReliably() {
        for (let from = 0; from < this.#queue.length;) {
            if (this.#queue[from].isReliable) {
                from += 1;
                continue;
            }
            let size = this.#queue[from].size, to = from + 1;
            while (to < this.#queue.length && to - from < MOST_INPUTS) {
                size += this.#queue[to].size;
                if (size > MOST_BYTES) break;
                to += 1;
            }
            const entries = this.#queue.slice(from, to);
            if (!this.#send("control", this.#message(this.#first + from, entries))) return false;
            for (const entry of entries) entry.isReliable = true;
            from = to;
        }
        const past = Math.max(0, this.#queue.length - CAPACITY);
        this.#queue.splice(0, past);
        this.#first += past;
        return true;
    }

    /** @param {number} first @param {Queued[]} entries */
    #message(first, entries) {
        return {type: "inputs", first, list: entries.map(({message}) => message), at: Math.floor(performance.now())};
    }

    /** @param {number} trip */
    #measured(trip) {
        if (this.#trip === null) {
            this.#trip = trip;
            this.#variation = trip / 2;
        } else {
            this.#variation = (this.#variation * 3 + Math.abs(this.#trip - trip)) / 4;
            this.#trip = (this.#trip * 7 + trip) / 8;
        }
    }

    /** Milliseconds between a message and the same again. */
    get #interval() {
        const trip = this.#trip === null ? FIRST_REPEAT : this.#trip + 4 * this.#variation;
        return Math.min(Math.max(LEAST_REPEAT, Math.min(trip, FIRST_REPEAT)) * this.#backoff, LAST_REPEAT);
    }

    #wait() {
        clearTimeout(this.#timer);
        this.#timer = undefined;
        if (!this.#queue.length) return;
        const rest = this.#sentAt + this.#interval - performance.now();
        this.#timer = setTimeout(() => this.#repeat(), Math.max(0, rest));
    }

    #repeat() {
        this.#backoff *= 2;
        this.#transmit();
        if (performance.now() - this.#queue[0].at >= PATIENCE) this.#goReliably();
        this.#wait();
    }
}

/** @param {import("./input.js").Message} message */
const sizeOf = (message) => utf8(JSON.stringify(message)).length + 1;
