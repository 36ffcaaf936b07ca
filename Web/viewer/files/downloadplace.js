// Where received files are put as every browser can: they are handed over as a download when the batch is over. One file
// comes as it is, several and folders as one ZIP archive. What holds them until then, memory or disk, is a store.

import {numbered, safeName} from "./safename.js";
import {crc32, zip} from "./zip.js";

/**
 * @typedef {object} Store
 * @property {() => Promise<StoredFile>} open a new file
 * @property {(isSaved: boolean) => void} close nothing more comes; where it was handed over the browser still reads it
 * @property {number} patience milliseconds that the browser has for that
 *
 * @typedef {object} StoredFile
 * @property {(bytes: Uint8Array) => Promise<void>} append
 * @property {() => Promise<void>} empty throws away what there is
 * @property {() => Promise<Blob>} finish
 * @property {() => Promise<void>} discard
 */

export class DownloadPlace {
    #name;
    #store;
    #download;
    #isClosed = false;
    /** What is there, by its path without regard to case: no system takes two such names for two files for certain. */
    #entries = new Map();

    /**
     * @param {string} name of the batch, as the person was asked
     * @param {Store} store
     * @param {(content: Blob, name: string, patience: number) => void} download
     */
    constructor(name, store, download) {
        this.#name = name;
        this.#store = store;
        this.#download = download;
    }

    /**
     * @param {string[]} path names that are safe
     * @param {number} modified in seconds since 1970
     * @param {number} size
     */
    async create(path, size, modified) {
        return new DownloadFile(await this.#store.open(), (content, crc) => this.#add(path, {content, crc, modified}));
    }

    /**
     * @param {string[]} path
     * @returns {Promise<string>} what it is called now
     */
    async makeFolder(path) {
        path.forEach((_, index) => {
            const folder = path.slice(0, index + 1).join("/"), key = folder.toLowerCase();
            const known = this.#entries.get(key);
            if (known?.content) throw new TypeError("a file has the folder's name");
            if (!known) this.#entries.set(key, {path: folder, content: null, crc: 0, modified: Date.now() / 1000});
        });
        return path.join("/");
    }

    /** @param {string[]} path @param {any} entry */
    async #add(path, entry) {
        const names = path.slice(0, -1), last = path[path.length - 1];
        await this.makeFolder(names);
        for (let number = 1; ; number++) {
            const name = [...names, number === 1 ? last : numbered(last, number)].join("/"), key = name.toLowerCase();
            if (this.#entries.has(key)) continue;
            this.#entries.set(key, {path: name, ...entry});
            return name;
        }
    }

    /**
     * The batch is over.
     * @param {boolean} isWanted whether what came is handed over
     */
    close(isWanted) {
        if (this.#isClosed) return;
        this.#isClosed = true;
        const entries = [...this.#entries.values()], isSaved = isWanted && entries.length > 0;
        this.#entries.clear();
        if (isSaved) this.#save(entries);
        this.#store.close(isSaved);
    }

    /** @param {any[]} entries */
    #save(entries) {
        const [{path, content}] = entries, {patience} = this.#store;
        if (entries.length === 1 && content) return this.#download(content, path, patience);
        // A folder gives its name to the whole.
        const isOne = entries.every((entry) => entry.path === this.#name || entry.path.startsWith(`${this.#name}/`));
        this.#download(zip(entries), safeName(`${isOne ? this.#name : "Heliograph"}.zip`), patience);
    }
}

class DownloadFile {
    #stored;
    #finish;
    #size = 0;
    #crc = 0;

    /** @param {any} stored @param {(content: any, crc: number) => any} finish */
    constructor(stored, finish) {
        this.#stored = stored;
        this.#finish = finish;
    }

    /** @param {number} offset @param {Uint8Array} bytes */
    async write(offset, bytes) {
        if (offset === 0 && this.#size) {
            await this.#stored.empty();
            this.#size = this.#crc = 0;
        }
        if (offset !== this.#size) throw new RangeError("pieces come in order");
        await this.#stored.append(bytes);
        this.#size += bytes.length;
        this.#crc = crc32(this.#crc, bytes);
    }

    async finish() { return this.#finish(await this.#stored.finish(), this.#crc); }
    discard() { return this.#stored.discard(); }
}
