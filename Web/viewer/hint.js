// What fingers do, shown over the picture's lower edge when somebody touches it for the first time in this browser. It
// takes no touch away from the host but on its own button.

/** Milliseconds that it stays when nobody closes it. */
const PATIENCE = 20_000;

const TRACKPAD = [
    ["Drag", "moves the pointer"], ["Tap", "clicks"], ["Tap, then drag", "drags"], ["Two fingers tap", "right click"],
    ["Two fingers drag", "scroll"], ["Pinch", "zooms the view"],
];
const DIRECT = [
    ["Tap", "clicks there"], ["Drag", "drags there"], ["Rest", "right click there"], ["Two fingers drag", "scroll"],
    ["Pinch", "zooms the view"],
];

export class Hint {
    #box;
    #list;
    #closed;
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
        this.#list.replaceChildren(...(isDirect ? DIRECT : TRACKPAD).flatMap(([fingers, meaning]) => {
            const term = document.createElement("dt"), words = document.createElement("dd");
            term.textContent = fingers;
            words.textContent = meaning;
            return [term, words];
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
