// The clipboard's exchange on its data channel, for as long as there is one: an older host closes it, and then there is
// no clipboard. Its end ends nothing else.

import {ClipboardCounts, ClipboardExchange, termsFor, WINDOW} from "./clipboardexchange.js";

/**
 * A data channel, or a part of one.
 * @typedef {{
 *   binaryType?: string, bufferedAmountLowThreshold?: number, readonly bufferedAmount: number,
 *   onmessage: ((event: {data: any}) => void) | null, onclose: (() => void) | null,
 *   onbufferedamountlow: (() => void) | null, send: (bytes: Uint8Array) => void,
 * }} Channel
 */

/** Milliseconds in which the person is told once, at most, that the host has read what was copied here. */
const READ_INTERVAL = 600_000;

export class ClipboardLink {
    counts = new ClipboardCounts();

    /**
     * The other end has copied this: no entries, and it has nothing any longer.
     * @type {(entries: import("./clipboardexchange.js").Entry[]) => void}
     */
    offered = () => {};
    /**
     * An offer of this end is on its way.
     * @type {() => void}
     */
    sent = () => {};
    /**
     * The host has read what was copied here. It is told at the first time, and then once in ten minutes.
     * @type {() => void}
     */
    wasRead = () => {};
    /**
     * What may go has changed.
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

    /** @param {boolean} isShared whether the person shares the clipboard */
    constructor(isShared) { this.#isShared = isShared; }

    /** Whether the host has a clipboard to share. */
    get isThere() { return this.#exchange?.isTold === true; }
    get gives() { return this.#exchange?.gives === true; }
    get takes() { return this.#exchange?.takes === true; }
    /** Whether what is copied here has still to be offered. */
    get isOfferDue() { return this.#exchange?.isOfferDue === true; }
    /** Whether what the host has is newer than what was copied here. */
    get isHostsNewest() { return this.#exchange?.isShown === true; }

    /** @param {boolean} isShared */
    set isShared(isShared) {
        this.#isShared = isShared;
        this.#handle({type: "terms", terms: termsFor(isShared)});
    }

    /** @param {Channel} channel that is open */
    begin(channel) {
        this.end();
        this.#channel = channel;
        this.#exchange = new ClipboardExchange(termsFor(this.#isShared), this.counts, performance.now());
        channel.binaryType = "arraybuffer";
        channel.bufferedAmountLowThreshold = WINDOW / 2;
        channel.onbufferedamountlow = () => this.#drain();
        // Text is no message, as nothing is none.
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

    /** @param {import("./clipboardcontent.js").Contents} contents what was copied here */
    copy(contents) { this.#handle({type: "copied", contents}); }

    /**
     * Fetches what the host has copied.
     * @param {import("./transfermessage.js").Format} format
     * @param {number} [limit] the most bytes, where that is less than usual
     * @returns {{content: Promise<Uint8Array>, cancel: () => void}} it fails where nothing comes, and once it is cancelled
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
        // What is told of here may end it, or begin another.
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
            // It has closed, or takes no more.
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
