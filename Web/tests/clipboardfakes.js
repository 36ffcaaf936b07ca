// Clipboard contents, and a data channel to a host that shares its clipboard.

import {utf8} from "../viewer/bytes/bytes.js";
import {ClipboardCounts, ClipboardExchange, termsFor, WINDOW} from "../viewer/clipboard/clipboardexchange.js";
import {parse, serialise} from "../viewer/clipboard/transfermessage.js";

/** Bytes that the page recognises as a PNG picture. */
export function png(length, width = 4, height = 4) {
    const bytes = new Uint8Array(length), view = new DataView(bytes.buffer);
    bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
    view.setUint32(16, width);
    view.setUint32(20, height);
    return bytes;
}

/** @param {Record<string, string | Uint8Array>} contents */
export function contentsOf(contents) {
    return new Map(Object.entries(contents).map(([format, content]) =>
        [format, typeof content === "string" ? utf8(content) : content]));
}

/** An open channel `transfer` with a host at its other end; messages arrive at once. */
export class FakeTransfer {
    readyState = "open";
    bufferedAmount = 0;
    /** The messages that the page has sent. */
    sent = [];
    /** The offers that the host's clipboard received. */
    offered = [];
    pasted = [];
    #pastes = 0;

    constructor({terms = termsFor(true)} = {}) {
        this.host = new ClipboardExchange(terms, new ClipboardCounts(), performance.now());
    }

    send(bytes) {
        if (this.readyState !== "open") throw new Error("InvalidStateError");
        this.sent.push(parse(bytes));
        this.#handle({type: "received", bytes});
    }

    /** Sends the host's pending messages. */
    run() {
        this.host.tick(performance.now());
        this.#drain();
    }

    copy(contents) { this.#handle({type: "copied", contents: contentsOf(contents)}); }
    paste(format) { this.#handle({type: "wanted", paste: ++this.#pastes, format}); }
    set terms(terms) { this.#handle({type: "terms", terms}); }
    tell(message) { this.onmessage?.({data: serialise(message).buffer}); }

    close() {
        this.readyState = "closed";
        this.onclose?.();
    }

    #handle(input) {
        this.host.handle(input, performance.now());
        this.#drain();
    }

    #drain() {
        for (;;) {
            this.host.handle({type: "room", bytes: WINDOW}, performance.now());
            const output = this.host.poll();
            if (!output) return;
            if (output.type === "send") this.onmessage?.({data: output.bytes.buffer});
            else if (output.type === "offer") this.offered.push(output.entries);
            else this.pasted.push(output.failure ?? output.bytes);
        }
    }
}
