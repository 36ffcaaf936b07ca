// The clipboard that this machine and the host share: puts its parts together. Nothing of what is on it is ever logged.

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
     * @param {boolean} page.isShared whether the person shares the clipboard
     * @param {boolean} page.isMac whether Command pastes here
     * @param {() => void} page.press presses at the host what pastes there
     * @param {() => void} page.changed what can be copied by a press is other now, or whether there is a clipboard
     * @param {(text: string) => void} page.say
     */
    constructor(stage, input, page) {
        // Not there over plain HTTP, and some browsers have less of it.
        const clipboard = /** @type {Partial<Clipboard> | undefined} */ (navigator.clipboard);
        const {permissions} = navigator, hasFocus = () => document.hasFocus();
        const reading = /** @type {any} */ ({name: "clipboard-read"});
        const mayRead = async () => (await permissions?.query(reading))?.state === "granted";
        // Whoever is only watched gets nothing, and puts nothing on this machine's clipboard.
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

    /** Whether the host shares its clipboard. */
    get isThere() { return this.#link.isThere; }
    /** @param {boolean} isShared */
    set isShared(isShared) {
        this.#isShared = isShared;
        this.#follow();
    }

    #follow() { this.#link.isShared = this.#isShared && this.#input.drives; }

    /** @param {import("./clipboardlink.js").Channel} channel of a session, that is open */
    begin(channel) { this.#link.begin(channel); }

    /** The session is over. */
    end() {
        this.#link.end();
        this.#input.beginAnew();
    }

    /**
     * As `Typing.pastes` has it.
     * @param {KeyboardEvent} event
     */
    pastes(event) { return this.#pasting.begins(event); }

    /** What the person pressed the button for. */
    copy() { return this.#copying.copy(); }

    /** What can be copied by a press, in words: "" where nothing can. */
    get label() {
        const {wares} = this.#copying;
        if (!wares) return "";
        const {hasText, hasPicture, size} = wares;
        const one = hasText ? words.clipboard.text : words.clipboard.picture;
        const label = hasText && hasPicture ? words.clipboard.both : one;
        return size === null ? label : `${label} (${sizeText(size)})`;
    }

    /** Its counts, in words: "" where there are none. */
    get facts() {
        if (!this.isThere) return "";
        const {drops, ...counts} = this.#link.counts;
        if (![...drops].length && Object.values(counts).every((count) => !count)) return "";
        const sizes = {bytesSent: sizeText(counts.bytesSent), bytesReceived: sizeText(counts.bytesReceived)};
        const dropped = [...drops].map(([name, count]) => `${name} ${count}`);
        return [fill(words.clipboard.counts, {...counts, ...sizes}), ...dropped].join(", ");
    }
}
