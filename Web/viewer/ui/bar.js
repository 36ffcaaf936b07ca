// The bar that hides, and the panels that hang from it.

/** Milliseconds that it stays when nothing happens in it. */
const PATIENCE = 2500;
/** The same where there is something new in it, which has to be seen, read and reached. */
export const NEWS_PATIENCE = 8000;
/** Milliseconds that a mouse rests on the handle until it opens. */
const DWELL = 220;

export class Bar {
    #top;
    #handle;
    #bar;
    #panels = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #isHovered = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #dwell;

    /**
     * Called when the person is done with it: keys go to the host again.
     * @type {() => void}
     */
    dismissed = () => {};

    /** @param {HTMLElement} top holds bar and panels @param {HTMLElement} bar @param {HTMLElement} handle */
    constructor(top, bar, handle) {
        this.#top = top;
        this.#bar = bar;
        this.#handle = handle;
        handle.addEventListener("click", () => this.show());
        // A mouse need not click, but one that passes by has other business there.
        handle.addEventListener("pointerenter", ({pointerType}) => {
            if (pointerType === "mouse") this.#dwell = setTimeout(() => this.show(), DWELL);
        });
        handle.addEventListener("pointerleave", () => clearTimeout(this.#dwell));
        top.addEventListener("pointerenter", () => { this.#isHovered = true; }, true);
        top.addEventListener("pointerleave", ({target, pointerType}) => {
            if (target !== bar && !/** @type {Partial<Element>} */ (target).classList?.contains("panel")) return;
            this.#isHovered = false;
            this.#wait(pointerType === "touch" ? PATIENCE * 2 : PATIENCE);
        }, true);
        top.addEventListener("focusin", () => this.show());
        top.addEventListener("focusout", () => this.#wait());
        top.addEventListener("keydown", (event) => this.#pressed(event));
        // Who clicked with a mouse goes on typing to the host; `detail` is 0 where a key did it.
        top.addEventListener("click", ({detail}) => { if (detail && !this.#isOpen) this.dismissed(); });
    }

    /** @param {HTMLElement} button opens @param {HTMLElement} panel @param {() => void} [opening] fills it */
    addPanel(button, panel, opening = () => {}) {
        this.#panels.set(panel, button);
        button.addEventListener("click", ({detail}) => {
            const wasOpen = !panel.hidden;
            this.closePanels();
            if (wasOpen) return;
            opening();
            panel.hidden = false;
            button.setAttribute("aria-expanded", "true");
            // Who came by keys goes on in it.
            if (!detail) firstOf(panel)?.focus();
        });
    }

    closePanels() {
        for (const [panel, button] of this.#panels) {
            if (panel.hidden) continue;
            panel.hidden = true;
            button.setAttribute("aria-expanded", "false");
        }
    }

    get #isOpen() { return [...this.#panels.keys()].some((panel) => !panel.hidden); }

    /**
     * Part of the page while there is a picture.
     * @param {boolean} wanted
     */
    set isPresent(wanted) {
        this.#top.hidden = !wanted;
        if (wanted) this.show();
        else {
            this.#handle.hidden = true;
            this.closePanels();
        }
    }

    get isShown() { return !this.#top.classList.contains("is-away"); }

    /** @param {number} [patience] milliseconds that it stays when nothing happens in it */
    show(patience) {
        this.#top.classList.remove("is-away");
        this.#handle.hidden = true;
        this.#wait(patience);
    }

    hide() {
        clearTimeout(this.#timer);
        this.closePanels();
        // Every press hides it: what is hidden is not to be styled again for that.
        if (!this.isShown && this.#handle.hidden === this.#top.hidden) return;
        this.#top.classList.add("is-away");
        this.#handle.hidden = this.#top.hidden;
    }

    /** By keyboard: shows it and goes there. */
    enter() {
        this.show();
        const first = /** @type {HTMLElement | null} */ (this.#bar.querySelector("button:not([hidden])"));
        first?.focus();
    }

    #wait(patience = PATIENCE) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
            if (this.#isHovered || this.#isOpen || this.#top.contains(document.activeElement)) return this.#wait();
            this.hide();
        }, patience);
    }

    // Arrows go along the bar, as in any toolbar; Escape goes from a panel to its button, and back to the picture.
    /** @param {KeyboardEvent} event */
    #pressed(event) {
        if (event.key === "Escape") {
            const [, button] = [...this.#panels].find(([panel]) => !panel.hidden) ?? [];
            this.closePanels();
            if (button) return button.focus();
            this.hide();
            return this.dismissed();
        }
        const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
        const from = /** @type {HTMLButtonElement} */ (event.target);
        if (!step || !this.#bar.contains(from)) return;
        const buttons = [...this.#bar.querySelectorAll("button")].filter((button) => button.offsetParent);
        const next = buttons.indexOf(from) + step;
        buttons[(next + buttons.length) % buttons.length].focus();
        event.preventDefault();
    }
}

/**
 * What of a panel the focus goes to first: what is chosen, where there is a choice.
 * @param {HTMLElement} panel
 */
function firstOf(panel) {
    const found = /** @type {NodeListOf<HTMLInputElement>} */ (panel.querySelectorAll("button, input"));
    const all = [...found].filter((each) => each.offsetParent);
    return all.find((each) => each.checked || each.getAttribute("aria-checked") === "true") ?? all[0];
}
