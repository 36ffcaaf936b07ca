// Pastes this machine's clipboard into the host. The browser provides the content in the `paste` event, which needs no
// permission and works over plain HTTP, when the user presses the paste keys or uses a menu. So that the host has the content
// when its program requests it, typed input is held back: until the event, and then until the offer has been sent.

import {utf8} from "../bytes/bytes.js";
import {accepted, isAlike} from "./clipboardcontent.js";
import {CONTENT_LIMIT} from "./clipboardexchange.js";
import {FORMATS} from "./transfermessage.js";

/** Times in milliseconds: to wait for the event, from an offer until held input is sent, and the maximum to hold input. */
const EVENT_LIMIT = 100, LEAD = 40, LONGEST = 300;
/** The time in milliseconds within which a late event is attributed to the key. */
const LATE_LIMIT = 1000;
/** The browsers' media type of each format. */
export const TYPES = {text: "text/plain", html: "text/html", png: "image/png"};

/** @typedef {import("./clipboardcontent.js").Contents} Contents */
export class Pasting {
    #link;
    #input;
    #page;
    /**
     * The content of this machine's clipboard when it was last read.
     * @type {Contents | null}
     */
    #seen = null;
    /** True if the host has copied while this page had focus; then nothing was copied on this machine since, as a rule. */
    #isHostsNewer = false;
    #isLooking = false;
    /**
     * The time since which input is held; `null` if it is not.
     * @type {number | null}
     */
    #since = null;
    // The time of the last paste key whose event has not arrived.
    #expectedAt = -Infinity;
    /**
     * Identifies the event whose content is being read; `null` if none is.
     * @type {object | null}
     */
    #reading = null;
    #sentAt = -Infinity;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;

    /**
     * @param {HTMLElement} stage @param {import("./clipboardlink.js").ClipboardLink} link
     * @param {import("../input/input.js").Input} input
     * @param {object} page
     * @param {() => void} page.press presses the paste keys at the host
     * @param {boolean} page.isMac true if Command pastes on this machine
     * @param {() => boolean} page.hasFocus
     * @param {Partial<Clipboard>} [page.clipboard] the clipboard API, if the browser has it
     * @param {() => Promise<boolean>} page.mayRead true if the clipboard may be read without a prompt
     */
    constructor(stage, link, input, page) {
        this.#link = link;
        this.#input = input;
        this.#page = page;
        stage.addEventListener("paste", (event) => this.#pasted(event));
    }

    /** Handles that an offer was sent. */
    sent() {
        this.#sentAt = performance.now();
        if (!this.#isExpecting && !this.#reading) this.#wait(LEAD);
    }

    /** Handles that the host has copied something. */
    offered() { if (this.#page.hasFocus()) this.#isHostsNewer = true; }

    /**
     * Handles that the host's copy was written to this machine's clipboard.
     * @param {Contents} contents
     */
    wrote(contents) {
        this.#seen = contents;
        // Read the clipboard back, because a browser encodes pictures anew.
        this.look(true);
    }

    /** Handles that the page lost focus: another program may copy from now on. */
    blurred() { this.#isHostsNewer = false; }

    /**
     * Handles a key press that is sent to the host. Returns true if the browser has to handle the key too, because it pastes;
     * typed input is then held.
     * @param {KeyboardEvent} event
     */
    begins(event) {
        if (event.repeat || !this.#isChord(event) || !this.#link.gives || !this.#input.isAllowed) return false;
        this.#hold();
        this.#expectedAt = performance.now();
        this.#wait(EVENT_LIMIT);
        return true;
    }

    get #isExpecting() { return performance.now() - this.#expectedAt < LATE_LIMIT; }

    /** @param {KeyboardEvent} event */
    #isChord({code, key, ctrlKey, metaKey, altKey, shiftKey}) {
        if (altKey) return false;
        // Browsers use the letter, or the key's position if the layout has no Latin letter there.
        const isV = /^[a-z]$/i.test(key) ? /v/i.test(key) : code === "KeyV";
        if (this.#page.isMac) return isV && metaKey && !ctrlKey;
        return !metaKey && (isV ? ctrlKey : code === "Insert" && shiftKey && !ctrlKey);
    }

    /** Holds typed input from now on. */
    #hold() {
        this.#since ??= performance.now();
        this.#input.pause();
    }

    /** @param {number} time */
    #wait(time) {
        if (this.#since === null) return;
        clearTimeout(this.#timer);
        const left = this.#since + LONGEST - performance.now();
        this.#timer = setTimeout(() => this.#goOn(), Math.max(0, Math.min(time, left)));
    }

    #goOn() {
        clearTimeout(this.#timer);
        this.#since = null;
        this.#input.resume();
    }

    /** @param {ClipboardEvent} event */
    async #pasted(event) {
        const isByKey = this.#isExpecting, {clipboardData} = event;
        this.#expectedAt = -Infinity;
        if (!clipboardData || !this.#link.gives || !this.#input.isAllowed) return;
        // Otherwise the focused field would receive the text, and type it at the host.
        event.preventDefault();
        if (!isByKey) {
            this.#hold();
            this.#page.press();
        }
        this.#wait(LONGEST);
        const reading = this.#reading = {};
        // Read all formats synchronously, because the event's data is empty after its dispatch.
        const [text, html] = [clipboardData.getData(TYPES.text), clipboardData.getData(TYPES.html)];
        const picture = [...clipboardData.files ?? []].find(({type}) => type === TYPES.png);
        const contents = await this.#gather([["text", text], ["html", html], ["png", picture]]);
        if (reading !== this.#reading) return;
        this.#reading = null;
        if (this.#take(contents, isByKey) || !this.#link.isOfferDue) this.#settle();
    }

    /** Sends the held input once the newest offer has had `LEAD` milliseconds to arrive. */
    #settle() {
        if (this.#since === null) return;
        const left = this.#sentAt + LEAD - performance.now();
        if (left > 0) this.#wait(left);
        else this.#goOn();
    }

    /**
     * Offers the content of this machine's clipboard, unless the host's copy is newer.
     * @param {Contents} contents @param {boolean} isOld true if the content may be older than the host's copy
     * @returns {boolean} true if nothing was offered
     */
    #take(contents, isOld) {
        if (!contents.size) return true;
        const wasSeen = this.#seen ? isAlike(contents, this.#seen) : this.#isHostsNewer;
        this.#seen = contents;
        if (isOld && wasSeen && this.#link.isHostsNewest) return true;
        this.#isHostsNewer = false;
        this.#link.copy(contents);
        return false;
    }

    /**
     * Reads this machine's clipboard if that is permitted without a prompt.
     * @param {boolean} isKnown true to remember the content without offering it
     */
    async look(isKnown = false) {
        const {clipboard, hasFocus, mayRead} = this.#page;
        if (!clipboard?.read || this.#isLooking || !this.#link.gives || !hasFocus()) return;
        this.#isLooking = true;
        try {
            if (!await mayRead()) return;
            const found = await clipboard.read();
            const blobs = await Promise.all(FORMATS.map(async (format) => {
                const type = TYPES[format], item = found.find(({types}) => types.includes(type));
                return /** @type {[typeof format, Blob | undefined]} */ ([format, await item?.getType(type)]);
            }));
            const contents = await this.#gather(blobs);
            const wasSeen = this.#seen !== null && isAlike(contents, this.#seen);
            if (isKnown) this.#seen = contents;
            else if (!wasSeen) this.#take(contents, false);
        } catch {
            // The page lost focus or the permission.
        } finally {
            this.#isLooking = false;
        }
    }

    /**
     * @param {[import("./transfermessage.js").Format, string | Blob | undefined][]} found
     * @returns {Promise<Contents>}
     */
    async #gather(found) {
        const contents = new Map();
        for (const [format, content] of found) {
            const size = (typeof content === "string" ? content.length : content?.size) ?? 0;
            if (size > CONTENT_LIMIT) this.#link.counts.drop("clipboard-format-too-large");
            if (!size || size > CONTENT_LIMIT) continue;
            const bytes = typeof content === "string" ? utf8(content) : await content?.arrayBuffer().catch(() => null);
            const ready = accepted(new Uint8Array(bytes ?? []), format);
            if (ready) contents.set(format, ready);
            else this.#link.counts.drop("clipboard-invalid");
        }
        return contents;
    }
}
