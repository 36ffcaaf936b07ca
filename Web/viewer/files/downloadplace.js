// Saves received files as a download when the batch is over, which works in every browser. A single file is downloaded as it
// is; several files, or folders, as one ZIP archive. Until then, a store holds the files in memory or on disk.

import {numbered, safeName} from "./safename.js";
import {crc32, zip} from "./zip.js";

/**
 * @typedef {object} Store
 * @property {() => Promise<StoredFile>} open makes a new file
 * @property {(isSaved: boolean) => void} close ends the batch; `isSaved` if the browser still has to read the content
 * @property {number} patience the time in milliseconds for which the browser may read
 *
 * @typedef {object} StoredFile
 * @property {(bytes: Uint8Array) => Promise<void>} append
 * @property {() => Promise<void>} empty discards the content so far
 * @property {() => Promise<Blob>} finish
 * @property {() => Promise<void>} discard
 */

export class DownloadPlace {
    #name;
    #store;
    #download;
    #isClosed = false;
    /** The entries by path without regard to case, because some file systems ignore case. */
    #entries = new Map();

    /**
     * @param {string} name the batch's name, as shown to the user
     * @param {Store} store
     * @param {(content: Blob, name: string, patience: number) => void} download
     */
    constructor(name, store, download) {
        this.#name = name;
        this.#store = store;
        this.#download = download;
    }

    /**
     * @param {string[]} path safe names
     * @param {number} modified in seconds since 1970
     * @param {number} size
     */
    async create(path, size, modified) {
        return new DownloadFile(await this.#store.open(), (content, crc) => this.#add(path, {content, crc, modified}));
    }

    /**
     * @param {string[]} path
     * @returns {Promise<string>} the folder's actual path
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
     * Ends the batch.
     * @param {boolean} isWanted true to download what was received
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
        // A batch of one folder names the archive.
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
