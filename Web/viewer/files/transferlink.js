// Shares the data channel `transfer` between the clipboard and files: the first byte of a message tells which of them it
// belongs to. The clipboard is sent first, because files put only as much into the channel as keeps it busy.

import {FIRST_KIND} from "./filemessage.js";

/**
 * The number of buffered bytes below which the channel reports free space. It has to be smaller than the files' queue, or the
 * event would never occur.
 */
const LOW = 16 * 1024;

export class TransferLink {
    #clipboard;
    #files;
    /** @type {Lane[] | null} */
    #lanes = null;

    /**
     * Passes each of them a lane of the channel, and reports its end by `onclose` or `end`.
     * @param {{begin: (channel: Lane) => void, end: () => void}} clipboard
     * @param {{begin: (channel: Lane) => void, end: () => void}} files
     */
    constructor(clipboard, files) {
        this.#clipboard = clipboard;
        this.#files = files;
    }

    /** @param {RTCDataChannel} channel an open channel */
    begin(channel) {
        this.end();
        const lanes = this.#lanes = [new Lane(channel), new Lane(channel)], [clipboard, files] = lanes;
        channel.binaryType = "arraybuffer";
        channel.bufferedAmountLowThreshold = LOW;
        // The clipboard's lane is first, so it sends first.
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
        // The clipboard's terms are sent first.
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

/** One user's part of the channel, with the channel's interface. */
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

    /** The number of buffered bytes of both lanes. */
    get bufferedAmount() { return this.#channel.bufferedAmount; }

    /** @param {Uint8Array} bytes */
    send(bytes) { this.#channel.send(bytes); }

    leave() {
        const channel = this.#channel;
        channel.onmessage = channel.onclose = channel.onbufferedamountlow = null;
    }
}
