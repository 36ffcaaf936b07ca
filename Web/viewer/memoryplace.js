// Where received files are put as every browser can: in memory, and handed over as a download when the batch is over. One
// file comes as it is, several and folders as one ZIP archive.

import {numbered, safeName} from "./safename.js";
import {crc32, zip} from "./zip.js";

/** The most bytes of all batches that are held. */
export const MEMORY_LIMIT = 512 << 20;
/** The bytes from which on pieces become a Blob, which browsers keep out of the page's own memory. */
const PIECE_SIZE = 1 << 20;

export class MemoryPlace {
    #name;
    #download;
    /** What is there, by its path without regard to case: no system takes two such names for two files for certain. */
    #entries = new Map();

    /** @param {string} name of the batch, as the person was asked @param {(content: Blob, name: string) => void} download */
    constructor(name, download) {
        this.#name = name;
        this.#download = download;
    }

    /** @param {string[]} path names that are safe @param {number} modified in seconds since 1970 */
    async create(path, size, modified) { return new MemoryFile((file) => this.#add(path, file, modified)); }

    /** @returns {Promise<string>} what it is called now */
    async makeFolder(path) {
        path.forEach((_, index) => {
            const folder = path.slice(0, index + 1).join("/"), key = folder.toLowerCase();
            const known = this.#entries.get(key);
            if (known?.content) throw new TypeError("a file has the folder's name");
            if (!known) this.#entries.set(key, {path: folder, content: null, crc: 0, modified: Date.now() / 1000});
        });
        return path.join("/");
    }

    async #add(path, {content, crc}, modified) {
        const names = path.slice(0, -1), last = path.at(-1);
        await this.makeFolder(names);
        for (let number = 1; ; number++) {
            const name = [...names, number === 1 ? last : numbered(last, number)].join("/"), key = name.toLowerCase();
            if (this.#entries.has(key)) continue;
            this.#entries.set(key, {path: name, content, crc, modified});
            return name;
        }
    }

    /** The batch is over. @param {boolean} isWanted whether what came is handed over */
    close(isWanted) {
        const entries = [...this.#entries.values()];
        this.#entries.clear();
        if (!isWanted || !entries.length) return;
        const [{path, content}] = entries;
        if (entries.length === 1 && content) return this.#download(content, path);
        // A folder gives its name to the whole.
        const isOne = entries.every((entry) => entry.path === this.#name || entry.path.startsWith(`${this.#name}/`));
        this.#download(zip(entries), safeName(`${isOne ? this.#name : "Heliograph"}.zip`));
    }
}

class MemoryFile {
    #finish;
    #blobs = [];
    #pieces = [];
    #size = 0;
    #inPieces = 0;
    #crc = 0;

    constructor(finish) { this.#finish = finish; }

    async write(offset, bytes) {
        if (offset === 0) await this.discard();
        if (offset !== this.#size) throw new RangeError("pieces come in order");
        this.#pieces.push(bytes);
        this.#size += bytes.length;
        this.#inPieces += bytes.length;
        this.#crc = crc32(this.#crc, bytes);
        if (this.#inPieces < PIECE_SIZE) return;
        this.#blobs.push(new Blob(this.#pieces));
        this.#pieces = [];
        this.#inPieces = 0;
    }

    finish() { return this.#finish({content: new Blob([...this.#blobs, ...this.#pieces]), crc: this.#crc}); }

    async discard() {
        this.#blobs = [];
        this.#pieces = [];
        this.#size = this.#inPieces = this.#crc = 0;
    }
}
