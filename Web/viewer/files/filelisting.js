// Lists the files and folders that the user dropped or chose as the entries of a batch: each folder before its content.

import {isPath} from "./filemessage.js";

/** The maximum number of files and folders in a batch. */
export const MOST_ENTRIES = 10_000;
const LATEST_MODIFIED = 2 ** 40;

export class FileListing {
    /** @type {import("./filemessage.js").FileEntry[]} */
    entries = [];
    /**
     * The source of each entry; `null` for a folder.
     * @type {(import("./filedisk.js").Source | null)[]}
     */
    sources = [];
    /** The number of files and folders that can't be sent, because of their names or because they are unreadable. */
    leftOut = 0;
    /** True if there were more entries than a batch may contain. */
    isCut = false;

    get isFull() {
        this.isCut ||= this.entries.length >= MOST_ENTRIES;
        return this.isCut;
    }

    /**
     * @param {string[]} path
     * @returns {boolean} false if its name can't be sent
     */
    addFolder(path) {
        if (!isPath(path)) {
            this.leftOut++;
            return false;
        }
        this.entries.push({path, isFolder: true, size: 0, modified: 0});
        this.sources.push(null);
        return true;
    }

    /** @param {string[]} path @param {{size: number, lastModified: number}} file @param {() => Promise<File>} open */
    addFile(path, {size, lastModified}, open) {
        if (!isPath(path)) return void this.leftOut++;
        const modified = Math.min(Math.max(0, Math.floor(lastModified / 1000) || 0), LATEST_MODIFIED);
        this.entries.push({path, isFolder: false, size, modified});
        this.sources.push({size, lastModified, open});
    }
}

/**
 * Lists dropped files. Has to be called within the event's dispatch, because the items are empty afterwards.
 * @param {DataTransferItemList} items @returns {Promise<FileListing>}
 */
export async function listDropped(items) {
    const roots = [...items].filter(({kind}) => kind === "file").map((item) =>
        item.webkitGetAsEntry?.() ?? item.getAsFile()).flatMap((entry) => (entry ? [entry] : []));
    const listing = new FileListing();
    // The entries to visit, the next one last.
    const waiting = roots.reverse().map((entry) => ({entry, path: [entry.name]}));
    while (waiting.length && !listing.isFull) {
        const {entry, path} = /** @type {typeof waiting[0]} */ (waiting.pop());
        if (!("isDirectory" in entry) || !entry.isDirectory) await addEntry(listing, entry, path);
        else if (listing.addFolder(path)) {
            const inside = await read(entry, MOST_ENTRIES - listing.entries.length + 1).catch(() => null);
            if (!inside) listing.leftOut++;
            inside?.sort(byName).reverse();
            for (const each of inside ?? []) waiting.push({entry: each, path: [...path, each.name]});
        }
    }
    return listing;
}

/** @param {FileList} files the files of an input; files of a folder have a relative path @returns {FileListing} */
export function listChosen(files) {
    const listing = new FileListing(), folders = new Map();
    for (const file of files) {
        if (listing.isFull) break;
        const path = (file.webkitRelativePath || file.name).split("/");
        const isKept = path.slice(0, -1).every((_, index) => {
            const folder = path.slice(0, index + 1), key = folder.join("/");
            if (!folders.has(key)) folders.set(key, listing.addFolder(folder));
            return folders.get(key);
        });
        if (isKept) listing.addFile(path, file, async () => file);
    }
    return listing;
}

/** @param {FileListing} listing @param {any} entry @param {string[]} path */
async function addEntry(listing, entry, path) {
    // A dropped item is a File itself if the browser does not support entries.
    const open = entry.file ? () => new Promise((resolve, reject) => { entry.file(resolve, reject); }) : async () => entry;
    try {
        listing.addFile(path, await open(), open);
    } catch {
        listing.leftOut++;
    }
}

/**
 * Reads a folder's entries, stopping when there are more than `most`. Browsers return the entries in parts.
 * @param {any} folder
 * @param {number} most
 */
async function read(folder, most) {
    const reader = folder.createReader(), all = [];
    while (all.length < most) {
        const part = await new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
        if (!part.length) break;
        all.push(...part);
    }
    return all;
}

/** @param {{name: string}} a @param {{name: string}} b */
const byName = (a, b) => (a.name < b.name ? -1 : 1);
