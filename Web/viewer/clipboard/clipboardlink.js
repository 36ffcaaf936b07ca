// Runs the clipboard's exchange on its data channel. An older host closes the channel, and then the clipboard is not shared;
// the session continues.

import {ClipboardCounts, ClipboardExchange, termsFor, WINDOW} from "./clipboardexchange.js";

/**
 * A data channel, or an object that shares a data channel.
 * @typedef {{
 *   binaryType?: string, bufferedAmountLowThreshold?: number, readonly bufferedAmount: number,
 *   onmessage: ((event: {data: any}) => void) | null, onclose: (() => void) | null,
 *   onbufferedamountlow: (() => void) | null, send: (bytes: Uint8Array) => void,
 * }} Channel
 */

/** The minimum interval, in milliseconds, between notices to the user that the host has read the clipboard. */
const READ_INTERVAL = 600_000;

export class ClipboardLink {
    counts = new ClipboardCounts();

    /**
     * Called when the other end has copied something; `entries` is empty if its offer is withdrawn.
     * @type {(entries: import("./clipboardexchange.js").Entry[]) => void}
     */
    offered = () => {};
    /**
     * Called when an offer has been sent.
     * @type {() => void}
     */
    sent = () => {};
    /**
     * Called when the host has read the content copied here: at the first read, then at most once in ten minutes.
     * @type {() => void}
     */
    wasRead = () => {};
    /**
     * Called when the permitted directions have changed.
     * @type {() => void}
     */
    changed = () => {};

    #isShared;
    /** @type {Channel | null} */
    #channel = null;
    /** @type {ClipboardExchange | null} */
    #exchange = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #before = "";
    #readTold = -Infinity;
    #pastes = new Map();
    #pasteCount = 0;

    /** @param {boolean} isShared true if the user shares the clipboard */
    constructor(isShared) { this.#isShared = isShared; }

    /** True if the host shares its clipboard. */
    get isThere() { return this.#exchange?.isTold === true; }
    get gives() { return this.#exchange?.gives === true; }
    get takes() { return this.#exchange?.takes === true; }
    /** True if content copied here has not been offered yet. */
    get isOfferDue() { return this.#exchange?.isOfferDue === true; }
    /** True if the host's copy is newer than the content copied here. */
    get isHostsNewest() { return this.#exchange?.isShown === true; }

    /** @param {boolean} isShared */
    set isShared(isShared) {
        this.#isShared = isShared;
        this.#handle({type: "terms", terms: termsFor(isShared)});
    }

    /** @param {Channel} channel an open channel */
    begin(channel) {
        this.end();
        this.#channel = channel;
        this.#exchange = new ClipboardExchange(termsFor(this.#isShared), this.counts, performance.now());
        channel.binaryType = "arraybuffer";
        channel.bufferedAmountLowThreshold = WINDOW / 2;
        channel.onbufferedamountlow = () => this.#drain();
        // Treat a text message as an empty binary message, which is invalid.
        channel.onmessage = ({data}) => {
            this.#handle({type: "received", bytes: data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array(0)});
        };
        channel.onclose = () => this.end();
        this.#drain();
    }

    end() {
        if (!this.#channel) return;
        const channel = this.#channel;
        channel.onmessage = channel.onclose = channel.onbufferedamountlow = null;
        clearTimeout(this.#timer);
        this.#channel = this.#exchange = null;
        this.#before = "";
        for (const {reject} of this.#pastes.values()) reject(new Error("gone"));
        this.#pastes.clear();
        this.offered([]);
        this.changed();
    }

    /** @param {import("./clipboardcontent.js").Contents} contents the content copied here */
    copy(contents) { this.#handle({type: "copied", contents}); }

    /**
     * Fetches content that the host offers.
     * @param {import("./transfermessage.js").Format} format
     * @param {number} [limit] the maximum size in bytes, if below the usual limit
     * @returns {{content: Promise<Uint8Array>, cancel: () => void}} `content` is rejected if the transfer fails or is
     *   cancelled
     */
    fetch(format, limit) {
        const paste = ++this.#pasteCount;
        const content = new Promise((resolve, reject) => { this.#pastes.set(paste, {resolve, reject}); });
        /** @param {string} why */
        const fail = (why) => {
            this.#pastes.get(paste)?.reject(new Error(why));
            this.#pastes.delete(paste);
        };
        if (this.#exchange) this.#handle({type: "wanted", paste, format, limit});
        else fail("gone");
        const cancel = () => {
            fail("cancelled");
            this.#handle({type: "unwanted", paste});
        };
        return {content, cancel};
    }

    /** @param {import("./clipboardexchange.js").Input} input */
    #handle(input) {
        if (!this.#exchange) return;
        this.#exchange.handle(input, performance.now());
        this.#drain();
    }

    #drain() {
        clearTimeout(this.#timer);
        // A handler that is called here may end the exchange, or begin another.
        const exchange = this.#exchange, channel = this.#channel;
        while (exchange && channel && exchange === this.#exchange) {
            exchange.handle({type: "room", bytes: WINDOW - channel.bufferedAmount}, performance.now());
            const wasDue = exchange.isOfferDue, {transfersSent} = this.counts, output = exchange.poll();
            if (!output) break;
            if (output.type === "send") {
                this.#send(channel, output.bytes, wasDue && !exchange.isOfferDue);
                if (this.counts.transfersSent > transfersSent) this.#tellOfReading();
            }
            else if (output.type === "offer") this.offered(output.entries);
            else this.#provide(output);
        }
        if (!exchange || exchange !== this.#exchange) return;
        const {deadline, isTold, gives, takes} = exchange, now = performance.now();
        if (deadline !== null) this.#timer = setTimeout(() => this.#tick(), Math.max(0, deadline - now));
        const state = `${isTold} ${gives} ${takes}`;
        if (state === this.#before) return;
        this.#before = state;
        this.changed();
    }

    /** @param {Channel} channel @param {Uint8Array} bytes @param {boolean} isOffer */
    #send(channel, bytes, isOffer) {
        try {
            channel.send(bytes);
        } catch {
            // The channel is closed or its buffer is full.
            return this.end();
        }
        if (isOffer) this.sent();
    }

    #tellOfReading() {
        const now = performance.now();
        if (now < this.#readTold + READ_INTERVAL) return;
        this.#readTold = now;
        this.wasRead();
    }

    /** @param {{paste: number, bytes?: Uint8Array, failure?: string}} answer */
    #provide({paste, bytes, failure}) {
        const wanted = this.#pastes.get(paste);
        this.#pastes.delete(paste);
        if (bytes) wanted?.resolve(bytes);
        else wanted?.reject(new Error(failure));
    }

    #tick() {
        this.#exchange?.tick(performance.now());
        this.#drain();
    }
}
