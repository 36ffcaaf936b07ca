// A line at the bottom that says something and goes by itself.

/** Milliseconds that it stays. */
const PATIENCE = 5000;

export class Note {
    #box;
    #text;
    #button;
    #timer;

    /** @param {HTMLElement} box @param {HTMLElement} text @param {HTMLButtonElement} button */
    constructor(box, text, button) {
        this.#box = box;
        this.#text = text;
        this.#button = button;
    }

    /** @param {string} text @param {{label: string, act: () => void} | false} [offer] what can be done about it */
    say(text, offer = false) {
        this.#box.hidden = false;
        if (this.#text.textContent !== text) this.#text.textContent = text;
        this.#button.hidden = !offer;
        if (offer) {
            this.#button.textContent = offer.label;
            this.#button.onclick = () => {
                offer.act();
                this.hide();
            };
        }
        this.#wait();
    }

    #wait() {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
            // Who is at its button, or reads it, is left the time.
            if (this.#box.contains(document.activeElement) || this.#box.matches(":hover")) this.#wait();
            else this.hide();
        }, PATIENCE);
    }

    get isShown() { return !this.#box.hidden; }

    hide() {
        // Every press hides it: what is hidden is not to be styled again for that.
        if (this.#box.hidden) return;
        this.#box.hidden = true;
        this.#text.textContent = "";
    }
}
