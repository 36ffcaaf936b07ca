// Received files in memory until the browser has taken them.

/** The bytes from which on pieces become a Blob, which browsers keep out of the page's own memory. */
const PIECE_SIZE = 1 << 20;

/** The store of a batch. @implements {import("./downloadplace.js").Store} */
export class MemoryFiles {
    /** What a download may take to begin: from then on the browser has the content. */
    patience = 60_000;
    #release;

    /** @param {() => void} release it is held no longer */
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
