// A line at the bottom that says something and goes by itself.

/** Milliseconds that it stays; and a hint, which is no answer to anything that the person has done. */
const PATIENCE = 5000, HINT_PATIENCE = 4000;

export class Note {
    #box;
    #text;
    #button;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;

    /** @param {HTMLElement} box @param {HTMLElement} text @param {HTMLButtonElement} button */
    constructor(box, text, button) {
        this.#box = box;
        this.#text = text;
        this.#button = button;
    }

    /**
     * Says what is good to know once: at the side, where a person's own text seldom is, and gone with the first key. It
     * does not stay for a mouse that happens to rest there.
     * @param {string} text
     */
    hint(text) {
        this.say(text);
        this.#box.classList.add("is-hint");
        this.#wait(HINT_PATIENCE, false);
    }

    /** A key goes to the host: what was only good to know is not to be in the way of what it writes. */
    typed() { if (this.#box.classList.contains("is-hint")) this.hide(); }

    /** @param {string} text @param {{label: string, act: () => void} | false} [offer] what can be done about it */
    say(text, offer = false) {
        this.#box.hidden = false;
        this.#box.classList.remove("is-hint");
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

    #wait(patience = PATIENCE, isPatient = true) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
            // Who is at its button, or reads it, is left the time.
            const isRead = this.#box.contains(document.activeElement) || this.#box.matches(":hover");
            if (isPatient && isRead) this.#wait();
            else this.hide();
        }, patience);
    }

    get isShown() { return !this.#box.hidden; }

    hide() {
        // Every press hides it: what is hidden is not to be styled again for that.
        if (this.#box.hidden) return;
        this.#box.hidden = true;
        this.#text.textContent = "";
    }
}
