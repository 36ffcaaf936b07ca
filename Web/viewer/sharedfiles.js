// Files that go to the host and come from it: puts its parts together. No name of a file is ever logged.

import {sizeText} from "./amounts.js";
import {randomBytes} from "./bytes.js";
import {FilePlace, FolderPlace} from "./diskplace.js";
import {FileDisk} from "./filedisk.js";
import {FileLink} from "./filelink.js";
import {listChosen, listDropped} from "./filelisting.js";
import {FilePanel} from "./filepanel.js";
import {fill, words} from "./language.js";
import {MemoryPlace, MEMORY_LIMIT} from "./memoryplace.js";

/** What is no larger is downloaded as browsers do, also where one could ask for a place on the disk. */
const SMALL = 64 << 20;
/** Milliseconds that a download may take to begin. */
const DOWNLOAD_TIME = 60_000;
/** The least milliseconds between words about offers that nobody was asked about. */
const WORDS_INTERVAL = 30_000;

export class SharedFiles {
    #page;
    #link;
    #disk;
    #panel;
    #drops;
    /** The batches that are not over. @type {Map<bigint, {isSending: boolean}>} */
    #batches = new Map();
    /** The bytes in memory, by batch, until the browser has taken them. */
    #held = new Map();
    #isCancelled = new Set();
    /** What the person is asked. */
    #question = null;
    #peer = null;
    #saidAt = -Infinity;

    /**
     * @param {HTMLElement} stage where files are dropped
     * @param {Record<string, HTMLElement>} elements as FilePanel has them, and files and folder, inputs for what is chosen
     * @param {object} page
     * @param {() => void} page.changed whether there is somewhere to send files to
     * @param {(text: string) => void} page.say
     * @param {() => void} page.left keys go to the host again
     */
    constructor(stage, elements, page) {
        this.#page = page;
        this.#disk = new FileDisk((reply) => this.#link.handle({type: "disk", reply}), (...offer) => this.#roomFor(...offer));
        this.#link = new FileLink((command) => this.#disk.perform(command));
        this.#link.told = (output) => this.#told(output);
        this.#panel = new FilePanel(elements, {
            cancel: (batch) => this.#cancel(batch), left: page.left,
            accept: (question) => this.#accept(question),
            decline: ({batch}) => {
                this.#link.handle({type: "answer", batch, accepts: false});
                page.left();
            },
        });
        for (const input of [elements.files, elements.folder]) {
            input.onchange = () => {
                this.send(listChosen(input.files));
                // The same again is a choice, too.
                input.value = "";
            };
        }
        this.#takeDrops(stage);
        // The browser asks before it is lost.
        window.addEventListener("beforeunload", (event) => { if (this.#batches.size) event.preventDefault(); });
    }

    /** Whether there is somewhere to send files to. */
    get isThere() { return this.#link.isOpen; }

    /**
     * The host, by its name, as it has another certificate whenever it is started: what was begun with another one ends.
     * @param {string | null} peer
     */
    set peer(peer) {
        if (peer !== this.#peer) for (const batch of [...this.#batches.keys()]) this.#cancel(batch);
        this.#peer = peer;
    }

    /** @param {RTCDataChannel} channel of a session, or a part of it, that is open */
    begin(channel) {
        this.#link.begin(channel);
        this.#page.changed();
    }

    /** The session is over. */
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

    /** Its counts, in words: "" where there are none. */
    get facts() {
        const {drops, ...counts} = this.#link.counts;
        if (!drops.size && Object.values(counts).every((count) => !count)) return "";
        for (const name of ["bytesSent", "bytesReceived"]) counts[name] = sizeText(counts[name]);
        return [fill(words.files.counts, counts), ...[...drops].map(([name, count]) => `${name} ${count}`)].join(", ");
    }

    #begin(batch, what) {
        this.#batches.set(batch, what);
        this.#panel.add(batch, what);
    }

    #cancel(batch) {
        this.#isCancelled.add(batch);
        this.#link.handle({type: "cancel", batch});
        this.#isCancelled.delete(batch);
    }

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

    #ask(question) {
        this.#question = question;
        if (question) this.#panel.ask(question);
        else this.#panel.unask();
    }

    #over(output) {
        const {batch, direction, reason, isPeers} = output;
        // What came stays, unless the person wants nothing of it any more.
        this.#disk.close(batch, !this.#isCancelled.has(batch));
        // A download says itself when it goes.
        if (!this.#downloads.has(batch)) this.#held.delete(batch);
        if (this.#batches.delete(batch)) return this.#panel.over(output);
        const now = performance.now(), wasAsked = isPeers || ["declined", "timedOut", "cancelled"].includes(reason);
        if (direction === "sending" || wasAsked || now - this.#saidAt < WORDS_INTERVAL) return;
        this.#saidAt = now;
        this.#page.say(`${words.files.refused} ${words.fileReasons[reason] ?? ""}`);
    }

    // Where what comes is put

    #downloads = new Set();

    #roomFor(count, size) {
        if (isForDisk(count, size)) return Number.MAX_SAFE_INTEGER;
        return MEMORY_LIMIT - [...this.#held.values()].reduce((sum, held) => sum + held, 0);
    }

    async #accept(question) {
        const {batch, name, count, bytes} = question;
        let place = new MemoryPlace(name, (content, as) => this.#download(batch, content, as));
        if (isForDisk(count, bytes)) {
            try {
                // The press allows it, and no later moment.
                place = count > 1 ? new FolderPlace(await window.showDirectoryPicker({mode: "readwrite", id: "received"}))
                    : new FilePlace(await window.showSaveFilePicker({suggestedName: name, id: "received"}));
            } catch {
                // No place was chosen: the question still stands.
                return;
            }
            // Choosing took its time.
            if (question !== this.#question) return;
        } else this.#held.set(batch, bytes);
        this.#ask(null);
        this.#disk.use(batch, place);
        this.#begin(batch, {isSending: false, name, count});
        this.#link.handle({type: "answer", batch, accepts: true});
        this.#page.left();
    }

    #download(batch, content, name) {
        this.#downloads.add(batch);
        const link = document.createElement("a");
        link.href = URL.createObjectURL(content);
        link.download = name;
        link.click();
        setTimeout(() => {
            URL.revokeObjectURL(link.href);
            this.#downloads.delete(batch);
            this.#held.delete(batch);
        }, DOWNLOAD_TIME);
    }

    // Drops

    #takeDrops(stage) {
        const hasFiles = ({dataTransfer}) => dataTransfer?.types.includes("Files") === true;
        const isForHost = ({target}) => this.isThere && stage.contains(target);
        const mark = (isOver) => stage.classList.toggle("is-dropping", isOver);
        window.addEventListener("dragover", (event) => {
            if (!hasFiles(event)) return;
            // The browser would open it, and leave the host.
            event.preventDefault();
            event.dataTransfer.dropEffect = isForHost(event) ? "copy" : "none";
            mark(isForHost(event));
        });
        window.addEventListener("dragleave", ({relatedTarget}) => { if (!relatedTarget) mark(false); });
        window.addEventListener("drop", async (event) => {
            mark(false);
            if (!hasFiles(event)) return;
            event.preventDefault();
            if (isForHost(event)) this.send(await listDropped(event.dataTransfer.items));
        });
    }
}

/** Whether the browser is asked for a place on the disk: for folders as such, and for what is large. */
function isForDisk(count, size) {
    return count > 1 ? Boolean(window.showDirectoryPicker) : size > SMALL && Boolean(window.showSaveFilePicker);
}
