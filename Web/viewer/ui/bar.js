// The auto-hiding bar, and its panels.

/** The time in milliseconds after which an unused bar is hidden. */
const PATIENCE = 2500;
/** The same time if the bar shows something new, which has to be noticed, read and reached. */
export const NEWS_PATIENCE = 8000;
/** The time in milliseconds for which a mouse has to rest on the handle to open the bar. */
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
     * Called when the user has finished with the bar, so that keys are sent to the host again.
     * @type {() => void}
     */
    dismissed = () => {};

    /**
     * @param {HTMLElement} top the element that contains the bar and the panels @param {HTMLElement} bar @param {HTMLElement}
     *   handle
     */
    constructor(top, bar, handle) {
        this.#top = top;
        this.#bar = bar;
        this.#handle = handle;
        handle.addEventListener("click", () => this.show());
        // A mouse opens the bar without a click, but not when it only passes by.
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
        // After a click with a mouse, keys are sent to the host again; `detail` is 0 for a click by a key.
        top.addEventListener("click", ({detail}) => { if (detail && !this.#isOpen) this.dismissed(); });
    }

    /** @param {HTMLElement} button opens the panel @param {HTMLElement} panel @param {() => void} [opening] fills it */
    addPanel(button, panel, opening = () => {}) {
        this.#panels.set(panel, button);
        button.addEventListener("click", ({detail}) => {
            const wasOpen = !panel.hidden;
            this.closePanels();
            if (wasOpen) return;
            opening();
            panel.hidden = false;
            button.setAttribute("aria-expanded", "true");
            // If a key opened the panel, move the focus into it.
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
     * Shows or removes the bar, which is part of the page only while there is a picture.
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

    /** @param {number} [patience] the time in milliseconds after which the bar is hidden if it is not used */
    show(patience) {
        this.#top.classList.remove("is-away");
        this.#handle.hidden = true;
        this.#wait(patience);
    }

    hide() {
        clearTimeout(this.#timer);
        this.closePanels();
        // Return early for a hidden bar, because every press calls this, and styling costs time.
        if (!this.isShown && this.#handle.hidden === this.#top.hidden) return;
        this.#top.classList.add("is-away");
        this.#handle.hidden = this.#top.hidden;
    }

    /** Shows the bar and moves the focus into it, for use by keyboard. */
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

    // Arrow keys move along the bar, as in any toolbar; Escape moves from a panel to its button, and then back to the picture.
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
 * Returns the element of a panel to focus first: the selected one of a choice, if there is one.
 * @param {HTMLElement} panel
 */
function firstOf(panel) {
    const found = /** @type {NodeListOf<HTMLInputElement>} */ (panel.querySelectorAll("button, input"));
    const all = [...found].filter((each) => each.offsetParent);
    return all.find((each) => each.checked || each.getAttribute("aria-checked") === "true") ?? all[0];
}
