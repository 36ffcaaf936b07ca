// Handles the keyboard: physical keys by the rules of keyboard.js, and text from a hidden text field, into which input methods,
// dead keys and touch keyboards write.

import {Keyboard} from "./keyboard.js";
import {changeOf} from "./text.js";

/** Text before the caret, so that a touch keyboard has something to erase. */
const FILLER = " ".repeat(24);
/** The length at which the field is emptied, because touch keyboards process all of it. */
const LONGEST = 200;

export class Typing {
    #stage;
    #field;
    #input;
    #command;
    // The part of the field's text that the host has.
    #before = "";
    #isComposing = false;
    // The text that is being composed, as reported by the browser.
    #composed = "";
    /**
     * The text that was being composed when the host's caret moved; `null` if there was none.
     * @type {string | null}
     */
    #left = null;
    // True while sending changes of the field itself.
    #isOwn = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    // True if text is typed while it is still being composed, and corrected at the host.
    #isLive;

    /**
     * @param {HTMLElement} stage
     * @param {HTMLTextAreaElement} field
     * @param {import("./input.js").Input} input
     * @param {(code: string) => boolean} command executes the page's command for Control, Alt, Shift and this key; returns
     *   false if there is none
     */
    constructor(stage, field, input, command) {
        this.#stage = stage;
        this.#field = field;
        this.#input = input;
        this.#command = command;
        this.keyboard = new Keyboard({platform: platform()});
        input.before = () => this.keyboard.flush();
        input.caretMoved = () => { if (!this.#isOwn) this.#startAnew(); };
        // In these languages, the composed text differs from the final text.
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

    /** True if a touch keyboard is open. */
    isTouch = false;

    /**
     * Returns true if the browser has to handle a key of the host, too, because it pastes.
     * @type {(event: KeyboardEvent) => boolean}
     */
    pastes = () => false;

    /**
     * Called when the touch keyboard opens or closes.
     * @type {() => void}
     */
    touchKeyboardChanged = () => {};

    /**
     * Focuses the element that sends keys to the host.
     * @param {"mouse" | "touch"} kind the kind of device in use
     */
    focus(kind) {
        // Focusing the text field would open a touch keyboard.
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
     * Presses a key of the special keyboard.
     * @param {string} code
     */
    press(code) { this.#act(this.keyboard.press(code)); }

    /** Presses the paste keys at the host. */
    paste() { this.#act(this.keyboard.paste()); }

    /**
     * Toggles a sticky modifier of the special keyboard.
     * @param {"cmd" | "ctrl" | "alt" | "shift"} name
     */
    toggle(name) { this.#act(this.keyboard.toggle(name)); }

    /**
     * Sends this machine's lock states to the host.
     * @param {PointerEvent} event only mouse events are used, because touch devices may have no keyboard
     */
    tellLocks(event) {
        if (event.pointerType === "mouse" && this.#input.isAllowed) this.#act(this.keyboard.locks(event));
    }

    /** Forgets all keys that are down; `Input.releaseAll` notifies the host. */
    forget() {
        clearTimeout(this.#timer);
        this.keyboard.releaseAll();
        this.#startAnew();
    }

    /** True if text that is still being composed is sent at once. */
    get #goesAtOnce() { return this.isTouch && this.#isLive; }

    /**
     * Starts again after the host's caret may have moved, or the text before it may have changed: the field is emptied, because
     * a correction would no longer match the host's text. A composition in progress continues at the new position.
     */
    #startAnew() {
        if (this.#isComposing) this.#left = this.#composed;
        // Otherwise the composed text would be lost before it is sent.
        if (!this.#isComposing || this.#goesAtOnce) this.#empty();
    }

    /**
     * Returns the part of the field's text that the host has, if text was being composed when the host's caret moved.
     * @param {string} now
     */
    #hadOf(now) {
        const left = this.#left;
        this.#left = null;
        // Some touch keyboards write the composed text into the emptied field again. The host has it at the old caret position.
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
        // A viewer without control keeps the keyboard for the page, so that Tab moves to the bar.
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
        // Input from the field itself does not empty the field.
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
        // Setting the value resets a touch keyboard.
        if (this.#field.value === this.#before) return;
        this.#field.value = this.#before;
        this.#field.setSelectionRange(this.#before.length, this.#before.length);
    }

    /** @param {import("./input.js").Message[]} messages */
    #act(messages) {
        this.#input.actAll(messages);
        clearTimeout(this.#timer);
        const {deadline} = this.keyboard;
        // The same clock as the events' times.
        if (deadline !== null) {
            const due = () => this.#act(this.keyboard.tick(performance.now()));
            this.#timer = setTimeout(due, deadline - performance.now());
        }
    }
}

/**
 * True if Control, Alt and Shift are down, but not AltGr, which Windows reports as Control and Alt: with Shift, AltGr types a
 * character.
 * @param {KeyboardEvent} event
 */
function isCommand(event) {
    return event.ctrlKey && event.altKey && event.shiftKey && !event.repeat && !event.getModifierState("AltGraph");
}

function platform() {
    const name = navigator.userAgentData?.platform ?? navigator.platform ?? "";
    return /^(mac|ip)/i.test(name) ? "mac" : /^win/i.test(name) ? "windows" : "";
}
