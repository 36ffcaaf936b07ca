// Where received files are put in browsers that let a page write to the disk (File System Access, over HTTPS): into a
// folder that the person chose, or for a single file where the person said. What is being written browsers keep beside the
// file until it is closed, so that under its name there is nothing until then, and never a part.

import {numbered} from "./safename.js";

/** The names that are tried until one is free. */
const MOST_NUMBERS = 1000;

export class FolderPlace {
    #root;
    /** The folders at the top, by the names that were sent: each is new, and nothing comes into one that was there. */
    #tops = new Map();

    /** @param {FileSystemDirectoryHandle} root */
    constructor(root) { this.#root = root; }

    /** @param {string[]} path names that are safe */
    async create(path) {
        const {folder, shown} = await this.#folder(path.slice(0, -1));
        const name = await freeName(folder, path[path.length - 1]), handle = await folder.getFileHandle(name, {create: true});
        return DiskFile.open(handle, shown + name, () => folder.removeEntry(name));
    }

    /**
     * @param {string[]} path
     * @returns {Promise<string>} what it is called now
     */
    async makeFolder(path) { return (await this.#folder(path)).shown.slice(0, -1); }

    close() {}

    /**
     * Opens a folder step by step, and makes what is not there. `shown` ends with a separator, if it is not empty.
     * @param {string[]} whole the names of its path
     */
    async #folder(whole) {
        const [top, ...path] = whole;
        if (top === undefined) return {folder: this.#root, shown: ""};
        let name = this.#tops.get(top);
        if (name === undefined) this.#tops.set(top, name = await freeName(this.#root, top));
        let folder = await this.#root.getDirectoryHandle(name, {create: true}), shown = `${name}/`;
        for (const each of path) {
            folder = await folder.getDirectoryHandle(each, {create: true});
            shown += `${each}/`;
        }
        return {folder, shown};
    }
}

export class FilePlace {
    #handle;

    /** @param {FileSystemFileHandle} handle what the person chose; what was there is replaced once the file is whole */
    constructor(handle) { this.#handle = handle; }

    create() { return DiskFile.open(this.#handle, this.#handle.name, async () => {}); }
    async makeFolder() { throw new TypeError("a file was announced"); }
    close() {}
}

class DiskFile {
    #stream;
    #name;
    #remove;

    /** @param {FileSystemWritable} stream @param {string} name @param {() => Promise<void>} remove */
    constructor(stream, name, remove) {
        this.#stream = stream;
        this.#name = name;
        this.#remove = remove;
    }

    /**
     * @param {() => Promise<void>} remove the empty file that holds the name
     * @param {FileSystemFileHandle} handle
     * @param {string} name
     */
    static async open(handle, name, remove) {
        try {
            return new DiskFile(await handle.createWritable(), name, remove);
        } catch (error) {
            await remove();
            throw error;
        }
    }

    /** @param {number} offset @param {Uint8Array} bytes */
    async write(offset, bytes) {
        if (offset === 0) await this.#stream.truncate(0);
        await this.#stream.write({type: "write", position: offset, data: bytes});
    }

    async finish() {
        await this.#stream.close();
        return this.#name;
    }

    async discard() {
        await this.#stream.abort();
        await this.#remove();
    }
}

/**
 * A name that nothing has there.
 * @param {FileSystemDirectoryHandle} folder
 * @param {string} name
 */
async function freeName(folder, name) {
    for (let number = 1; number <= MOST_NUMBERS; number++) {
        const candidate = number === 1 ? name : numbered(name, number);
        if (!(await has(folder, candidate))) return candidate;
    }
    throw new TypeError("no name is free");
}

/** @param {FileSystemDirectoryHandle} folder @param {string} name */
async function has(folder, name) {
    try {
        await folder.getFileHandle(name);
        return true;
    } catch (error) {
        const {name} = /** @type {Error} */ (error);
        if (name === "NotFoundError") return false;
        // A folder has it.
        if (name === "TypeMismatchError") return true;
        throw error;
    }
}
