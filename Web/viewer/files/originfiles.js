// Holds received files in the browser's private file system for the page's origin (over HTTPS) until the browser has saved them
// as downloads. Each batch has a folder, and its page holds a lock of the folder's name: a folder without a lock is removed.

import {concat, randomBytes, toBase64url} from "../bytes/bytes.js";

/** The folder that contains all batches' folders. */
const ROOT = "received";
/** The time for the browser to save a download: a minimum in milliseconds, and the copied bytes per millisecond. */
const SAVING_TIME = 600_000, SAVING_RATE = 4000;
/** The number of bytes sent to the writer at once, because each reply is awaited. */
const PIECE_SIZE = 1 << 18;
/** The time in milliseconds for the writer to close its files. */
const END_LIMIT = 5000;
/** The prefix of a marker in a batch's folder, followed by the time until which the browser may be saving it. */
const UNTIL = "until-";

/** @param {string} name */
const lockOf = (name) => `heliograph-${ROOT}-${name}`;

/** Returns the number of available bytes; 0 if the browser has no such file system, for example in a private window. */
export async function originRoom() {
    const {storage, locks} = navigator;
    if (!storage?.getDirectory || !storage.estimate || !locks || !globalThis.Worker) return 0;
    try {
        await removeLeftOver();
        const {quota = 0, usage = 0} = await storage.estimate();
        return Math.max(0, quota - usage);
    } catch {
        return 0;
    }
}

/** Removes the batches of closed pages, which no other page can continue. */
export async function removeLeftOver() {
    const {storage, locks} = navigator;
    if (!storage?.getDirectory || !locks) return;
    const root = await (await storage.getDirectory()).getDirectoryHandle(ROOT).catch(() => null), names = [];
    if (!root) return;
    for await (const name of root.keys()) names.push(name);
    for (const name of names) {
        await locks.request(lockOf(name), {ifAvailable: true}, async (lock) => {
            // A folder that can't be removed now is tried again the next time.
            if (lock && !(await isBeingSaved(root, name))) await root.removeEntry(name, {recursive: true}).catch(() => {});
        });
    }
}

/** @param {FileSystemDirectoryHandle} root @param {string} name */
async function isBeingSaved(root, name) {
    const folder = await root.getDirectoryHandle(name).catch(() => null);
    if (!folder) return false;
    for await (const each of folder.keys()) {
        if (each.startsWith(UNTIL) && Number(each.slice(UNTIL.length)) > Date.now()) return true;
    }
    return false;
}

/** The store of a batch on disk. @implements {import("./downloadplace.js").Store} */
export class OriginFiles {
    /**
     * The time in milliseconds after which the files are removed: the browser has to copy them completely before.
     * @type {number}
     */
    patience;
    /** @type {FileSystemDirectoryHandle} */
    #root;
    /** @type {FileSystemDirectoryHandle} */
    #folder;
    /** @type {string} */
    #name;
    /** @type {() => void} */
    #unlock;
    /** @type {Worker} */
    #worker;
    /**
     * The pending requests to the writer, by number.
     * @type {Map<number, {resolve: () => void, reject: (error: Error) => void}>}
     */
    #waiting = new Map();
    #asked = 0;
    #made = 0;
    /**
     * The error after which nothing more is written; `null` if there is none.
     * @type {unknown}
     */
    #failure = null;

    /** @param {number} bytes the size of the batch */
    static async begin(bytes) {
        const files = new OriginFiles();
        files.patience = SAVING_TIME + bytes / SAVING_RATE;
        files.#name = toBase64url(randomBytes(12));
        files.#unlock = await hold(lockOf(files.#name));
        try {
            files.#root = await (await navigator.storage.getDirectory()).getDirectoryHandle(ROOT, {create: true});
            files.#folder = await files.#root.getDirectoryHandle(files.#name, {create: true});
            files.#startWriter();
            // A request without effect, to check that the writer runs.
            await files.ask("end");
        } catch (error) {
            files.#worker?.terminate();
            files.#remove();
            throw error;
        }
        return files;
    }

    async open() {
        const name = String(this.#made++);
        await this.ask("open", {folders: [ROOT, this.#name], name});
        return new OriginFile(this, this.#folder, name);
    }

    /** @param {boolean} isSaved */
    async close(isSaved) {
        // An open file can't be removed.
        await Promise.race([
            this.ask("end").catch(() => {}), new Promise((resolve) => { setTimeout(resolve, END_LIMIT); }),
        ]);
        this.#worker.terminate();
        this.#fail(new Error("the batch is over"));
        if (!isSaved) return this.#remove();
        setTimeout(() => this.#remove(), this.patience);
        // The marker is for the page that is loaded next.
        const until = `${UNTIL}${Date.now() + Math.ceil(this.patience)}`;
        await this.#folder.getDirectoryHandle(until, {create: true}).catch(() => {});
    }

    /**
     * Sends the writer a request.
     * @param {ArrayBuffer[]} given buffers that are transferred to the writer @returns {Promise<void>}
     * @param {string} act
     * @param {object} what
     */
    ask(act, what = {}, given = []) {
        if (this.#failure) return Promise.reject(/** @type {Error} */ (this.#failure));
        return new Promise((resolve, reject) => {
            const number = this.#asked++;
            this.#waiting.set(number, {resolve, reject});
            this.#worker.postMessage({number, act, ...what}, given);
        });
    }

    #startWriter() {
        this.#worker = new Worker("files/originwriter.js");
        this.#worker.onmessage = (/** @type {MessageEvent} */ {data: {number, error}}) => {
            const asked = this.#waiting.get(number);
            this.#waiting.delete(number);
            if (error) asked?.reject(Object.assign(new Error(error.message), {name: error.name}));
            else asked?.resolve();
        };
        // The worker could not be loaded.
        this.#worker.onerror = () => this.#fail(new Error("no writer"));
    }

    /** @param {Error} error */
    #fail(error) {
        this.#failure ??= error;
        for (const {reject} of this.#waiting.values()) reject(/** @type {Error} */ (this.#failure));
        this.#waiting.clear();
    }

    async #remove() {
        await this.#root?.removeEntry(this.#name, {recursive: true}).catch(() => {});
        this.#unlock();
    }
}

class OriginFile {
    #files;
    #folder;
    #name;
    /** @type {Uint8Array[]} */
    #pieces = [];
    #inPieces = 0;

    /** @param {OriginFiles} files @param {FileSystemDirectoryHandle} folder @param {string} name */
    constructor(files, folder, name) {
        this.#files = files;
        this.#folder = folder;
        this.#name = name;
    }

    /** @param {Uint8Array} bytes */
    async append(bytes) {
        this.#pieces.push(bytes);
        this.#inPieces += bytes.length;
        if (this.#inPieces >= PIECE_SIZE) await this.#write();
    }

    async empty() {
        this.#takePieces();
        await this.#files.ask("empty", {name: this.#name});
    }

    /** @returns {Promise<File>} a file that the browser reads from the disk */
    async finish() {
        await this.#write();
        await this.#files.ask("close", {name: this.#name});
        return (await this.#folder.getFileHandle(this.#name)).getFile();
    }

    async discard() {
        await this.#files.ask("close", {name: this.#name});
        await this.#folder.removeEntry(this.#name);
    }

    async #write() {
        const bytes = this.#takePieces();
        if (bytes.length) await this.#files.ask("append", {name: this.#name, bytes}, [bytes.buffer]);
    }

    #takePieces() {
        const bytes = concat(...this.#pieces);
        this.#pieces = [];
        this.#inPieces = 0;
        return bytes;
    }
}

/**
 * Acquires a lock that is free.
 * @param {string} name
 * @returns {Promise<() => void>} releases the lock
 */
function hold(name) {
    return new Promise((resolve, reject) => {
        const held = () => new Promise((release) => { resolve(() => release(null)); });
        navigator.locks.request(name, held).catch(reject);
    });
}
