// Asks before the page is closed while its user drives: Ctrl+W closes a browser's tab, but deletes a word in many programs of
// the host.

export class Departure {
    #isMeant = false;

    /** @param {Window} window @param {() => boolean} isAsked returns true if the user has to be asked */
    constructor(window, isAsked) {
        window.addEventListener("beforeunload", (event) => { if (!this.#isMeant && isAsked()) event.preventDefault(); });
    }

    /**
     * Leaves the page intentionally, without asking.
     * @param {() => void} go
     */
    go(go) {
        this.#isMeant = true;
        go();
    }
}
