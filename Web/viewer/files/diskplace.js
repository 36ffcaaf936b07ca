// Writes received files to the disk in browsers that allow it (File System Access, over HTTPS): into a folder that the user
// chose, or a single file to the place that the user chose. The browser writes to a temporary file until the file is closed, so
// that an incomplete file never appears under the final name.

import {numbered} from "./safename.js";

/** The maximum number of names to try. */
const MOST_NUMBERS = 1000;

export class FolderPlace {
    #root;
    /** The top-level folders by the names that were sent. Each is a new folder, so that existing folders stay unchanged. */
    #tops = new Map();

    /** @param {FileSystemDirectoryHandle} root */
    constructor(root) { this.#root = root; }

    /** @param {string[]} path safe names */
    async create(path) {
        const {folder, shown} = await this.#folder(path.slice(0, -1));
        const name = await freeName(folder, path[path.length - 1]), handle = await folder.getFileHandle(name, {create: true});
        return DiskFile.open(handle, shown + name, () => folder.removeEntry(name));
    }

    /**
     * @param {string[]} path
     * @returns {Promise<string>} the folder's actual path
     */
    async makeFolder(path) { return (await this.#folder(path)).shown.slice(0, -1); }

    close() {}

    /**
     * Opens a folder, making missing folders. `shown` is its actual path with a trailing separator, or empty for the root.
     * @param {string[]} whole the folder's path
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

    /** @param {FileSystemFileHandle} handle the chosen file; existing content is replaced when the new file is complete */
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
     * @param {() => Promise<void>} remove removes the empty file that reserves the name
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
 * Returns a name that does not exist in the folder.
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
        // The name belongs to a folder.
        if (name === "TypeMismatchError") return true;
        throw error;
    }
}
