// Connects the file exchange to its part of the data channel, and to the disk. It lives as long as the page: a batch that is
// interrupted by the end of a channel resumes on the next one.

import {FileCounts, SETTINGS} from "./filecounts.js";
import {FileExchange} from "./fileexchange.js";

export class FileLink {
    counts = new FileCounts();

    /**
     * Receives the exchange's outputs for the page.
     * @type {(output: import("./fileexchange.js").Output) => void}
     */
    told = () => {};

    #perform;
    /** @type {import("../clipboard/clipboardlink.js").Channel | null} */
    #channel = null;
    #exchange;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;

    /** @param {(command: import("./fileexchange.js").DiskCommand) => void} perform executes a disk command */
    constructor(perform) {
        this.#perform = perform;
        this.#exchange = new FileExchange("ask", this.counts, performance.now());
    }

    /** True if there is a channel. */
    get isOpen() { return this.#channel !== null; }

    /** @param {import("../clipboard/clipboardlink.js").Channel} channel an open channel */
    begin(channel) {
        this.end();
        this.#channel = channel;
        channel.onbufferedamountlow = () => this.#drain();
        channel.onmessage = ({data}) => this.handle({type: "received", bytes: new Uint8Array(data)});
        channel.onclose = () => this.end();
        this.handle({type: "opened"});
    }

    end() {
        if (!this.#channel) return;
        const channel = this.#channel;
        channel.onmessage = channel.onclose = channel.onbufferedamountlow = null;
        this.#channel = null;
        this.handle({type: "closed"});
    }

    /** @param {import("./fileexchange.js").Input} input */
    handle(input) {
        this.#exchange.handle(input, performance.now());
        this.#drain();
    }

    #drain() {
        clearTimeout(this.#timer);
        for (;;) {
            const channel = this.#channel, bytes = channel ? SETTINGS.queue - channel.bufferedAmount : 0;
            this.#exchange.handle({type: "room", bytes}, performance.now());
            const output = this.#exchange.poll();
            if (!output) break;
            if (output.type === "send") this.#send(channel, output.bytes);
            else if (output.type === "disk") this.#perform(output.command);
            else this.told(output);
        }
        const {deadline} = this.#exchange;
        clearTimeout(this.#timer);
        if (deadline === null) return;
        this.#timer = setTimeout(() => {
            this.#exchange.tick(performance.now());
            this.#drain();
        }, Math.max(0, deadline - performance.now()));
    }

    /** @param {import("../clipboard/clipboardlink.js").Channel | null} channel @param {Uint8Array} bytes */
    #send(channel, bytes) {
        try {
            channel?.send(bytes);
        } catch {
            // The channel is closed or its buffer is full, so messages may be lost.
            this.end();
        }
    }
}
