// Holds received files in memory until the browser has saved them.

/** The size in bytes at which pieces are combined to a Blob, which browsers may keep outside the page's memory. */
const PIECE_SIZE = 1 << 20;

/** The store of a batch in memory. @implements {import("./downloadplace.js").Store} */
export class MemoryFiles {
    /** The time in milliseconds for a download to start; from then on the browser holds the content itself. */
    patience = 60_000;
    #release;

    /** @param {() => void} release called when the memory is no longer needed */
    constructor(release) { this.#release = release; }

    async open() { return new MemoryFile(); }

    /** @param {boolean} isSaved */
    close(isSaved) {
        if (isSaved) setTimeout(this.#release, this.patience);
        else this.#release();
    }
}

class MemoryFile {
    /** @type {Blob[]} */
    #blobs = [];
    /** @type {Uint8Array[]} */
    #pieces = [];
    #inPieces = 0;

    /** @param {Uint8Array} bytes */
    async append(bytes) {
        this.#pieces.push(bytes);
        this.#inPieces += bytes.length;
        if (this.#inPieces < PIECE_SIZE) return;
        this.#blobs.push(new Blob(this.#pieces));
        this.#pieces = [];
        this.#inPieces = 0;
    }

    async finish() { return new Blob([...this.#blobs, ...this.#pieces]); }

    async empty() {
        this.#blobs = [];
        this.#pieces = [];
        this.#inPieces = 0;
    }

    discard() { return this.empty(); }
}
