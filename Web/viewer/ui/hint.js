// What fingers do, shown over the picture's lower edge when somebody touches it for the first time in this browser. It
// takes no touch away from the host but on its own button.

import {words} from "../language/language.js";

/** Milliseconds that it stays when nobody closes it. */
const PATIENCE = 20_000;

/** What fingers do and what that means, by `words.fingers`. */
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
     * @param {HTMLElement} box @param {HTMLElement} list @param {HTMLElement} button closes it
     * @param {() => void} closed the person has seen it
     */
    constructor(box, list, button, closed) {
        this.#box = box;
        this.#list = list;
        this.#closed = closed;
        button.addEventListener("click", () => this.close());
    }

    get isShown() { return !this.#box.hidden; }

    /** @param {boolean} isDirect whether the pointer is under the finger */
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

    /** The picture has gone: it is shown another time. */
    hide() {
        clearTimeout(this.#timer);
        this.#box.hidden = true;
    }
}
