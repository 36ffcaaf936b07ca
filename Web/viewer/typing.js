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
    #before = "";
    #isComposing = false;
    #timer;
    // Whether words that are still being composed are typed at once, and corrected there.
    #isLive;

    /**
     * @param {HTMLElement} stage
     * @param {HTMLTextAreaElement} field
     * @param {import("./input.js").Input} input
     * @param {(code: string) => boolean} command Control, Alt, Shift and this key: whether the page has a use for it
     * @param {boolean} hasCapsLock whether an earlier page has switched on the host's
     */
    constructor(stage, field, input, command, hasCapsLock = false) {
        this.#stage = stage;
        this.#field = field;
        this.#input = input;
        this.#command = command;
        this.keyboard = new Keyboard({platform: platform(), hasCapsLock});
        input.before = () => this.keyboard.flush();
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
            field.classList.toggle("is-composing", !this.isTouch || !this.#isLive);
        });
        field.addEventListener("compositionend", () => {
            this.#isComposing = false;
            field.classList.remove("is-composing");
            this.#typed();
        });
        field.addEventListener("input", () => {
            if (!this.#isComposing || (this.isTouch && this.#isLive)) this.#typed();
        });
        field.addEventListener("blur", () => { if (this.isTouch) this.hideTouchKeyboard(); });
    }

    /** Whether a touch keyboard is open. */
    isTouch = false;

    /** Called when the touch keyboard opens or closes. @type {() => void} */
    touchKeyboardChanged = () => {};

    /** Keys go to the host from now on. @param {"mouse" | "touch"} kind what the person uses */
    focus(kind) {
        // A field would open a touch keyboard.
        const wanted = kind === "touch" && !this.isTouch ? this.#stage : this.#field;
        if (document.activeElement !== wanted) wanted.focus({preventScroll: true});
    }

    get hasFocus() { return this.#stage.contains(document.activeElement); }

    showTouchKeyboard() {
        this.isTouch = true;
        this.#empty();
        this.#field.focus({preventScroll: true});
        this.touchKeyboardChanged();
    }

    hideTouchKeyboard() {
        if (!this.isTouch) return;
        this.isTouch = false;
        this.#empty();
        if (document.activeElement === this.#field) this.#stage.focus({preventScroll: true});
        this.touchKeyboardChanged();
    }

    /** A key of the special keyboard. */
    press(code) { this.#act(this.keyboard.press(code)); }

    /** A sticky modifier of it. */
    toggle(name) { this.#act(this.keyboard.toggle(name)); }

    /** Nothing is down here any more; the host is told by `Input.releaseAll`. */
    forget() {
        clearTimeout(this.#timer);
        this.keyboard.releaseAll();
    }

    #pressed(event) {
        if (event.ctrlKey && event.altKey && event.shiftKey && !event.repeat && this.#command(event.code)) {
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
        if (isTaken) event.preventDefault();
        this.#act(this.keyboard.keyDown(event));
    }

    #typed() {
        const now = this.#field.value;
        const {erased, text} = changeOf(this.#before, now);
        this.#before = now;
        for (let i = 0; i < erased; i++) this.#act(this.keyboard.press("Backspace"));
        text.split("\n").forEach((line, number) => {
            if (number) this.#act(this.keyboard.press("Enter"));
            this.#act(this.keyboard.text(line));
        });
        if (this.#isComposing) return;
        const isWorn = now.length > LONGEST || now.length < FILLER.length / 2;
        if (!this.isTouch || isWorn || text.includes("\n")) this.#empty();
    }

    #empty() {
        this.#field.value = this.#before = this.isTouch ? FILLER : "";
        this.#field.setSelectionRange(this.#before.length, this.#before.length);
    }

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

function platform() {
    const name = navigator.userAgentData?.platform ?? navigator.platform ?? "";
    return /^(mac|ip)/i.test(name) ? "mac" : /^win/i.test(name) ? "windows" : "";
}
