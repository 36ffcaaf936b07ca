// Sends inputs that must not be lost over an unreliable channel: each has a number, and is retransmitted until the host
// acknowledges it, so that nothing waits for SCTP's retransmission timer of some tenths of a second. The host executes each
// number once and in order, on whichever channel it arrives; if the unreliable channel is slow or blocked, the same inputs are
// also sent on the reliable channel.

import {utf8} from "../bytes/bytes.js";

/** The maximum number of inputs in a message, and their maximum size in bytes. */
export const MOST_INPUTS = 32, MOST_BYTES = 1000;
/** The time in milliseconds until an input is retransmitted; shorter if the round trip is shorter, and doubled each time. */
export const FIRST_REPEAT = 20;
const LEAST_REPEAT = 10, LAST_REPEAT = 250;
/** The time in milliseconds after which an input is also sent on the reliable channel. */
export const PATIENCE = 500;
/** The maximum number of unacknowledged inputs. Excess ones are sent on the reliable channel, which retransmits them itself. */
const CAPACITY = 256;
/** The maximum plausible round trip in milliseconds; larger values are ignored. */
const LONGEST_TRIP = 10_000;
/** The maximum turn of the wheel in one message, in 120ths of a notch. */
const FARTHEST_SCROLL = 32_767;
/** The number of unacknowledged inputs from which on a wheel turn waits, because each message repeats all of them. */
export const MOST_BEFORE_TURN = 8;
/** The maximum size in bytes of an input that the host accepts with a number. */
const LARGEST = 12_000;

/** @typedef {{message: import("./input.js").Message, size: number, at: number, isSent: boolean, isReliable: boolean}} Queued */

export class NumberedInputs {
    #send;
    #isOn = false;
    /**
     * The unacknowledged inputs, oldest first.
     * @type {Queued[]}
     */
    #queue = [];
    // The number of the oldest input in the queue, or of the next input.
    #first = 0;
    #sentAt = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #backoff = 1;
    /**
     * The smoothed round trip and its variation (RFC 6298), in milliseconds.
     * @type {number | null}
     */
    #trip = null;
    #variation = 0;

    /**
     * @param {(channel: "control" | "moves", message: import("./input.js").Message) => boolean} send returns false if the
     *   message could not be sent
     */
    constructor(send) { this.#send = send; }

    /** Starts to number inputs, because the host supports it. */
    begin() { this.#isOn = true; }

    /** Ends the session; the next one begins with number 0. */
    end() {
        clearTimeout(this.#timer);
        this.#timer = undefined;
        this.#trip = null;
        this.#isOn = false;
        this.#queue = [];
        this.#first = this.#variation = 0;
        this.#backoff = 1;
    }

    /** The number of unacknowledged inputs. */
    get count() { return this.#queue.length; }

    /**
     * Sends a message of `Input`. Inputs for the reliable channel are numbered if the host supports it.
     * @param {"control" | "moves"} channel
     * @param {import("./input.js").Message} message
     * @returns {boolean} false if it could not be sent
     */
    send(channel, message) {
        if (!this.#isOn || channel === "moves") return this.#send(channel, message);
        // `alive` is not an input. Send it on both channels, because the host releases all keys if it arrives too late.
        if (message.type === "alive") {
            const channels = /** @type {const} */ (["control", "moves"]);
            return channels.filter((each) => this.#send(each, message)).length > 0;
        }
        const size = sizeOf(message), isSlow = this.#isSlow;
        // Too large for a number; the host decides about it.
        if (size > LARGEST) return this.#send(channel, message);
        if (this.#turnsOn(message)) return true;
        const entry = {message, size, at: performance.now(), isSent: false, isReliable: false};
        this.#queue.push(entry);
        this.#backoff = 1;
        // Send the release of all keys reliably at once, because browsers throttle the timers of a hidden page.
        const isUrgent = message.type === "releaseAll" || entry.size > MOST_BYTES || this.#queue.length > CAPACITY;
        // A wheel turn behind many inputs waits for their acknowledgement.
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
     * Handles the acknowledgement of all inputs before `next`.
     * @param {{next: number, at: number}} message
     */
    done({next, at}) {
        const count = next - this.#first;
        // Ignore an acknowledgement of inputs that were never sent.
        if (!Number.isSafeInteger(next) || count > this.#queue.length) return;
        const trip = performance.now() - at;
        if (trip >= 0 && trip < LONGEST_TRIP) this.#measured(trip);
        if (count > 0) {
            this.#queue.splice(0, count);
            this.#first = next;
            this.#backoff = 1;
            // Send inputs that now fit into a message.
            if (this.#window().some(({isSent}) => !isSent)) this.#transmit();
        }
        this.#wait();
    }

    /**
     * Adds a wheel turn to a queued one that has not been sent.
     * @param {import("./input.js").Message} message
     * @returns {boolean} false if there is none, or the sum is too large
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

    /** True if queued inputs were also sent reliably; then new inputs are sent reliably, too. */
    get #isSlow() { return this.#queue.some(({isReliable}) => isReliable); }

    /** Returns the oldest inputs, as many as fit into a message. */
    #window() {
        let size = 0;
        const end = this.#queue.findIndex((entry, index) => (size += entry.size) > MOST_BYTES || index === MOST_INPUTS);
        return end < 0 ? this.#queue : this.#queue.slice(0, end);
    }

    /**
     * Sends the oldest inputs on the unreliable channel.
     * @returns {boolean} false if they could not be sent
     */
    #transmit() {
        const entries = this.#window();
        this.#sentAt = performance.now();
        if (!entries.length || !this.#send("moves", this.#message(this.#first, entries))) return false;
        for (const entry of entries) entry.isSent = true;
        return true;
    }

    /**
     * Sends the inputs on the reliable channel that have not been sent there.
     * @returns {boolean} true if all of them were sent
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

    /** The retransmission time-out in milliseconds. */
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
