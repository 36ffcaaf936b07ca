// Keeps the display on while a picture is watched: a phone that only shows one would go to sleep. Browsers give this to
// secure contexts alone.

export class Awake {
    #isWanted = false;
    /** @type {PageWakeLock | null} */
    #lock = null;

    /** Also when the page is seen again: browsers take the lock away while it is hidden. */
    hold() {
        this.#isWanted = true;
        navigator.wakeLock?.request("screen").then((lock) => {
            // It may come after its time, or beside one that is still held.
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
