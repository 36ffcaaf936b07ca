// Chooses the destination of received files: a place on the disk that the user picks, or, until they are downloaded, memory or
// the browser's private file system for the page's origin.

import {FilePlace, FolderPlace} from "./diskplace.js";
import {DownloadPlace} from "./downloadplace.js";
import {MemoryFiles} from "./memoryfiles.js";
import {OriginFiles, originRoom, removeLeftOver} from "./originfiles.js";

/**
 * The size in bytes up to which a single file is downloaded in the usual way and held in memory, even if the browser could ask
 * for a place on the disk. Tests in real browsers set a smaller value before the page loads.
 */
const SMALL = /** @type {{heliographSmall?: number}} */ (globalThis).heliographSmall ?? 64 << 20;
/** The maximum number of bytes of all batches held in memory. */
export const MEMORY_LIMIT = 512 << 20;

export class FilePlaces {
    /** The number of bytes held in memory until the browser has saved them. */
    #held = 0;

    constructor() { removeLeftOver().catch(() => {}); }

    /**
     * Returns the number of bytes available for a batch of this many files and bytes.
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
     * Returns the destination of a batch; `null` if the user was asked for a place and cancelled. Has to be called within the
     * press, because browsers show a picker only then. Throws if there is not enough room.
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
            // The private file system is unavailable; there may still be memory.
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
 * Returns a function that asks for a place on the disk, for several entries or a large file, if the browser supports it.
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
