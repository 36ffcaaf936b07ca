// What is copied at the host, onto this machine's clipboard. Browsers can't be asked for it once somebody pastes here, so
// it is fetched before: at once where the page may write, else when the person presses a button for it.

import {TYPES} from "./pasting.js";

/** The most bytes of a picture that is fetched unasked, and of a text where the page may only write by a press. */
const UNASKED_LIMIT = 1 << 20;
/** Milliseconds from which on what the host offers was copied there while this page drives, and not before. */
const START = 500;
const TEXTS = /** @type {const} */ (["text", "html"]);

/**
 * @typedef {"text" | "html" | "png"} Format
 *
 * What can be copied by a press: its formats, and its bytes where they are known.
 * @typedef {{hasText: boolean, hasPicture: boolean, size: number | null}} Wares
 */
export class Copying {
    #link;
    #page;
    /** @type {import("./clipboardexchange.js").Entry[]} */
    #entries = [];
    /**
     * What is fetched or is there, by format.
     * @type {Map<Format, {content: Promise<Uint8Array>, cancel: () => void}>}
     */
    #fetched = new Map();
    /**
     * What has come, by format.
     * @type {import("./clipboardcontent.js").Contents}
     */
    #contents = new Map();
    #isWaiting = false;
    #takesSince = Infinity;

    /**
     * @param {import("./clipboardlink.js").ClipboardLink} link
     * @param {object} page
     * @param {Clipboard} [page.clipboard] where the browser has one
     * @param {(text: string, html: string) => boolean} page.select copies as a press may, without that
     * @param {() => boolean} page.hasFocus
     * @param {(contents: import("./clipboardcontent.js").Contents) => void} page.wrote it lies on this machine's clipboard
     * @param {() => void} page.changed there is something to copy by a press, or no longer
     * @param {(what: "notCopied" | "noPicture") => void} page.failed
     */
    constructor(link, page) {
        this.#link = link;
        this.#page = page;
    }

    /** @returns {Wares | null} */
    get wares() {
        if (!this.#isWaiting) return null;
        const sizes = this.#entries.map(({format, size}) => this.#contents.get(format)?.length ?? size);
        return {
            hasText: this.#entries.some(({format}) => format !== "png"),
            hasPicture: this.#entries.some(({format}) => format === "png"),
            size: sizes.includes(null) ? null : sizes.reduce((/** @type {number} */ sum, size) => sum + (size ?? 0), 0),
        };
    }

    /** What may come from the host has changed. */
    allowed() {
        if (!this.#link.takes) this.#takesSince = Infinity;
        else if (this.#takesSince === Infinity) this.#takesSince = performance.now();
    }

    /** Whether what the host offers now was copied there before this page drove. */
    get isEarly() { return performance.now() - this.#takesSince < START || this.#takesSince === Infinity; }

    /**
     * The host has copied something; no entries: nothing is to be had.
     * @param {{format: Format, size: ?number}[]} entries
     */
    offered(entries) {
        this.forget();
        this.#entries = entries;
        if (!entries.length) return;
        if (!this.#page.clipboard) this.#prepare();
        // What is older than what may have been copied here is not to replace that.
        else if (this.#page.hasFocus() && !this.isEarly) this.#copyUnasked();
        else this.#ask();
    }

    /** What was copied here is newer. */
    forget() {
        this.#entries = [];
        for (const {cancel} of this.#fetched.values()) cancel();
        this.#fetched.clear();
        this.#contents = new Map();
        this.#setWaiting(false);
    }

    /** The person wants it. */
    async copy() {
        if (!this.#isWaiting) return;
        const entries = this.#entries, formats = entries.map(({format}) => format);
        if (this.#page.clipboard) return this.#finish(entries, this.#write(formats));
        const texts = formats.filter((format) => format !== "png");
        if (!texts.length) return this.#page.failed("noPicture");
        // What is there is copied within the press; else the browser may want another one.
        if (!texts.some((format) => this.#contents.has(format))) await this.#fetchAll(texts, undefined);
        if (entries === this.#entries) this.#finish(entries, this.#select());
    }

    /** Fetches and writes what is small. */
    async #copyUnasked() {
        const entries = this.#entries;
        const formats = entries.filter(({format, size}) => format !== "png" || (size ?? Infinity) <= UNASKED_LIMIT)
            .map(({format}) => format);
        const found = await this.#fetchAll(formats, undefined);
        if (entries !== this.#entries) return;
        try {
            if (found.length) await this.#write(found);
        } catch {
            // The browser wants a press, or the focus has gone.
            if (entries === this.#entries) this.#ask();
            return;
        }
        if (entries !== this.#entries) return;
        if (found.length) this.#page.wrote(this.#contents);
        if (entries.some(({format}) => format === "png" && !found.includes(format))) this.#ask();
    }

    /** Fetches the texts ahead of a press, within which they have to be there; larger ones by it. */
    async #prepare() {
        const entries = this.#entries;
        const small = entries.filter(({format, size}) => format !== "png" && (size ?? 0) <= UNASKED_LIMIT);
        await this.#fetchAll(small.map(({format}) => format), UNASKED_LIMIT);
        if (entries === this.#entries) this.#ask();
    }

    #ask() { this.#setWaiting(true); }

    /** @param {boolean} isWaiting */
    #setWaiting(isWaiting) {
        if (!isWaiting && !this.#isWaiting) return;
        this.#isWaiting = isWaiting;
        this.#page.changed();
    }

    /**
     * @param {import("./transfermessage.js").Format[]} formats
     * @param {number} [limit]
     * @returns {Promise<import("./transfermessage.js").Format[]>} what has come
     */
    async #fetchAll(formats, limit) {
        await Promise.allSettled(formats.map((format) => this.#fetch(format, limit)));
        return formats.filter((format) => this.#contents.has(format));
    }

    /** @param {import("./transfermessage.js").Format} format @param {number} [limit] */
    #fetch(format, limit) {
        const before = this.#fetched.get(format);
        if (before) return before.content;
        const contents = this.#contents, {content, cancel} = this.#link.fetch(format, limit);
        const kept = content.then((bytes) => {
            contents.set(format, bytes);
            return bytes;
        });
        this.#fetched.set(format, {content: kept, cancel});
        // It may come by another try.
        kept.catch(() => { if (this.#fetched.get(format)?.content === kept) this.#fetched.delete(format); });
        return kept;
    }

    /**
     * The browser is asked at once, within the press, and given what it waits for.
     * @param {import("./transfermessage.js").Format[]} formats
     */
    async #write(formats) {
        const clipboard = /** @type {Clipboard} */ (this.#page.clipboard);
        if (!clipboard.write || !globalThis.ClipboardItem) {
            return clipboard.writeText(decoded(await this.#fetch("text")));
        }
        const blobs = formats.map((format) => {
            const blob = this.#fetch(format).then((bytes) => new Blob([bytes], {type: TYPES[format]}));
            // A browser that refuses waits for none of them.
            blob.catch(() => {});
            return [TYPES[format], blob];
        });
        return clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
    }

    async #select() {
        if (!TEXTS.some((format) => this.#contents.has(format))) throw new Error("nothing came");
        const [text, html] = TEXTS.map((format) => decoded(this.#contents.get(format)));
        if (!this.#page.select(text, html)) throw new Error("not copied");
    }

    /** @param {import("./clipboardexchange.js").Entry[]} entries @param {Promise<unknown>} done */
    async #finish(entries, done) {
        try {
            await done;
            if (entries !== this.#entries) return;
            this.#page.wrote(this.#contents);
            this.#setWaiting(false);
        } catch {
            if (entries !== this.#entries) return;
            // Its size is known by now.
            this.#page.changed();
            this.#page.failed("notCopied");
        }
    }
}

/** @param {Uint8Array | undefined} bytes */
const decoded = (bytes) => new TextDecoder("utf-8", {ignoreBOM: true}).decode(bytes ?? new Uint8Array(0));

/**
 * Copies by what a page may do within a press, even over plain HTTP.
 * @param {string} text @param {string} html @returns {boolean} whether the browser did
 */
export function selectAndCopy(text, html) {
    // Browsers copy where something is selected; what goes is said by the event.
    const field = document.createElement("textarea");
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    field.className = "unseen";
    field.value = text || " ";
    field.readOnly = true;
    document.body.append(field);
    /** @param {ClipboardEvent} event */
    const tell = (event) => {
        event.clipboardData?.setData(TYPES.text, text);
        if (html) event.clipboardData?.setData(TYPES.html, html);
        event.preventDefault();
        event.stopImmediatePropagation();
    };
    document.addEventListener("copy", tell, {capture: true, once: true});
    try {
        field.select();
        return document.execCommand("copy");
    } catch {
        return false;
    } finally {
        document.removeEventListener("copy", tell, {capture: true});
        field.remove();
        before?.focus();
    }
}
