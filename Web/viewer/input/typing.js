// The keyboard: physical keys by keyboard.js's rules, and text from a field that is not seen, which input methods, dead
// keys and touch keyboards write into.

import {Keyboard} from "./keyboard.js";
import {changeOf} from "./text.js";

/** Stands before what is typed, so that a touch keyboard has something to erase. */
const FILLER = " ".repeat(24);
/** The field is emptied from time to time: touch keyboards look at all of it. */
const LONGEST = 200;

export class Typing {
    #stage;
    #field;
    #input;
    #command;
    // What of the field the host has.
    #before = "";
    #isComposing = false;
    // What is being composed, as the browser says.
    #composed = "";
    /**
     * What was being composed when the host's caret moved; `null` where nothing was.
     * @type {string | null}
     */
    #left = null;
    // Whether what is sent comes of the field itself.
    #isOwn = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    // Whether words that are still being composed are typed at once, and corrected there.
    #isLive;

    /**
     * @param {HTMLElement} stage
     * @param {HTMLTextAreaElement} field
     * @param {import("./input.js").Input} input
     * @param {(code: string) => boolean} command Control, Alt, Shift and this key: whether the page has a use for it
     */
    constructor(stage, field, input, command) {
        this.#stage = stage;
        this.#field = field;
        this.#input = input;
        this.#command = command;
        this.keyboard = new Keyboard({platform: platform()});
        input.before = () => this.keyboard.flush();
        input.caretMoved = () => { if (!this.#isOwn) this.#startAnew(); };
        // What is composed there is not what is typed in the end.
        this.#isLive = !navigator.languages?.some((language) => /^(zh|ja|ko)\b/.test(language));
        this.#empty();

        stage.addEventListener("keydown", (event) => this.#pressed(event));
        stage.addEventListener("keyup", (event) => {
            if (this.keyboard.takes(event)) event.preventDefault();
            this.#act(this.keyboard.keyUp(event));
        });
        field.addEventListener("compositionstart", () => {
            this.#isComposing = true;
            this.#composed = "";
            field.classList.toggle("is-composing", !this.isTouch || !this.#isLive);
        });
        field.addEventListener("compositionupdate", ({data}) => { this.#composed = data ?? ""; });
        field.addEventListener("compositionend", ({data}) => {
            this.#composed = data ?? this.#composed;
            this.#isComposing = false;
            field.classList.remove("is-composing");
            const isAnew = this.#left !== null;
            this.#typed();
            this.#composed = "";
            if (isAnew) this.#empty();
        });
        field.addEventListener("input", () => {
            if (!this.#isComposing || this.#goesAtOnce) this.#typed();
        });
        field.addEventListener("blur", () => { if (this.isTouch) this.hideTouchKeyboard(); });
    }

    /** Whether a touch keyboard is open. */
    isTouch = false;

    /**
     * Whether a key that is the host's is left to the browser, too, which pastes by it.
     * @type {(event: KeyboardEvent) => boolean}
     */
    pastes = () => false;

    /**
     * Called when the touch keyboard opens or closes.
     * @type {() => void}
     */
    touchKeyboardChanged = () => {};

    /**
     * Keys go to the host from now on.
     * @param {"mouse" | "touch"} kind what the person uses
     */
    focus(kind) {
        // A field would open a touch keyboard.
        const wanted = kind === "touch" && !this.isTouch ? this.#stage : this.#field;
        if (document.activeElement !== wanted) wanted.focus({preventScroll: true});
    }

    showTouchKeyboard() {
        this.#setTouch(true);
        this.#field.focus({preventScroll: true});
        this.touchKeyboardChanged();
    }

    hideTouchKeyboard() {
        if (!this.isTouch) return;
        this.#setTouch(false);
        if (document.activeElement === this.#field) this.#stage.focus({preventScroll: true});
        this.touchKeyboardChanged();
    }

    /** @param {boolean} isTouch */
    #setTouch(isTouch) {
        this.isTouch = isTouch;
        this.#field.classList.toggle("is-touch", isTouch);
        this.#empty();
    }

    /**
     * A key of the special keyboard.
     * @param {string} code
     */
    press(code) { this.#act(this.keyboard.press(code)); }

    /** What pastes at the host. */
    paste() { this.#act(this.keyboard.paste()); }

    /**
     * A sticky modifier of it.
     * @param {"cmd" | "ctrl" | "alt" | "shift"} name
     */
    toggle(name) { this.#act(this.keyboard.toggle(name)); }

    /**
     * The host's locks are to be those of here.
     * @param {PointerEvent} event a mouse's: a finger has no keyboard
     */
    tellLocks(event) {
        if (event.pointerType === "mouse" && this.#input.isAllowed) this.#act(this.keyboard.locks(event));
    }

    /** Nothing is down here any more; the host is told by `Input.releaseAll`. */
    forget() {
        clearTimeout(this.#timer);
        this.keyboard.releaseAll();
        this.#startAnew();
    }

    /** Whether what is still being composed is at the host already. */
    get #goesAtOnce() { return this.isTouch && this.#isLive; }

    /**
     * The host's caret may be elsewhere, or something else be before it: what is in the field is no longer what a
     * correction would find there, and goes. What is still being composed goes on, at the new place.
     */
    #startAnew() {
        if (this.#isComposing) this.#left = this.#composed;
        // Else it would be gone before it is typed.
        if (!this.#isComposing || this.#goesAtOnce) this.#empty();
    }

    /**
     * What the host has of a field in which something was being composed when its caret moved.
     * @param {string} now
     */
    #hadOf(now) {
        const left = this.#left;
        this.#left = null;
        // Some touch keyboards write it into the emptied field again. It is at the host, where the caret was.
        if (this.#goesAtOnce) return now.startsWith(FILLER + left) ? FILLER + left : this.#before;
        return now.endsWith(this.#composed) ? now.slice(0, now.length - this.#composed.length) : this.#before;
    }

    /** @param {KeyboardEvent} event */
    #pressed(event) {
        if (isCommand(event) && this.#command(event.code)) {
            event.preventDefault();
            event.stopPropagation();
            return;
        }
        const isTaken = this.keyboard.takes(event);
        // Who only watches keeps the keyboard for the page: Tab leads to the bar.
        if (!this.#input.isAllowed) {
            if (isTaken && event.key.length === 1 && !event.repeat) this.#input.act({type: "keyDown"});
            return;
        }
        if (isTaken && !this.pastes(event)) event.preventDefault();
        this.#act(this.keyboard.keyDown(event));
    }

    #typed() {
        const now = this.#field.value;
        const {erased, text} = changeOf(this.#left === null ? this.#before : this.#hadOf(now), now);
        this.#before = now;
        // What the field itself sends leaves it as it is.
        this.#isOwn = true;
        for (let i = 0; i < erased; i++) this.#act(this.keyboard.press("Backspace"));
        text.split("\n").forEach((line, number) => {
            if (number) this.#act(this.keyboard.press("Enter"));
            this.#act(this.keyboard.text(line));
        });
        this.#isOwn = false;
        if (this.#isComposing) return;
        const isWorn = now.length > LONGEST || now.length < FILLER.length / 2;
        if (!this.isTouch || isWorn || text.includes("\n")) this.#empty();
    }

    #empty() {
        this.#before = this.isTouch ? FILLER : "";
        // A touch keyboard begins anew whenever it is set.
        if (this.#field.value === this.#before) return;
        this.#field.value = this.#before;
        this.#field.setSelectionRange(this.#before.length, this.#before.length);
    }

    /** @param {import("./input.js").Message[]} messages */
    #act(messages) {
        this.#input.actAll(messages);
        clearTimeout(this.#timer);
        const {deadline} = this.keyboard;
        // Of the same clock as the events' times.
        if (deadline !== null) {
            const due = () => this.#act(this.keyboard.tick(performance.now()));
            this.#timer = setTimeout(due, deadline - performance.now());
        }
    }
}

/**
 * Control, Alt and Shift are down. Windows tells an AltGr as Control and Alt: with Shift it types a character.
 * @param {KeyboardEvent} event
 */
function isCommand(event) {
    return event.ctrlKey && event.altKey && event.shiftKey && !event.repeat && !event.getModifierState("AltGraph");
}

function platform() {
    const name = navigator.userAgentData?.platform ?? navigator.platform ?? "";
    return /^(mac|ip)/i.test(name) ? "mac" : /^win/i.test(name) ? "windows" : "";
}
