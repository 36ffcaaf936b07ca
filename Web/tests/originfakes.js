// The file system that a browser keeps for a page's origin (OPFS), its locks, and the worker that writes there.

import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import vm from "node:vm";

const failure = (name) => Object.assign(new Error(name), {name});
const WRITER = readFileSync(new URL("../viewer/files/originwriter.js", import.meta.url), "utf8");

class FakeOriginFile {
    content = new Uint8Array(0);
    isOpen = false;
    isGone = false;

    constructor(origin) { this.origin = origin; }

    async createSyncAccessHandle() {
        if (this.isOpen) throw failure("NoModificationAllowedError");
        this.isOpen = true;
        return {
            write: (bytes, {at}) => {
                if (this.origin.usage + bytes.length > this.origin.quota) throw failure("QuotaExceededError");
                // A write may be partial, as in browsers.
                const part = bytes.subarray(0, this.origin.mostAtOnce), before = this.content;
                assert.equal(at, before.length);
                this.content = new Uint8Array(before.length + part.length);
                this.content.set(before);
                this.content.set(part, at);
                return part.length;
            },
            truncate: (size) => { this.content = this.content.slice(0, size); },
            flush() {},
            close: () => { this.isOpen = false; },
        };
    }

    async getFile() { return new File([this.content], "0"); }
}

class FakeOriginFolder {
    entries = new Map();

    constructor(origin) { this.origin = origin; }

    async getFileHandle(name, {create = false} = {}) { return this.#get(name, create, FakeOriginFile); }
    async getDirectoryHandle(name, {create = false} = {}) { return this.#get(name, create, FakeOriginFolder); }

    #get(name, create, Kind) {
        if (!this.entries.has(name)) {
            if (!create) throw failure("NotFoundError");
            this.entries.set(name, new Kind(this.origin));
        }
        return this.entries.get(name);
    }

    async *keys() { yield* [...this.entries.keys()]; }

    get files() {
        return [...this.entries.values()].flatMap((entry) => (entry instanceof FakeOriginFolder ? entry.files : [entry]));
    }

    async removeEntry(name, {recursive = false} = {}) {
        const entry = this.entries.get(name);
        if (!entry) throw failure("NotFoundError");
        const files = entry instanceof FakeOriginFolder ? entry.files : [entry];
        if (files.some(({isOpen}) => isOpen)) throw failure("NoModificationAllowedError");
        if (entry instanceof FakeOriginFolder && entry.entries.size && !recursive) {
            throw failure("InvalidModificationError");
        }
        this.entries.delete(name);
    }
}

/** The state shared by pages of one origin. Open pages hold locks, and may have writers. */
export class FakeOrigin {
    quota = 1e9;
    mostAtOnce = Infinity;
    isPrivate = false;
    hasWriter = true;
    root = new FakeOriginFolder(this);
    #held = new Set();
    writers = 0;

    /** @param {import("node:test").TestContext} t in which `browser` stands already */
    constructor(t) {
        const origin = this;
        Object.assign(navigator, {
            storage: {
                getDirectory: async () => {
                    if (this.isPrivate) throw failure("SecurityError");
                    return this.root;
                },
                estimate: async () => ({quota: this.quota, usage: this.usage}),
            },
            locks: {
                request: async (name, ...rest) => {
                    const callback = rest.at(-1), isFree = !this.#held.has(name);
                    assert.ok(isFree || rest[0].ifAvailable, "a name that nobody has");
                    if (!isFree) return callback(null);
                    this.#held.add(name);
                    try {
                        return await callback({name});
                    } finally {
                        this.#held.delete(name);
                    }
                },
            },
        });
        globalThis.Worker = class extends FakeWriter {
            constructor(address) { super(address, origin); }
        };
        t.after(() => { delete globalThis.Worker; });
    }

    get usage() { return this.root.files.reduce((sum, {content}) => sum + content.length, 0); }
    /** The folders of batches, with their files' names. */
    get batches() {
        const batches = this.root.entries.get("received")?.entries.values() ?? [];
        return [...batches].map(({entries}) => [...entries.keys()]);
    }

    /** Ends a page: its locks are released, and its files closed. */
    endPage() {
        this.#held.clear();
        for (const file of this.root.files) file.isOpen = false;
    }
}

/** A worker that runs the page's own script. */
class FakeWriter {
    #scope;

    constructor(address, origin) {
        assert.equal(address, "files/originwriter.js");
        if (!origin.hasWriter) return void Promise.resolve().then(() => this.onerror?.({}));
        origin.writers++;
        this.origin = origin;
        this.#scope = vm.createContext({
            navigator, DOMException,
            postMessage: (data) => Promise.resolve().then(() => this.#scope && this.onmessage?.({data})),
        });
        vm.runInContext(WRITER, this.#scope);
    }

    postMessage(data, given) {
        const copy = structuredClone(data, {transfer: given});
        Promise.resolve().then(() => this.#scope?.onmessage({data: copy}));
    }

    terminate() {
        if (this.#scope) this.origin.writers--;
        this.#scope = null;
    }
}
