// Explains touch gestures at the picture's lower edge, when they are used for the first time in this browser. Only its button
// receives touches; all others are sent to the host.

import {words} from "../language/language.js";

/** The time in milliseconds after which the hint is hidden. */
const PATIENCE = 20_000;

/** The gestures and their effects, by the keys of `words.fingers`. */
const TRACKPAD = [
    ["drag", "moves"], ["tap", "clicks"], ["tapDrag", "drags"], ["twoTap", "rightClick"], ["twoDrag", "scrolls"],
    ["pinch", "zooms"],
];
const DIRECT = [
    ["tap", "clicksThere"], ["drag", "dragsThere"], ["rest", "rightClickThere"], ["twoDrag", "scrolls"],
    ["pinch", "zooms"],
];

export class Hint {
    #box;
    #list;
    #closed;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;

    /**
     * @param {HTMLElement} box @param {HTMLElement} list @param {HTMLElement} button closes the hint
     * @param {() => void} closed called when the user has seen the hint
     */
    constructor(box, list, button, closed) {
        this.#box = box;
        this.#list = list;
        this.#closed = closed;
        button.addEventListener("click", () => this.close());
    }

    get isShown() { return !this.#box.hidden; }

    /** @param {boolean} isDirect true if the pointer is under the finger */
    show(isDirect) {
        /** @type {Record<string, string>} */
        const texts = words.fingers;
        this.#list.replaceChildren(...(isDirect ? DIRECT : TRACKPAD).flatMap(([fingers, meaning]) => {
            const term = document.createElement("dt"), description = document.createElement("dd");
            term.textContent = texts[fingers];
            description.textContent = texts[meaning];
            return [term, description];
        }));
        this.#box.hidden = false;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.close(), PATIENCE);
    }

    close() {
        if (!this.isShown) return;
        this.hide();
        this.#closed();
    }

    /** Hides the hint together with the picture; it is shown again the next time. */
    hide() {
        clearTimeout(this.#timer);
        this.#box.hidden = true;
    }
}
