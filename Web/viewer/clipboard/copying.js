// Writes the host's copies to this machine's clipboard. A browser can't request content at the time of a paste, so the content
// is fetched beforehand: at once if the page may write to the clipboard, otherwise when the user presses a button.

import {TYPES} from "./pasting.js";

/** The size limit in bytes of a picture that is fetched without a press, and of a text if writing requires a press. */
const UNASKED_LIMIT = 1 << 20;
/** The time in milliseconds after this page began to drive during which offers are for content copied before. */
const START = 500;
const TEXTS = /** @type {const} */ (["text", "html"]);

/**
 * @typedef {"text" | "html" | "png"} Format
 *
 * The content that a press copies: its formats, and its size in bytes if known.
 * @typedef {{hasText: boolean, hasPicture: boolean, size: number | null}} Wares
 */
export class Copying {
    #link;
    #page;
    /** @type {import("./clipboardexchange.js").Entry[]} */
    #entries = [];
    /**
     * The fetches in progress or completed, by format.
     * @type {Map<Format, {content: Promise<Uint8Array>, cancel: () => void}>}
     */
    #fetched = new Map();
    /**
     * The fetched content, by format.
     * @type {import("./clipboardcontent.js").Contents}
     */
    #contents = new Map();
    #isWaiting = false;
    #takesSince = Infinity;

    /**
     * @param {import("./clipboardlink.js").ClipboardLink} link
     * @param {object} page
     * @param {Clipboard} [page.clipboard] the clipboard API, if the browser has it
     * @param {(text: string, html: string) => boolean} page.select copies during a press without the clipboard API
     * @param {() => boolean} page.hasFocus
     * @param {(contents: import("./clipboardcontent.js").Contents) => void} page.wrote called when content was written to the
     *   clipboard
     * @param {() => void} page.changed called when `wares` has changed
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

    /** Handles a change of the directions that the session permits. */
    allowed() {
        if (!this.#link.takes) this.#takesSince = Infinity;
        else if (this.#takesSince === Infinity) this.#takesSince = performance.now();
    }

    /** True if the host's current offer is for content that was copied before this page drove. */
    get isEarly() { return performance.now() - this.#takesSince < START || this.#takesSince === Infinity; }

    /**
     * Handles the host's offer; no entries mean that its offer is withdrawn.
     * @param {{format: Format, size: ?number}[]} entries
     */
    offered(entries) {
        this.forget();
        this.#entries = entries;
        if (!entries.length) return;
        if (!this.#page.clipboard) this.#prepare();
        // An early offer may be older than a copy made here, so don't replace that copy without a press.
        else if (this.#page.hasFocus() && !this.isEarly) this.#copyUnasked();
        else this.#ask();
    }

    /** Drops the offer, because the content copied here is newer. */
    forget() {
        this.#entries = [];
        for (const {cancel} of this.#fetched.values()) cancel();
        this.#fetched.clear();
        this.#contents = new Map();
        this.#setWaiting(false);
    }

    /** Copies the offered content, because the user has pressed the button. */
    async copy() {
        if (!this.#isWaiting) return;
        const entries = this.#entries, formats = entries.map(({format}) => format);
        if (this.#page.clipboard) return this.#finish(entries, this.#write(formats));
        const texts = formats.filter((format) => format !== "png");
        if (!texts.length) return this.#page.failed("noPicture");
        // Fetched content is copied during this press; otherwise the browser may require another press.
        if (!texts.some((format) => this.#contents.has(format))) await this.#fetchAll(texts, undefined);
        if (entries === this.#entries) this.#finish(entries, this.#select());
    }

    /** Fetches the offered content without large pictures, and writes it to the clipboard. */
    async #copyUnasked() {
        const entries = this.#entries;
        const formats = entries.filter(({format, size}) => format !== "png" || (size ?? Infinity) <= UNASKED_LIMIT)
            .map(({format}) => format);
        const found = await this.#fetchAll(formats, undefined);
        if (entries !== this.#entries) return;
        try {
            if (found.length) await this.#write(found);
        } catch {
            // The browser requires a press, or the page has lost focus.
            if (entries === this.#entries) this.#ask();
            return;
        }
        if (entries !== this.#entries) return;
        if (found.length) this.#page.wrote(this.#contents);
        if (entries.some(({format}) => format === "png" && !found.includes(format))) this.#ask();
    }

    /** Fetches small texts ahead, because the browser requires them during the press. Larger texts are fetched by the press. */
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
     * @returns {Promise<import("./transfermessage.js").Format[]>} the formats that were fetched
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
        // Allow another attempt.
        kept.catch(() => { if (this.#fetched.get(format)?.content === kept) this.#fetched.delete(format); });
        return kept;
    }

    /**
     * Calls the browser's API at once, within the press, with promises for the content.
     * @param {import("./transfermessage.js").Format[]} formats
     */
    async #write(formats) {
        const clipboard = /** @type {Clipboard} */ (this.#page.clipboard);
        if (!clipboard.write || !globalThis.ClipboardItem) {
            return clipboard.writeText(decoded(await this.#fetch("text")));
        }
        const blobs = formats.map((format) => {
            const blob = this.#fetch(format).then((bytes) => new Blob([bytes], {type: TYPES[format]}));
            // A browser that refuses to write does not await these promises, so handle their rejections.
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
            // The content's size is known now.
            this.#page.changed();
            this.#page.failed("notCopied");
        }
    }
}

/** @param {Uint8Array | undefined} bytes */
const decoded = (bytes) => new TextDecoder("utf-8", {ignoreBOM: true}).decode(bytes ?? new Uint8Array(0));

/**
 * Copies with `document.execCommand`, which works during a press even over plain HTTP.
 * @param {string} text @param {string} html @returns {boolean} true on success
 */
export function selectAndCopy(text, html) {
    // A copy requires a selection; the event handler sets the content.
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
