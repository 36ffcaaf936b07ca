// A page that nobody can see needs no picture: the host sends none, and codes none where nobody else watches. Sound goes
// on.

/** Milliseconds for which a page is not seen before that: who looks elsewhere for a moment finds the picture going on. */
export const UNSEEN_LIMIT = 2000;

export class Unseen {
    #tell;
    #isOn = false;
    #isTold = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;

    /** @param {(message: object) => boolean} tell the host */
    constructor(tell) { this.#tell = tell; }

    /** The host can do without sending the picture. */
    begin() {
        this.#isOn = true;
        this.changed();
    }

    /** The session has ended: the next one begins with the picture. */
    end() {
        clearTimeout(this.#timer);
        this.#timer = undefined;
        this.#isOn = this.#isTold = false;
    }

    /** The page is seen, or is not any more. */
    changed() {
        clearTimeout(this.#timer);
        if (!this.#isOn) return;
        if (document.hidden && !this.#isTold) this.#timer = setTimeout(() => this.#say(false), UNSEEN_LIMIT);
        else if (!document.hidden && this.#isTold) this.#say(true);
    }

    /** @param {boolean} enabled */
    #say(enabled) { if (this.#tell({type: "videoEnabled", enabled})) this.#isTold = !enabled; }
}
