// Shares the data channel `transfer` between the clipboard and files: by its first byte a message is the one's or the
// other's. What is copied and pasted goes first: files take no more room than keeps the channel busy.

import {FIRST_KIND} from "./filemessage.js";

/** The bytes in the channel at which there is room for more: less than files leave there, or it would never be told. */
const LOW = 16 * 1024;

export class TransferLink {
    #clipboard;
    #files;
    /** @type {Lane[] | null} */
    #lanes = null;

    /**
     * Each is given a part of the channel, that is as a whole one, and told of its end by `onclose` or `end`.
     * @param {{begin: (channel: Lane) => void, end: () => void}} clipboard
     * @param {{begin: (channel: Lane) => void, end: () => void}} files
     */
    constructor(clipboard, files) {
        this.#clipboard = clipboard;
        this.#files = files;
    }

    /** @param {RTCDataChannel} channel that is open */
    begin(channel) {
        this.end();
        const lanes = this.#lanes = [new Lane(channel), new Lane(channel)], [clipboard, files] = lanes;
        channel.binaryType = "arraybuffer";
        channel.bufferedAmountLowThreshold = LOW;
        // The order is what goes first.
        channel.onbufferedamountlow = () => lanes.forEach((lane) => lane.onbufferedamountlow?.());
        channel.onmessage = (event) => {
            const {data} = event, isOfFiles = data instanceof ArrayBuffer && new Uint8Array(data)[0] >= FIRST_KIND;
            (isOfFiles ? files : clipboard).onmessage?.(event);
        };
        channel.onclose = () => {
            lanes.forEach((lane) => lane.onclose?.());
            if (lanes === this.#lanes) this.end();
        };
        this.#clipboard.begin(clipboard);
        // The clipboard's terms go first.
        this.#files.begin(files);
    }

    end() {
        const lanes = this.#lanes;
        if (!lanes) return;
        this.#lanes = null;
        for (const lane of lanes) lane.leave();
        this.#clipboard.end();
        this.#files.end();
    }
}

/** A part of the channel: as a channel to whom it is given. */
class Lane {
    #channel;
    /** @type {import("../clipboard/clipboardlink.js").Channel["onmessage"]} */
    onmessage = null;
    /** @type {import("../clipboard/clipboardlink.js").Channel["onclose"]} */
    onclose = null;
    /** @type {import("../clipboard/clipboardlink.js").Channel["onbufferedamountlow"]} */
    onbufferedamountlow = null;

    /** @param {RTCDataChannel} channel */
    constructor(channel) { this.#channel = channel; }

    /** The bytes that wait, whoever sent them. */
    get bufferedAmount() { return this.#channel.bufferedAmount; }

    /** @param {Uint8Array} bytes */
    send(bytes) { this.#channel.send(bytes); }

    leave() {
        const channel = this.#channel;
        channel.onmessage = channel.onclose = channel.onbufferedamountlow = null;
    }
}
