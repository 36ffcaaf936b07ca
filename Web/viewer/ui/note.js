// A note at the bottom of the page, which disappears by itself.

/** The time in milliseconds for which a note is shown, and the time for a hint, which no action of the user has caused. */
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
     * Shows a hint: at the side, where it covers less, and only until the first key press. It does not stay while a mouse rests
     * on it.
     * @param {string} text
     */
    hint(text) {
        this.say(text);
        this.#box.classList.add("is-hint");
        this.#wait(HINT_PATIENCE, false);
    }

    /** Hides a hint when a key is sent to the host, because it would cover what is typed. */
    typed() { if (this.#box.classList.contains("is-hint")) this.hide(); }

    /** @param {string} text @param {{label: string, act: () => void} | false} [offer] an action for the note's button */
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
            // Keep the note while its button has the focus or the mouse is on it.
            const isRead = this.#box.contains(document.activeElement) || this.#box.matches(":hover");
            if (isPatient && isRead) this.#wait();
            else this.hide();
        }, patience);
    }

    get isShown() { return !this.#box.hidden; }

    hide() {
        // Return early for a hidden note, because every press calls this, and styling costs time.
        if (this.#box.hidden) return;
        this.#box.hidden = true;
        this.#text.textContent = "";
    }
}
