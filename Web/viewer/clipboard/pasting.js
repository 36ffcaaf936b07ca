// What is copied at this machine, into the host. Browsers hand it over by the event `paste`, which needs no permission and
// comes over plain HTTP too, once the person presses the keys for it or takes it from a menu. So that the host has it on
// its clipboard when its program asks, what is typed waits: for the event, and then until the offer is there.

import {utf8} from "../bytes/bytes.js";
import {accepted, isAlike} from "./clipboardcontent.js";
import {CONTENT_LIMIT} from "./clipboardexchange.js";
import {FORMATS} from "./transfermessage.js";

/** Milliseconds: for the event to come, that an offer is ahead of the key, and that keys wait at most. */
const EVENT_LIMIT = 100, LEAD = 40, LONGEST = 300;
/** Milliseconds in which an event that is late is still that of the key, and no other wish. */
const LATE_LIMIT = 1000;
/** Each format's type in browsers. */
export const TYPES = {text: "text/plain", html: "text/html", png: "image/png"};

/** @typedef {import("./clipboardcontent.js").Contents} Contents */
export class Pasting {
    #link;
    #input;
    #page;
    /**
     * What lay on this machine's clipboard when it was last seen.
     * @type {Contents | null}
     */
    #seen = null;
    /** Whether the host has copied something while this page had the focus: nobody has copied here since, as a rule. */
    #isHostsNewer = false;
    #isLooking = false;
    /**
     * When keys began to wait, or `null`.
     * @type {number | null}
     */
    #since = null;
    // When a key went down whose event has not come.
    #expectedAt = -Infinity;
    /**
     * What is read of the newest event, while it is.
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
     * @param {() => void} page.press presses at the host what pastes there
     * @param {boolean} page.isMac whether Command pastes here
     * @param {() => boolean} page.hasFocus
     * @param {Partial<Clipboard>} [page.clipboard] where the browser has one
     * @param {() => Promise<boolean>} page.mayRead whether that may be read without asking anybody
     */
    constructor(stage, link, input, page) {
        this.#link = link;
        this.#input = input;
        this.#page = page;
        stage.addEventListener("paste", (event) => this.#pasted(event));
    }

    /** An offer of this page is on its way. */
    sent() {
        this.#sentAt = performance.now();
        if (!this.#isExpecting && !this.#reading) this.#wait(LEAD);
    }

    /** The host has copied something. */
    offered() { if (this.#page.hasFocus()) this.#isHostsNewer = true; }

    /**
     * What was copied at the host lies on this machine's clipboard.
     * @param {Contents} contents
     */
    wrote(contents) {
        this.#seen = contents;
        // A browser hands pictures back in other words than it was given.
        this.look(true);
    }

    /** Whatever has the focus may copy. */
    blurred() { this.#isHostsNewer = false; }

    /**
     * A key goes down that is the host's: whether the browser is to paste by it here, too. Then what is typed waits.
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
        // Browsers go by the letter, and by the place where no Latin one is.
        const isV = /^[a-z]$/i.test(key) ? /v/i.test(key) : code === "KeyV";
        if (this.#page.isMac) return isV && metaKey && !ctrlKey;
        return !metaKey && (isV ? ctrlKey : code === "Insert" && shiftKey && !ctrlKey);
    }

    /** What is typed from now on waits. */
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
        // Else the field would have it, and type it.
        event.preventDefault();
        if (!isByKey) {
            this.#hold();
            this.#page.press();
        }
        this.#wait(LONGEST);
        const reading = this.#reading = {};
        // All is asked for at once: the event has nothing any longer once it is over.
        const [text, html] = [clipboardData.getData(TYPES.text), clipboardData.getData(TYPES.html)];
        const picture = [...clipboardData.files ?? []].find(({type}) => type === TYPES.png);
        const contents = await this.#gather([["text", text], ["html", html], ["png", picture]]);
        if (reading !== this.#reading) return;
        this.#reading = null;
        if (this.#take(contents, isByKey) || !this.#link.isOfferDue) this.#settle();
    }

    /** Goes on as soon as the newest offer is there. */
    #settle() {
        if (this.#since === null) return;
        const left = this.#sentAt + LEAD - performance.now();
        if (left > 0) this.#wait(left);
        else this.#goOn();
    }

    /**
     * Offers what was found on this machine's clipboard, where the host has nothing newer.
     * @param {Contents} contents @param {boolean} isOld whether it may be older than what the host has
     * @returns {boolean} whether it is of no use
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
     * Looks at this machine's clipboard, where that is allowed already.
     * @param {boolean} isKnown nothing is offered
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
            // The focus has gone, or the permission.
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
