// One end of a clipboard's exchange over the data channel `transfer`: offers content that was copied here, and requests content
// that the other end offers. Uses no DOM, clock or timers, like HelioTransfer's ClipboardExchange, the host's end.
//
// Only the newest offer is valid. Content is sent in small pieces, as fast as the channel accepts them and the receiver gives
// credit. Each transfer has a size limit, and has to make progress in a limited time. All queues are bounded. Unlike the host,
// a page has the whole content when it offers it, and reads nothing later.

import {concat} from "../bytes/bytes.js";
import {accepted, isAlike, isIdentical} from "./clipboardcontent.js";
import {FORMATS, MOST_DATA, NOTHING, parse, serialise, sizeOf} from "./transfermessage.js";

/** The maximum size of one content, in bytes. */
export const CONTENT_LIMIT = 16 << 20;
/** The maximum number of bytes in flight: in the channel, and of each transfer. Input is queued behind up to as many bytes. */
export const WINDOW = 65536;

/**
 * The maximum number of concurrent transfers in each direction, and the maximum number of content bytes held for all transfers.
 */
const TRANSFERS = 4, BUFFERED = 32 << 20;
/** The times in milliseconds after which a transfer fails: without progress, and in total. */
const PATIENCE = 15_000, LONGEST = 600_000;
/** The minimum interval between offers in each direction, in milliseconds. Of more frequent offers, only the newest is used. */
const OFFER_INTERVAL = 100;
/** The maximum number of refusals and cancellations that wait for the channel. */
const ANSWERS = 64;
/** The minimum size of a piece in bytes, unless it is the last piece or the credit allows no more. */
const LEAST_PIECE = 1024;

/** Counters of a clipboard, without any content. `drops` maps a reason to a count. */
export class ClipboardCounts {
    offersSent = 0;
    offersReceived = 0;
    transfersSent = 0;
    bytesSent = 0;
    transfersReceived = 0;
    bytesReceived = 0;
    /** @type {Map<string, number>} */
    drops = new Map();

    /** @param {string} name @param {number} count */
    drop(name, count = 1) { if (count) this.drops.set(name, (this.drops.get(name) ?? 0) + count); }
}

/**
 * @typedef {import("./transfermessage.js").TransferMessage} Message
 *
 * @typedef {{format: import("./transfermessage.js").Format, size: number | null}} Entry `size` is `null` if unknown
 *
 * @typedef {{maySend: boolean, mayReceive: boolean, mostBytes: number}} Terms
 *
 * @typedef {{type: "terms", terms: Terms} | {type: "copied", contents: import("./clipboardcontent.js").Contents}
 *   | {type: "wanted", paste: number, format: import("./transfermessage.js").Format, limit?: number}
 *   | {type: "unwanted", paste: number}
 *   | {type: "received", bytes: Uint8Array} | {type: "room", bytes: number}} Input
 *
 * Transfers to and from the other end.
 * @typedef {{id: number, content: Uint8Array, sent: number, credit: number, begun: number, progress: number}} Outgoing
 *
 * @typedef {{id: number, paste: number, format: import("./transfermessage.js").Format, serial: number, limit: number,
 *   begun: number, progress: number, isRequested: boolean, content: Uint8Array, count: number, credit: number,
 *   isCreditDue: boolean}} Incoming
 *
 * `offer`: the formats that the other end offers; empty if its offer is withdrawn. `provide`: the result for `wanted`.
 * @typedef {{type: "send", bytes: Uint8Array} | {type: "offer", entries: Entry[]}
 *   | {type: "provide", paste: number, bytes?: Uint8Array, failure?: string}} Output
 */
const TERMS = /** @type {const} */ (["maySend", "mayReceive", "mostBytes"]);

export class ClipboardExchange {
    #terms;
    #counts;
    #now;
    /** @type {Terms | null} */
    #peerTerms = null;
    #areTermsDue = true;
    #room = 0;
    /** @type {Output[]} */
    #outputs = [];
    /** @type {Message[]} */
    #answers = [];

    // Sending
    /**
     * The content that was copied here; `null` if there is none, or if the other end's copy is newer.
     * @type {import("./clipboardcontent.js").Contents | null}
     */
    #local = null;
    #serial = 0;
    #isOfferDue = false;
    #nextOffer;
    /** @type {Outgoing[]} */
    #outgoing = [];
    /**
     * The content that was received from the other end's newest offer.
     * @type {import("./clipboardcontent.js").Contents}
     */
    #given = new Map();

    /**
     * Receiving: the other end's newest offer.
     * @type {{serial: number, entries: Entry[]} | null}
     */
    #offer = null;
    #isShown = false;
    #isShowDue = false;
    #nextShow;
    /** @type {Incoming[]} */
    #incoming = [];
    #nextTransfer = 1;

    /** @param {Terms} terms @param {ClipboardCounts} counts @param {number} now in milliseconds */
    constructor(terms, counts, now) {
        this.#terms = terms;
        this.#counts = counts;
        this.#now = this.#nextOffer = this.#nextShow = now;
    }

    /** True if the other end has sent its terms. */
    get isTold() { return this.#peerTerms !== null; }
    /** True if content copied here may be sent to the other end. */
    get gives() { return this.#terms.maySend && this.#peerTerms?.mayReceive === true; }
    /** True if content copied at the other end may be fetched. */
    get takes() { return this.#terms.mayReceive && this.#peerTerms?.maySend === true; }
    /** The maximum size of one content in bytes, the smaller one of both ends' limits. */
    get limit() { return Math.min(this.#terms.mostBytes, this.#peerTerms?.mostBytes ?? 0); }
    /** True if an offer waits for its interval or for the channel. */
    get isOfferDue() { return this.#isOfferDue; }
    /** True if the other end's copy is the newest. */
    get isShown() { return this.#isShown; }
    /** The number of content bytes held for transfers. */
    get bufferedBytes() { return sum(this.#outgoing, "content") + sum(this.#incoming, "count"); }

    /** @param {Input} input @param {number} now */
    handle(input, now) {
        this.#now = now;
        switch (input.type) {
        case "terms":
            if (TERMS.every((name) => input.terms[name] === this.#terms[name])) break;
            this.#areTermsDue = true;
            this.#change(() => { this.#terms = input.terms; });
            break;
        case "copied": this.#copied(input.contents); break;
        case "wanted": this.#wanted(input); break;
        case "unwanted": this.#unwanted(input.paste); break;
        case "received": this.#received(input.bytes); break;
        case "room": this.#room = Math.min(Math.max(0, input.bytes), WINDOW); break;
        }
        this.#showIfDue();
    }

    /**
     * Handles expired deadlines.
     * @param {number} now
     */
    tick(now) {
        this.#now = now;
        for (const transfer of [...this.#outgoing]) {
            if (overdue(transfer) > now) continue;
            this.#counts.drop("clipboard-timed-out");
            this.#end(transfer, "failed");
        }
        for (const transfer of [...this.#incoming]) {
            if (overdue(transfer) <= now) this.#fail(transfer, "timed-out", "clipboard-timed-out");
        }
        this.#showIfDue();
    }

    /**
     * Returns the next output, with outputs for the page before messages to the other end, which the channel's free space
     * limits.
     * @returns {?Output}
     */
    poll() {
        const output = this.#outputs.shift();
        if (output) return output;
        const message = this.#nextMessage();
        if (!message) return null;
        this.#room -= sizeOf(message);
        return {type: "send", bytes: serialise(message)};
    }

    /** The time of the next necessary call of `tick` or `poll`; `null` for none. */
    get deadline() {
        const all = [...this.#outgoing, ...this.#incoming].map(overdue);
        if (this.#isShowDue) all.push(this.#nextShow);
        if (this.#isOfferDue && this.#nextOffer > this.#now) all.push(this.#nextOffer);
        return all.length ? Math.min(...all) : null;
    }

    // Terms

    /**
     * Changes the terms of one end, and handles the consequences.
     * @param {() => void} change
     */
    #change(change) {
        const {gives: gave, takes: took, limit} = this;
        change();
        if (this.gives) {
            // Offer again, because another set of formats may be within the limit.
            if (this.#local && (!gave || this.limit !== limit)) this.#isOfferDue = true;
        } else if (gave) {
            this.#isOfferDue = false;
            for (const transfer of [...this.#outgoing]) {
                this.#counts.drop("clipboard-revoked");
                this.#end(transfer, "not-allowed");
            }
        }
        if (took && !this.takes) {
            for (const transfer of [...this.#incoming]) this.#fail(transfer, "not-allowed", "clipboard-revoked");
            this.#offer = null;
            this.#isShowDue = false;
            this.#takeBack();
        }
    }

    // Local copies

    /** @param {import("./clipboardcontent.js").Contents} contents */
    #copied(contents) {
        if (this.#isEcho(contents)) return this.#counts.drop("clipboard-echo");
        // The same content is already the newest copy, and the other end has not copied since.
        const isNewest = !this.#isShown && !this.#isShowDue && this.takes;
        if (this.#local && isNewest && isIdentical(contents, this.#local)) return;
        this.#isShown = false;
        if (this.#isShowDue) this.#counts.drop("clipboard-offer-replaced");
        if (this.#isOfferDue) this.#counts.drop("clipboard-offer-replaced");
        this.#isShowDue = false;
        this.#given.clear();
        // A new serial number, so that requests for an earlier offer are refused.
        this.#serial = (this.#serial + 1) >>> 0;
        this.#local = contents;
        this.#isOfferDue = this.gives;
    }

    /**
     * True if the content is the other end's copy, which was written to this machine's clipboard and must not be offered back.
     * @param {import("./clipboardcontent.js").Contents} contents
     */
    #isEcho(contents) { return this.#isShown && !this.#isShowDue && isAlike(contents, this.#given); }

    /**
     * Makes the offer to send, without the formats that exceed the limit.
     * @returns {Message}
     */
    #makeOffer() {
        const entries = FORMATS.flatMap((format) => {
            const size = this.#local?.get(format)?.length;
            return size === undefined ? [] : [{format, size}];
        });
        const fitting = entries.filter(({size}) => size <= this.limit);
        this.#counts.drop("clipboard-format-too-large", entries.length - fitting.length);
        return {type: "offer", serial: this.#serial, entries: fitting};
    }

    /** @param {Message & {type: "request"}} message */
    #requested({id, serial, format}) {
        if (this.#outgoing.some((transfer) => transfer.id === id)) return this.#counts.drop("clipboard-request-twice");
        if (!this.gives) return this.#refuse(id, "not-allowed", "clipboard-request-not-allowed");
        const content = serial === this.#serial && this.#local?.get(format);
        if (!content) return this.#refuse(id, "gone", "clipboard-request-gone");
        if (this.#outgoing.length >= TRANSFERS) return this.#refuse(id, "busy", "clipboard-request-busy");
        if (content.length > this.limit) return this.#refuse(id, "too-large", "clipboard-too-large");
        const ready = accepted(content, format);
        if (!ready) return this.#refuse(id, "failed", "clipboard-invalid");
        if (sum(this.#outgoing, "content") + ready.length > BUFFERED) {
            return this.#refuse(id, "busy", "clipboard-no-room");
        }
        this.#outgoing.push({id, content: ready, sent: 0, credit: 0, begun: this.#now, progress: this.#now});
    }

    /** @param {number} id @param {string} reason @param {string} drop */
    #refuse(id, reason, drop) {
        this.#counts.drop(drop);
        this.#answer({type: "refuse", id, reason});
    }

    /** @param {Message & {type: "credit"}} message */
    #credited({id, total}) {
        const transfer = this.#outgoing.find((each) => each.id === id);
        if (!transfer) return this.#counts.drop("clipboard-late-answer");
        if (total < transfer.credit) return this.#counts.drop("clipboard-credit-went-back");
        if (total === transfer.credit) return;
        transfer.credit = total;
        transfer.progress = this.#now;
    }

    /** @param {number} id */
    #cancelled(id) {
        const transfer = this.#outgoing.find((each) => each.id === id);
        this.#counts.drop(transfer ? "clipboard-cancelled" : "clipboard-late-answer");
        if (transfer) remove(this.#outgoing, transfer);
    }

    /**
     * Ends a transfer, and notifies the other end.
     * @param {Outgoing} transfer
     * @param {string} reason
     */
    #end(transfer, reason) {
        remove(this.#outgoing, transfer);
        this.#answer({type: "refuse", id: transfer.id, reason});
    }

    /**
     * Returns the next piece of content that fits into the channel. Transfers alternate.
     * @returns {Message | null}
     */
    #nextPiece() {
        const space = this.#room - sizeOf({type: "data", bytes: new Uint8Array(0)});
        for (const transfer of this.#outgoing) {
            const {id, content, sent, credit} = transfer;
            const size = Math.min(content.length - sent, credit - sent, MOST_DATA);
            if (size <= 0 && content.length) continue;
            if (space < Math.min(size, LEAST_PIECE)) continue;
            const bytes = content.subarray(sent, sent + Math.min(size, space));
            transfer.sent += bytes.length;
            transfer.progress = this.#now;
            this.#counts.bytesSent += bytes.length;
            remove(this.#outgoing, transfer);
            const isLast = transfer.sent === content.length;
            if (isLast) this.#counts.transfersSent++;
            else this.#outgoing.push(transfer);
            return {type: "data", id, isLast, bytes};
        }
        return null;
    }

    // Copies at the other end

    /** @param {Message & {type: "offer"}} message */
    #offered({serial, entries}) {
        if (!this.takes) return this.#counts.drop("clipboard-offer-not-allowed");
        this.#counts.offersReceived++;
        if (this.#isShowDue) this.#counts.drop("clipboard-offer-replaced");
        const fitting = entries.filter(({size}) => (size ?? 0) <= this.limit);
        this.#counts.drop("clipboard-format-too-large", entries.length - fitting.length);
        this.#offer = {serial, entries: fitting};
        this.#isShowDue = true;
        this.#given.clear();
    }

    /** Reports the other end's newest offer to the page, at most once per `OFFER_INTERVAL`. */
    #showIfDue() {
        if (!this.#isShowDue || this.#now < this.#nextShow) return;
        this.#isShowDue = false;
        this.#nextShow = this.#now + OFFER_INTERVAL;
        const entries = this.#offer?.entries ?? [];
        if (!entries.length) return this.#takeBack();
        // The offer replaces the content copied here before.
        this.#local = null;
        this.#isOfferDue = false;
        this.#isShown = true;
        this.#outputs.push({type: "offer", entries});
    }

    #takeBack() {
        if (!this.#isShown) return;
        this.#isShown = false;
        this.#outputs.push({type: "offer", entries: []});
    }

    /** @param {Input & {type: "wanted"}} input */
    #wanted({paste, format, limit = Infinity}) {
        /** @param {string} failure */
        const refuse = (failure) => {
            this.#counts.drop("clipboard-paste-refused");
            this.#outputs.push({type: "provide", paste, failure});
        };
        if (!this.takes) return refuse("not-allowed");
        if (!this.#offer?.entries.some((entry) => entry.format === format)) return refuse("gone");
        if (this.#incoming.length >= TRANSFERS || this.#incoming.some((each) => each.paste === paste)) {
            return refuse("busy");
        }
        const transfer = {
            id: this.#nextTransfer, paste, format, serial: this.#offer.serial, limit, begun: this.#now,
            progress: this.#now, isRequested: false, content: new Uint8Array(0), count: 0, credit: 0, isCreditDue: false,
        };
        this.#nextTransfer = (this.#nextTransfer + 1) >>> 0;
        this.#giveCredit(transfer);
        this.#incoming.push(transfer);
    }

    /** @param {Incoming} transfer */
    #limitOf(transfer) { return Math.min(transfer.limit, this.limit); }

    /**
     * Sends more credit when half of the window is used up. One byte more than the limit is allowed, to detect larger content.
     * @param {Incoming} transfer
     */
    #giveCredit(transfer) {
        if (transfer.credit - transfer.count > WINDOW / 2) return;
        const total = Math.min(transfer.count + WINDOW, this.#limitOf(transfer) + 1);
        if (total <= transfer.credit) return;
        transfer.credit = total;
        transfer.isCreditDue = true;
    }

    /** @param {number} paste */
    #unwanted(paste) {
        const transfer = this.#incoming.find((each) => each.paste === paste);
        if (!transfer) return;
        this.#counts.drop("clipboard-cancelled");
        remove(this.#incoming, transfer);
        if (transfer.isRequested) this.#answer({type: "cancel", id: transfer.id});
    }

    /** @param {Message & {type: "data"}} message */
    #came({id, isLast, bytes}) {
        const transfer = this.#find(id);
        if (!transfer) return;
        this.#counts.bytesReceived += bytes.length;
        const count = transfer.count + bytes.length;
        if (count > transfer.credit) return this.#fail(transfer, "failed", "clipboard-over-credit");
        if (count > this.#limitOf(transfer)) return this.#fail(transfer, "too-large", "clipboard-too-large");
        if (sum(this.#incoming, "count") + bytes.length > BUFFERED) {
            return this.#fail(transfer, "busy", "clipboard-no-room");
        }
        if (count > transfer.content.length) {
            // Double the buffer each time, because the other end may send very small pieces.
            const larger = Math.max(count, Math.min(2 * transfer.content.length, this.#limitOf(transfer)));
            transfer.content = concat(transfer.content.subarray(0, transfer.count), new Uint8Array(larger - transfer.count));
        }
        transfer.content.set(bytes, transfer.count);
        transfer.count = count;
        transfer.progress = this.#now;
        if (!isLast) return this.#giveCredit(transfer);
        remove(this.#incoming, transfer);
        const {paste, format} = transfer;
        const content = accepted(transfer.content.subarray(0, count), format);
        if (!content) {
            this.#counts.drop("clipboard-invalid");
            this.#outputs.push({type: "provide", paste, failure: "invalid"});
            return;
        }
        this.#counts.transfersReceived++;
        if (transfer.serial === this.#offer?.serial) this.#given.set(format, content);
        this.#outputs.push({type: "provide", paste, bytes: content});
    }

    /** @param {Message & {type: "refuse"}} message */
    #refused({id, reason}) {
        const transfer = this.#find(id);
        if (!transfer) return;
        this.#counts.drop("clipboard-refused");
        remove(this.#incoming, transfer);
        this.#outputs.push({type: "provide", paste: transfer.paste, failure: reason});
    }

    /**
     * Returns the transfer of a received message; counts a message without a transfer as dropped.
     * @param {number} id
     */
    #find(id) {
        const transfer = this.#incoming.find((each) => each.id === id);
        if (transfer?.isRequested) return transfer;
        // Numbers increase, so a smaller number belonged to an earlier transfer.
        const age = (this.#nextTransfer - id) >>> 0, wasGiven = !transfer && age > 0 && age < 2 ** 31;
        this.#counts.drop(wasGiven ? "clipboard-late-data" : "clipboard-unknown-transfer");
        return null;
    }

    /**
     * Ends a transfer, and notifies the page and the other end.
     * @param {Incoming} transfer
     * @param {string} failure
     * @param {string} drop
     */
    #fail(transfer, failure, drop) {
        this.#counts.drop(drop);
        remove(this.#incoming, transfer);
        if (transfer.isRequested) this.#answer({type: "cancel", id: transfer.id});
        this.#outputs.push({type: "provide", paste: transfer.paste, failure});
    }

    // Messages

    /** @param {Uint8Array} bytes */
    #received(bytes) {
        const message = parse(bytes);
        switch (message?.type) {
        case "terms": return this.#change(() => { this.#peerTerms = message; });
        case "offer": return this.#offered(message);
        case "request": return this.#requested(message);
        case "data": return this.#came(message);
        case "credit": return this.#credited(message);
        case "refuse": return this.#refused(message);
        case "cancel": return this.#cancelled(message.id);
        default: return this.#counts.drop("clipboard-malformed");
        }
    }

    /**
     * Queues a refusal or cancellation until the channel accepts it.
     * @param {Message} message
     */
    #answer(message) {
        if (this.#answers.length < ANSWERS) this.#answers.push(message);
        else this.#counts.drop("clipboard-answer-dropped");
    }

    /**
     * Returns the next message that fits into the channel, short messages first.
     * @returns {Message | null | undefined}
     */
    #nextMessage() {
        const fits = (/** @type {Message} */ message) => sizeOf(message) <= this.#room;
        if (this.#areTermsDue) {
            const message = /** @type {const} */ ({type: "terms", ...this.#terms});
            if (!fits(message)) return null;
            this.#areTermsDue = false;
            return message;
        }
        const [answer] = this.#answers;
        if (answer) return fits(answer) ? this.#answers.shift() : null;
        if (this.#isOfferDue && this.#now >= this.#nextOffer) {
            // Check for the largest offer, because making an offer counts its dropped formats, which must happen only once.
            if (this.#room < sizeOf({type: "offer", entries: FORMATS})) return null;
            this.#isOfferDue = false;
            this.#nextOffer = this.#now + OFFER_INTERVAL;
            this.#counts.offersSent++;
            return this.#makeOffer();
        }
        for (const transfer of this.#incoming) {
            const {id, serial, format} = transfer;
            if (!transfer.isRequested) {
                const message = /** @type {const} */ ({type: "request", id, serial, format});
                if (!fits(message)) return null;
                transfer.isRequested = true;
                return message;
            }
            if (transfer.isCreditDue) {
                const message = /** @type {const} */ ({type: "credit", id, total: transfer.credit});
                if (!fits(message)) return null;
                transfer.isCreditDue = false;
                return message;
            }
        }
        return this.#nextPiece();
    }
}

/**
 * The page's terms, with and without the user's permission to share the clipboard.
 * @param {boolean} isShared
 * @returns {Terms}
 */
export function termsFor(isShared) {
    return isShared ? {maySend: true, mayReceive: true, mostBytes: CONTENT_LIMIT} : NOTHING;
}

/**
 * The time at which a transfer times out.
 * @param {Outgoing | Incoming} transfer
 */
function overdue({begun, progress}) { return Math.min(begun + LONGEST, progress + PATIENCE); }

/** @param {unknown[]} list @param {unknown} one */
function remove(list, one) { list.splice(list.indexOf(one), 1); }

/** @param {any[]} transfers @param {string} field */
function sum(transfers, field) { return transfers.reduce((all, each) => all + (each[field].length ?? each[field]), 0); }
