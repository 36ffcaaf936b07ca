// Asks before the page goes while its person drives: Ctrl+W closes a browser's tab, and deletes a word in many a program
// of the host.

export class Departure {
    #isMeant = false;

    /** @param {Window} window @param {() => boolean} isAsked whether there is something to ask for */
    constructor(window, isAsked) {
        window.addEventListener("beforeunload", (event) => { if (!this.#isMeant && isAsked()) event.preventDefault(); });
    }

    /**
     * Does what makes the page go, and is meant to.
     * @param {() => void} go
     */
    go(go) {
        this.#isMeant = true;
        go();
    }
}
