// Keeps the display on while a picture is watched, because a phone without input would turn it off. Browsers support this in
// secure contexts only.

export class Awake {
    #isWanted = false;
    /** @type {PageWakeLock | null} */
    #lock = null;

    /**
     * Requests the lock. Also has to be called when the page is shown again, because browsers release the lock of a hidden
     * page.
     */
    hold() {
        this.#isWanted = true;
        navigator.wakeLock?.request("screen").then((lock) => {
            // The lock may arrive after `release`, or while another one is held.
            if (!this.#isWanted || (this.#lock && !this.#lock.released)) void lock.release().catch(() => {});
            else this.#lock = lock;
        }, () => {});
    }

    release() {
        this.#isWanted = false;
        const lock = this.#lock;
        this.#lock = null;
        lock?.release().catch(() => {});
    }
}
