// The clipboard that is shared between this machine and the host: connects the link, copying and pasting. Content is never
// logged.

import {sizeText} from "../language/amounts.js";
import {fill, words} from "../language/language.js";
import {ClipboardLink} from "./clipboardlink.js";
import {Copying, selectAndCopy} from "./copying.js";
import {Pasting} from "./pasting.js";

export class SharedClipboard {
    #link;
    #input;
    #isShared;
    #pasting;
    #copying;

    /**
     * @param {HTMLElement} stage @param {import("../input/input.js").Input} input
     * @param {object} page
     * @param {boolean} page.isShared true if the user shares the clipboard
     * @param {boolean} page.isMac true if Command pastes on this machine
     * @param {() => void} page.press presses the paste keys at the host
     * @param {() => void} page.changed called when `label` or `isThere` may have changed
     * @param {(text: string) => void} page.say
     */
    constructor(stage, input, page) {
        // Missing over plain HTTP, and incomplete in some browsers.
        const clipboard = /** @type {Partial<Clipboard> | undefined} */ (navigator.clipboard);
        const {permissions} = navigator, hasFocus = () => document.hasFocus();
        const reading = /** @type {any} */ ({name: "clipboard-read"});
        const mayRead = async () => (await permissions?.query(reading))?.state === "granted";
        // The clipboard is not shared until this page drives: a host must not read or write it for a user who only watches.
        const link = this.#link = new ClipboardLink(false);
        this.#input = input;
        this.#isShared = page.isShared;
        input.drivesChanged = () => this.#follow();
        const pasting = this.#pasting = new Pasting(stage, link, input, {
            press: page.press, isMac: page.isMac, hasFocus, clipboard, mayRead,
        });
        const copying = this.#copying = new Copying(link, {
            clipboard: clipboard?.writeText ? /** @type {Clipboard} */ (clipboard) : undefined, select: selectAndCopy, hasFocus,
            wrote: (contents) => pasting.wrote(contents),
            changed: page.changed,
            failed: (what) => page.say(what === "noPicture" ? words.notes.noPicture : words.notes.notCopied),
        });
        link.offered = (entries) => {
            if (entries.length && !copying.isEarly) pasting.offered();
            copying.offered(entries);
        };
        link.sent = () => {
            pasting.sent();
            copying.forget();
        };
        link.wasRead = () => page.say(words.notes.clipboardRead);
        link.changed = () => {
            copying.allowed();
            pasting.look();
            page.changed();
        };
        window.addEventListener("focus", () => pasting.look());
        window.addEventListener("blur", () => pasting.blurred());
    }

    /** True if the host shares its clipboard. */
    get isThere() { return this.#link.isThere; }
    /** @param {boolean} isShared */
    set isShared(isShared) {
        this.#isShared = isShared;
        this.#follow();
    }

    #follow() { this.#link.isShared = this.#isShared && this.#input.drives; }

    /** @param {import("./clipboardlink.js").Channel} channel the session's open channel */
    begin(channel) { this.#link.begin(channel); }

    /** Handles the end of the session. */
    end() {
        this.#link.end();
        this.#input.beginAnew();
    }

    /**
     * Implements `Typing.pastes`.
     * @param {KeyboardEvent} event
     */
    pastes(event) { return this.#pasting.begins(event); }

    /** Copies the host's content, because the user pressed the button. */
    copy() { return this.#copying.copy(); }

    /** The label of the button that copies; empty if there is nothing to copy. */
    get label() {
        const {wares} = this.#copying;
        if (!wares) return "";
        const {hasText, hasPicture, size} = wares;
        const one = hasText ? words.clipboard.text : words.clipboard.picture;
        const label = hasText && hasPicture ? words.clipboard.both : one;
        return size === null ? label : `${label} (${sizeText(size)})`;
    }

    /** The counters as text; empty if the clipboard is not shared or all counters are 0. */
    get facts() {
        if (!this.isThere) return "";
        const {drops, ...counts} = this.#link.counts;
        if (![...drops].length && Object.values(counts).every((count) => !count)) return "";
        const sizes = {bytesSent: sizeText(counts.bytesSent), bytesReceived: sizeText(counts.bytesReceived)};
        const dropped = [...drops].map(([name, count]) => `${name} ${count}`);
        return [fill(words.clipboard.counts, {...counts, ...sizes}), ...dropped].join(", ");
    }
}
