// File transfers to and from the host: connects the exchange, the disk and the panel. File names are never logged.

import {randomBytes} from "../bytes/bytes.js";
import {sizeText} from "../language/amounts.js";
import {fill, reasonText, words} from "../language/language.js";
import {FileDisk} from "./filedisk.js";
import {FileLink} from "./filelink.js";
import {listChosen, listDropped} from "./filelisting.js";
import {FilePanel} from "./filepanel.js";
import {FilePlaces} from "./fileplaces.js";

/** The minimum time in milliseconds between notes about offers that were refused without asking the user. */
const WORDS_INTERVAL = 30_000;

export class SharedFiles {
    #page;
    /** @type {FileLink} */
    #link;
    /** @type {FileDisk} */
    #disk;
    #panel;
    /**
     * The batches that have not ended.
     * @type {Map<bigint, {isSending: boolean}>}
     */
    #batches = new Map();
    #places = new FilePlaces();
    #isCancelled = new Set();
    /**
     * The question that is shown to the user; `null` for none.
     * @type {any}
     */
    #question = null;
    /** @type {string | null} */
    #peer = null;
    #saidAt = -Infinity;

    /**
     * @param {HTMLElement} stage the drop target
     * @param {Record<string, HTMLElement> & {files: HTMLInputElement, folder: HTMLInputElement}} elements the elements of
     *   FilePanel, and the file inputs
     * @param {object} page
     * @param {() => void} page.changed called when `isThere` may have changed
     * @param {(text: string) => void} page.say
     * @param {() => void} page.left called when keys are to be sent to the host again
     */
    constructor(stage, elements, page) {
        this.#page = page;
        this.#disk = new FileDisk(
            (reply) => this.#link.handle({type: "disk", reply}), (...offer) => this.#places.room(...offer));
        this.#link = new FileLink((command) => this.#disk.perform(command));
        this.#link.told = (output) => this.#told(output);
        this.#panel = new FilePanel(elements, {
            cancel: (batch) => this.#cancel(batch), left: page.left,
            accept: (question) => this.#accept(question),
            decline: (/** @type {any} */ {batch}) => {
                this.#link.handle({type: "answer", batch, accepts: false});
                page.left();
            },
        });
        for (const input of [elements.files, elements.folder]) {
            input.onchange = () => {
                this.send(listChosen(/** @type {FileList} */ (input.files)));
                // Clear the value, so that choosing the same files again is an event.
                input.value = "";
            };
        }
        this.#takeDrops(stage);
        // The browser then asks the user before it leaves the page.
        window.addEventListener("beforeunload", (event) => { if (this.#batches.size) event.preventDefault(); });
    }

    /** True if files can be sent to the host. */
    get isThere() { return this.#link.isOpen; }

    /**
     * The host's name; its certificate changes with each start. A change cancels all batches of the previous host.
     * @param {string | null} peer
     */
    set peer(peer) {
        if (peer !== this.#peer) for (const batch of [...this.#batches.keys()]) this.#cancel(batch);
        this.#peer = peer;
    }

    /** @param {import("../clipboard/clipboardlink.js").Channel} channel the session's open channel, or a part of it */
    begin(channel) {
        this.#link.begin(channel);
        this.#page.changed();
    }

    /** Handles the end of the session. */
    end() {
        this.#link.end();
        this.#page.changed();
    }

    /** @param {import("./filelisting.js").FileListing} listing */
    send({entries, sources, leftOut, isCut}) {
        const {files} = words;
        const lacks = [
            leftOut && fill(files.leftOut, {count: leftOut}), isCut && fill(files.isCut, {count: entries.length}),
        ].filter(Boolean);
        if (lacks.length) this.#page.say(lacks.join(" "));
        if (!entries.length) return;
        const batch = new DataView(randomBytes(8).buffer).getBigUint64(0);
        this.#disk.provide(batch, sources);
        this.#begin(batch, {isSending: true, name: entries[0].path[0], count: entries.length});
        this.#link.handle({type: "send", batch, entries});
    }

    /** The counters as text; empty if they are all 0. */
    get facts() {
        const {drops, ...counts} = this.#link.counts;
        if (!drops.size && Object.values(counts).every((count) => !count)) return "";
        const sizes = {bytesSent: sizeText(counts.bytesSent), bytesReceived: sizeText(counts.bytesReceived)};
        const dropped = [...drops].map(([name, count]) => `${name} ${count}`);
        return [fill(words.files.counts, {...counts, ...sizes}), ...dropped].join(", ");
    }

    /** @param {bigint} batch @param {{isSending: boolean, name: string, count: number}} what */
    #begin(batch, what) {
        this.#batches.set(batch, what);
        this.#panel.add(batch, what);
    }

    /** @param {bigint} batch */
    #cancel(batch) {
        this.#isCancelled.add(batch);
        this.#link.handle({type: "cancel", batch});
        this.#isCancelled.delete(batch);
    }

    /** @param {import("./fileexchange.js").Output} output */
    #told(output) {
        switch (output.type) {
        case "ask": return this.#ask(output);
        case "unask": return this.#ask(null);
        case "progress": return this.#panel.progress(output.progress);
        case "file":
            if (output.failure) this.#panel.failed(output.batch, output.failure);
            return;
        case "over": return this.#over(output);
        }
    }

    /** @param {any} question */
    #ask(question) {
        this.#question = question;
        if (question) this.#panel.ask(question);
        else this.#panel.unask();
    }

    /** @param {import("./fileexchange.js").Output & {type: "over"}} output */
    #over(output) {
        const {batch, direction, reason, isPeers} = output;
        // Received files are kept unless the user cancelled the batch.
        this.#disk.close(batch, !this.#isCancelled.has(batch));
        if (this.#batches.delete(batch)) return this.#panel.over(output);
        const wasAsked = isPeers || ["declined", "timedOut", "cancelled"].includes(reason ?? "");
        if (direction === "receiving" && !wasAsked) this.#sayRefused(reason);
    }

    /**
     * Notes that an offer was refused without asking the user.
     * @param {string | null} reason
     */
    #sayRefused(reason) {
        const now = performance.now();
        if (now - this.#saidAt < WORDS_INTERVAL) return;
        this.#saidAt = now;
        this.#page.say(`${words.files.refused} ${reasonText(reason)}`);
    }

    /** @param {any} question */
    async #accept(question) {
        const {batch, name, count} = question;
        let place;
        try {
            place = await this.#places.choose(question);
        } catch {
            if (question !== this.#question) return;
            this.#link.handle({type: "answer", batch, accepts: false});
            return this.#sayRefused("noSpace");
        }
        // The question stays open if no place was chosen.
        if (!place) return;
        // The question may have become obsolete while the user chose a place.
        if (question !== this.#question) return place.close(false);
        this.#ask(null);
        this.#disk.use(batch, place);
        this.#begin(batch, {isSending: false, name, count});
        this.#link.handle({type: "answer", batch, accepts: true});
        this.#page.left();
    }

    // Drops

    /** @param {HTMLElement} stage */
    #takeDrops(stage) {
        /** @param {DragEvent} event */
        const hasFiles = ({dataTransfer}) => dataTransfer?.types.includes("Files") === true;
        /** @param {DragEvent} event */
        const isForHost = ({target}) => this.isThere && stage.contains(/** @type {Node} */ (target));
        /** @param {boolean} isOver */
        const mark = (isOver) => stage.classList.toggle("is-dropping", isOver);
        window.addEventListener("dragover", (event) => {
            const {dataTransfer} = event;
            if (!dataTransfer || !hasFiles(event)) return;
            // Otherwise the browser would open the file in place of the page.
            event.preventDefault();
            dataTransfer.dropEffect = isForHost(event) ? "copy" : "none";
            mark(isForHost(event));
        });
        window.addEventListener("dragleave", ({relatedTarget}) => { if (!relatedTarget) mark(false); });
        window.addEventListener("drop", async (event) => {
            mark(false);
            const {dataTransfer} = event;
            if (!dataTransfer || !hasFiles(event)) return;
            event.preventDefault();
            if (isForHost(event)) this.send(await listDropped(dataTransfer.items));
        });
    }
}
