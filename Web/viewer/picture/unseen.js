// Suspends the picture while the page is hidden: the host sends none, and encodes none if there is no other viewer. Sound
// continues.

/** The time in milliseconds for which the page has to be hidden before the picture is suspended. */
export const UNSEEN_LIMIT = 2000;

export class Unseen {
    #tell;
    #isOn = false;
    #isTold = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;

    /** @param {(message: object) => boolean} tell sends a message to the host */
    constructor(tell) { this.#tell = tell; }

    /** Handles that the host can suspend the picture. */
    begin() {
        this.#isOn = true;
        this.changed();
    }

    /** Ends the session; the next one begins with the picture. */
    end() {
        clearTimeout(this.#timer);
        this.#timer = undefined;
        this.#isOn = this.#isTold = false;
    }

    /** Handles that the page was hidden or shown. */
    changed() {
        clearTimeout(this.#timer);
        if (!this.#isOn) return;
        if (document.hidden && !this.#isTold) this.#timer = setTimeout(() => this.#say(false), UNSEEN_LIMIT);
        else if (!document.hidden && this.#isTold) this.#say(true);
    }

    /** @param {boolean} enabled */
    #say(enabled) { if (this.#tell({type: "videoEnabled", enabled})) this.#isTold = !enabled; }
}
