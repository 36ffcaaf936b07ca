// Chooses where what comes is put: where the person says on the disk, in memory, or in the file system that the browser
// keeps for the page until it is downloaded.

import {FilePlace, FolderPlace} from "./diskplace.js";
import {DownloadPlace} from "./downloadplace.js";
import {MemoryFiles} from "./memoryfiles.js";
import {OriginFiles, originRoom, removeLeftOver} from "./originfiles.js";

/**
 * What is no larger is downloaded as browsers do, also where one could ask for a place on the disk, and waits in memory.
 * A test in a real browser asks for less before the page is there.
 */
const SMALL = /** @type {{heliographSmall?: number}} */ (globalThis).heliographSmall ?? 64 << 20;
/** The most bytes of all batches that are held in memory. */
export const MEMORY_LIMIT = 512 << 20;

export class FilePlaces {
    /** The bytes in memory, until the browser has taken them. */
    #held = 0;

    constructor() { removeLeftOver().catch(() => {}); }

    /**
     * The bytes that there is room for, for so many files and bytes.
     * @param {number} count
     * @param {number} size
     * @returns {Promise<number>}
     */
    async room(count, size) {
        if (picker(count, size)) return Number.MAX_SAFE_INTEGER;
        if (this.#isForMemory(size)) return this.#memoryLeft;
        return Math.max(this.#memoryLeft, await originRoom());
    }

    /**
     * The place for a batch; `null` where the person was asked for one and chose none. To be called from within the press:
     * no later moment may ask. Fails where there is no room any more.
     * @param {{name: string, count: number, bytes: number}} batch
     */
    async choose({name, count, bytes}) {
        const pick = picker(count, bytes);
        if (pick) return pick(name).catch(() => null);
        const inMemory = () => new DownloadPlace(name, this.#memory(bytes), download);
        if (this.#isForMemory(bytes)) return inMemory();
        try {
            if (bytes <= await originRoom()) return new DownloadPlace(name, await OriginFiles.begin(bytes), download);
        } catch {
            // Without a place of the page's own there may still be memory.
        }
        if (bytes <= this.#memoryLeft) return inMemory();
        throw new RangeError("no room");
    }

    get #memoryLeft() { return MEMORY_LIMIT - this.#held; }
    /** @param {number} size */
    #isForMemory(size) { return size <= Math.min(SMALL, this.#memoryLeft); }

    /** @param {number} bytes */
    #memory(bytes) {
        this.#held += bytes;
        return new MemoryFiles(() => { this.#held -= bytes; });
    }
}

/**
 * What asks for a place on the disk, where the browser has it: for folders as such, and for what is large.
 * @param {number} count
 * @param {number} size
 */
function picker(count, size) {
    if (count > 1) {
        const pick = window.showDirectoryPicker;
        return pick && (async () => new FolderPlace(await pick.call(window, {mode: "readwrite", id: "received"})));
    }
    const pick = window.showSaveFilePicker;
    /** @param {string} suggestedName */
    const choose = async (suggestedName) => {
        const handle = await pick?.call(window, {suggestedName, id: "received"});
        return new FilePlace(/** @type {FileSystemFileHandle} */ (handle));
    };
    return size > SMALL && pick && choose;
}

/** @param {Blob} content @param {string} name @param {number} patience */
function download(content, name, patience) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(content);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), patience);
}
