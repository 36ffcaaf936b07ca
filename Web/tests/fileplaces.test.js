// Where received files are stored, their readers and writers, and the processing of dropped files.

import assert from "node:assert/strict";
import test from "node:test";
import {crc32 as zlibCrc} from "node:zlib";
import {utf8} from "../viewer/bytes/bytes.js";
import {FilePlace, FolderPlace} from "../viewer/files/diskplace.js";
import {DownloadPlace} from "../viewer/files/downloadplace.js";
import {FileDisk} from "../viewer/files/filedisk.js";
import {listChosen, listDropped, MOST_ENTRIES} from "../viewer/files/filelisting.js";
import {MemoryFiles} from "../viewer/files/memoryfiles.js";
import {crc32, partsOfZip, zip} from "../viewer/files/zip.js";
import {bytesOf} from "./filefakes.js";

/** The entries of a ZIP archive by its directory, each compared with its own header. */
async function unzip(blob) {
    const bytes = new Uint8Array(await blob.arrayBuffer()), view = new DataView(bytes.buffer);
    const end = bytes.length - 22, text = (at, count) => new TextDecoder().decode(bytes.subarray(at, at + count));
    assert.equal(view.getUint32(end, true), 0x06054b50);
    const count = view.getUint16(end + 10, true), size = view.getUint32(end + 12, true);
    let at = view.getUint32(end + 16, true);
    assert.equal(at + size, end);
    const entries = new Map();
    for (let i = 0; i < count; i++) {
        assert.equal(view.getUint32(at, true), 0x02014b50);
        const [crc, packed, whole] = [16, 20, 24].map((offset) => view.getUint32(at + offset, true));
        const nameSize = view.getUint16(at + 28, true), local = view.getUint32(at + 42, true), name = text(at + 46, nameSize);
        assert.equal(view.getUint16(at + 8, true), 1 << 11, "UTF-8");
        assert.equal(view.getUint16(at + 10, true), 0, "stored");
        assert.equal(packed, whole);
        assert.equal(view.getUint32(local, true), 0x04034b50);
        // Flags, method, time, CRC, sizes and the name's length.
        assert.deepEqual([...bytes.subarray(local + 6, local + 30)], [...bytes.subarray(at + 8, at + 32)]);
        assert.equal(text(local + 30, nameSize), name);
        const content = bytes.subarray(local + 30 + nameSize, local + 30 + nameSize + whole);
        assert.equal(crc, crc32(0, content), name);
        assert.ok(!entries.has(name));
        entries.set(name, {content, time: view.getUint32(at + 12, true), mode: view.getUint32(at + 38, true)});
        at += 46 + nameSize;
    }
    assert.equal(at, end);
    return entries;
}

test("CRC-32 is that of everybody, in pieces too", () => {
    assert.equal(crc32(0, utf8("123456789")), 0xcbf43926);
    const bytes = bytesOf(5000);
    let crc = 0;
    for (let at = 0; at < bytes.length; at += 333) crc = crc32(crc, bytes.subarray(at, at + 333));
    assert.equal(crc, crc32(0, bytes));
    if (zlibCrc) assert.equal(crc, zlibCrc(bytes));
});

test("an archive has what was put in, with names, times and modes", async () => {
    const content = bytesOf(100_000), modified = new Date(2024, 1, 29, 13, 45, 58).getTime() / 1000;
    const entries = await unzip(zip([
        {path: "a", content: null, crc: 0, modified: 0},
        {path: "a/Grüße 你好.bin", content: new Blob([content]), crc: crc32(0, content), modified},
        {path: "a/leer", content: new Blob([]), crc: 0, modified: 2 ** 40},
    ]));
    assert.deepEqual([...entries.keys()], ["a/", "a/Grüße 你好.bin", "a/leer"]);
    const file = entries.get("a/Grüße 你好.bin");
    assert.ok(Buffer.compare(file.content, content) === 0);
    assert.equal(file.time, ((2024 - 1980) << 25 | 2 << 21 | 29 << 16 | 13 << 11 | 45 << 5 | 29) >>> 0);
    assert.equal(file.mode >>> 16, 0o100644);
    assert.equal(entries.get("a/").mode >>> 16, 0o40755);
    // Times before and after the range of the format.
    assert.equal(entries.get("a/").time, 1 << 21 | 1 << 16);
    assert.equal(entries.get("a/leer").time >>> 25, 127);
    await unzip(zip([]));
});

test("an archive of more than 4 GiB has sizes and places of 64 bits where they are needed", () => {
    const parts = partsOfZip([
        {path: "small", content: {size: 5}, crc: 1, modified: 0},
        {path: "large", content: {size: 5_000_000_000}, crc: 2, modified: 0},
        {path: "far", content: {size: 7}, crc: 3, modified: 0},
    ]);
    // The offsets of the entries: file contents are only counted.
    const places = new Map();
    let at = 0;
    for (const part of parts) {
        places.set(at, part);
        at += part.size ?? part.length;
    }
    const numberAt = (view, offset) => Number(view.getBigUint64(offset, true));
    const viewOf = ({buffer}) => new DataView(buffer);
    const end = viewOf(parts.at(-1)), locator = viewOf(parts.at(-2));
    assert.equal(end.getUint32(16, true), 0xffffffff, "where the directory is, is elsewhere");
    assert.equal(locator.getUint32(0, true), 0x07064b50);
    const large = viewOf(places.get(numberAt(locator, 8)));
    assert.equal(large.getUint32(0, true), 0x06064b50);
    assert.deepEqual([numberAt(large, 4), numberAt(large, 24), numberAt(large, 32)], [44, 3, 3]);
    let directory = numberAt(large, 48);
    const entries = [];
    for (let i = 0; i < 3; i++) {
        const header = viewOf(places.get(directory)), nameSize = header.getUint16(28, true);
        const extraSize = header.getUint16(30, true);
        assert.equal(header.getUint32(0, true), 0x02014b50);
        const extra = extraSize ? viewOf(places.get(directory + 46 + nameSize)) : null;
        let next = 4;
        const [packed, size, local] = [20, 24, 42].map((offset) => {
            const short = header.getUint32(offset, true);
            return short === 0xffffffff ? numberAt(extra, (next += 8) - 8) : short;
        });
        assert.equal(next - 4, extra?.getUint16(2, true) ?? 0, "no field is left over");
        assert.equal(viewOf(places.get(local)).getUint32(0, true), 0x04034b50, "its own header is there");
        assert.equal(header.getUint16(6, true), extra ? 45 : 20);
        entries.push([new TextDecoder().decode(places.get(directory + 46)), packed, size, local > 2 ** 32]);
        directory += 46 + nameSize + extraSize;
    }
    assert.deepEqual(entries, [
        ["small", 5, 5, false], ["large", 5_000_000_000, 5_000_000_000, false], ["far", 7, 7, true],
    ]);
    assert.equal(directory, numberAt(locator, 8));
});

function memory(name = "x", store = new MemoryFiles(() => {})) {
    const downloads = [], place = new DownloadPlace(name, store, (content, as) => downloads.push({content, as}));
    const put = async (path, content) => {
        const file = await place.create(path.split("/"), content.length, 1000);
        for (let at = 0; at < content.length; at += 700_000) await file.write(at, content.subarray(at, at + 700_000));
        return file.finish();
    };
    return {place, put, downloads};
}

test("one file is downloaded as it is", async (t) => {
    t.mock.timers.enable({apis: ["setTimeout"]});
    const {place, put, downloads} = memory("a.bin"), content = bytesOf(3_000_000);
    assert.equal(await put("a.bin", content), "a.bin");
    place.close(true);
    assert.equal(downloads[0].as, "a.bin");
    assert.ok(Buffer.compare(new Uint8Array(await downloads[0].content.arrayBuffer()), content) === 0);
    place.close(true);
    assert.equal(downloads.length, 1, "once");
});

test("a folder is downloaded as one archive of its name, and names that are the same get numbers", async (t) => {
    t.mock.timers.enable({apis: ["setTimeout"]});
    const {place, put, downloads} = memory("photos");
    assert.equal(await place.makeFolder(["photos"]), "photos");
    assert.equal(await place.makeFolder(["photos", "empty"]), "photos/empty");
    assert.equal(await put("photos/a.tar.gz", bytesOf(10)), "photos/a.tar.gz");
    assert.equal(await put("photos/A.tar.gz", bytesOf(11)), "photos/A (2).tar.gz");
    assert.equal(await put("photos/b/c", bytesOf(0)), "photos/b/c");
    await assert.rejects(place.makeFolder(["photos", "a.tar.gz"]), TypeError);
    place.close(true);
    assert.equal(downloads[0].as, "photos.zip");
    assert.deepEqual([...(await unzip(downloads[0].content)).keys()].sort(),
        ["photos/", "photos/A (2).tar.gz", "photos/a.tar.gz", "photos/b/", "photos/b/c", "photos/empty/"]);
});

test("what nobody wants, or what is nothing, is not downloaded; loose files come as one", async (t) => {
    t.mock.timers.enable({apis: ["setTimeout"]});
    const {place, put, downloads} = memory();
    await put("x", bytesOf(5));
    place.close(false);
    place.close(true);
    assert.equal(downloads.length, 0);
    const loose = memory("1.txt");
    for (const name of ["1.txt", "2.txt"]) await loose.put(name, bytesOf(5));
    loose.place.close(true);
    assert.equal(loose.downloads[0].as, "Heliograph.zip");
});

test("a file in memory is written in order, and begun anew at 0", async () => {
    const file = await memory().place.create(["x"], 10, 0);
    await file.write(0, bytesOf(5));
    await assert.rejects(file.write(6, bytesOf(1)), RangeError);
    await file.write(0, Uint8Array.of(1, 2));
    await file.write(2, Uint8Array.of(3));
    assert.equal(await file.finish(), "x");
});

// A folder of the File System Access API.

const failure = (name) => Object.assign(new Error(name), {name});

class FakeFolder {
    /** The contents: bytes, `null` while empty, or a folder. */
    entries = new Map();
    open = 0;

    async getFileHandle(name, {create = false} = {}) {
        if (name.endsWith(".lnk")) throw new TypeError("Name is not allowed.");
        const there = this.entries.get(name);
        if (there instanceof FakeFolder) throw failure("TypeMismatchError");
        if (there === undefined && !create) throw failure("NotFoundError");
        if (there === undefined) this.entries.set(name, new Uint8Array(0));
        return {name, createWritable: async () => this.stream(name)};
    }

    async getDirectoryHandle(name, {create = false} = {}) {
        const there = this.entries.get(name);
        if (there && !(there instanceof FakeFolder)) throw failure("TypeMismatchError");
        if (!there && !create) throw failure("NotFoundError");
        if (!there) this.entries.set(name, new FakeFolder());
        return this.entries.get(name);
    }

    async removeEntry(name) { this.entries.delete(name); }

    stream(name) {
        let content = new Uint8Array(0);
        this.open++;
        return {
            truncate: async (size) => { content = content.slice(0, size); },
            write: async ({position, data}) => {
                assert.equal(position, content.length);
                content = new Uint8Array([...content, ...data]);
            },
            close: async () => {
                this.open--;
                this.entries.set(name, content);
            },
            abort: async () => { this.open--; },
        };
    }
}

test("a folder of the disk: nothing that was there is written over, and nothing comes into a folder that was", async () => {
    const root = new FakeFolder(), old = bytesOf(3), place = new FolderPlace(root);
    root.entries.set("a.txt", old);
    root.entries.set("d", new FakeFolder());
    const file = await place.create(["a.txt"]);
    await file.write(0, bytesOf(9));
    assert.deepEqual(root.entries.get("a (2).txt"), new Uint8Array(0), "no part of it is seen");
    await file.write(0, bytesOf(4));
    assert.equal(await file.finish(), "a (2).txt");
    assert.deepEqual(root.entries.get("a (2).txt"), bytesOf(4));
    assert.equal(root.entries.get("a.txt"), old);
    assert.equal(await place.makeFolder(["d", "e"]), "d (2)/e");
    const inside = await place.create(["d", "e", "f"]);
    assert.equal(await inside.finish(), "d (2)/e/f");
    assert.equal(root.entries.get("d").entries.size, 0);
    const discarded = await place.create(["d", "gone"]);
    await discarded.discard();
    assert.deepEqual([...root.entries.get("d (2)").entries.keys()], ["e"]);
    assert.equal(root.open, 0);
});

test("a file of the disk is the one that the person chose", async () => {
    const root = new FakeFolder(), place = new FilePlace(await root.getFileHandle("mine.bin", {create: true}));
    const file = await place.create(["theirs.bin"]);
    await file.write(0, bytesOf(5));
    assert.equal(await file.finish(), "mine.bin");
    assert.deepEqual(root.entries.get("mine.bin"), bytesOf(5));
    await assert.rejects(place.makeFolder(["x"]), TypeError);
});

/** A disk with a way to wait for its replies. */
function disk() {
    const replies = [];
    const made = new FileDisk((reply) => replies.push(reply), async () => 5000);
    const settle = async () => {
        for (let i = 0; i < 50; i++) await Promise.resolve();
        await new Promise((resolve) => { setImmediate(resolve); });
        return replies.splice(0);
    };
    return {disk: made, settle};
}

const sourceOf = (content, {lastModified = 5, size = content.length} = {}) =>
    ({size, lastModified, open: async () => new File([content], "a", {lastModified: 5})});

test("what is sent is read piece by piece", async () => {
    const {disk: it, settle} = disk(), content = bytesOf(1000);
    it.provide(1n, [sourceOf(content)]);
    it.perform({type: "openSource", job: 1, batch: 1n, index: 0});
    it.perform({type: "read", job: 1, offset: 10, count: 20});
    assert.deepEqual(await settle(), [
        {job: 1, type: "opened", bytes: 1000}, {job: 1, type: "read", bytes: content.slice(10, 30)},
    ]);
    it.perform({type: "close", job: 1});
    it.perform({type: "read", job: 1, offset: 10, count: 20});
    assert.deepEqual(await settle(), [], "it is closed");
});

test("what has changed since it was listed, or can't be read, is told apart", async () => {
    const {disk: it, settle} = disk(), broken = {
        size: 5, lastModified: 5, slice: () => ({arrayBuffer: async () => { throw failure("NotReadableError"); }}),
    };
    it.provide(1n, [
        sourceOf(bytesOf(9), {lastModified: 4}), sourceOf(bytesOf(9), {size: 8}),
        {size: 5, lastModified: 5, open: async () => { throw failure("NotFoundError"); }},
        {size: 5, lastModified: 5, open: async () => broken},
    ]);
    for (let index = 0; index < 5; index++) {
        it.perform({type: "openSource", job: 2 * index + 1, batch: 1n, index});
        it.perform({type: "read", job: 2 * index + 1, offset: 0, count: 5});
    }
    const failed = (await settle()).filter(({type}) => type === "failed");
    assert.deepEqual(failed.map(({job, reason}) => [job, reason]).sort(),
        [[1, "changed"], [3, "changed"], [5, "unreadable"], [7, "unreadable"], [9, "unreadable"]]);
    const file = new File([bytesOf(9)], "a", {lastModified: 5});
    it.provide(2n, [{size: 9, lastModified: 5, open: async () => file}]);
    it.perform({type: "openSource", job: 11, batch: 2n, index: 0});
    it.perform({type: "read", job: 11, offset: 0, count: 5});
    await settle();
    file.slice = broken.slice;
    it.perform({type: "read", job: 11, offset: 5, count: 4});
    assert.deepEqual(await settle(), [{job: 11, type: "failed", reason: "changed"}]);
});

test("what comes goes where the person said, and failures have their reasons", async () => {
    const {disk: it, settle} = disk(), root = new FakeFolder();
    it.perform({type: "measure", batch: 1n, count: 1, size: 10});
    assert.deepEqual(await settle(), [{type: "space", batch: 1n, space: 5000}]);
    it.use(1n, new FolderPlace(root));
    it.perform({type: "create", job: 2, batch: 1n, path: ["a"], size: 5, modified: 0});
    it.perform({type: "write", job: 2, offset: 0, bytes: bytesOf(5)});
    it.perform({type: "finish", job: 2});
    assert.deepEqual(await settle(), [
        {job: 2, type: "opened", bytes: 0}, {job: 2, type: "wrote"}, {job: 2, type: "finished", name: "a"},
    ]);
    it.perform({type: "discard", job: 2});
    await settle();
    assert.ok(root.entries.has("a"), "what has its name stays");
    it.perform({type: "makeFolder", job: 4, batch: 1n, path: ["f"]});
    it.perform({type: "create", job: 6, batch: 1n, path: ["a.lnk"], size: 5, modified: 0});
    it.perform({type: "create", job: 8, batch: 1n, path: ["b"], size: 5, modified: 0});
    it.perform({type: "discard", job: 8});
    assert.deepEqual((await settle()).map(({type, reason}) => reason ?? type).sort(), ["badName", "finished", "opened"]);
    assert.deepEqual([...root.entries.keys()], ["a", "f"], "one that is discarded while it is made goes, too");
    for (const [name, reason] of [["QuotaExceededError", "noSpace"], ["InvalidStateError", "diskFailed"]]) {
        it.use(1n, {create: async () => ({write: async () => { throw failure(name); }, discard: async () => {}})});
        it.perform({type: "create", job: 10, batch: 1n, path: ["c"], size: 5, modified: 0});
        it.perform({type: "write", job: 10, offset: 0, bytes: bytesOf(5)});
        it.perform({type: "write", job: 10, offset: 5, bytes: bytesOf(5)});
        assert.deepEqual((await settle()).slice(1), [{job: 10, type: "failed", reason}], "once");
        it.perform({type: "discard", job: 10});
    }
});

// Dropped and chosen files.

const fileEntry = (name, size = 3) => ({name, isDirectory: false, file: (done) => done({size, lastModified: 2000})});
const folderEntry = (name, ...inside) => ({
    name, isDirectory: true,
    createReader: () => {
        const parts = inside.length > 2 ? [inside.slice(0, 2), inside.slice(2)] : [inside];
        return {readEntries: (done) => done(parts.shift() ?? [])};
    },
});
const drop = (...entries) => entries.map((entry) => ({kind: "file", webkitGetAsEntry: () => entry}));
const paths = ({entries}) => entries.map(({path, isFolder}) => path.join("/") + (isFolder ? "/" : ""));

test("folders come ahead of what is in them, in parts as browsers give them", async () => {
    const listing = await listDropped([
        ...drop(folderEntry("d", fileEntry("z"), fileEntry("b"), folderEntry("c", fileEntry("x")), folderEntry("e")),
            fileEntry("last")), {kind: "string"},
        {kind: "file", webkitGetAsEntry: () => null, getAsFile: () => new File(["abcd"], "plain", {lastModified: 7000})},
    ]);
    assert.deepEqual(paths(listing), ["d/", "d/b", "d/c/", "d/c/x", "d/e/", "d/z", "last", "plain"]);
    assert.deepEqual([listing.leftOut, listing.isCut], [0, false]);
    assert.deepEqual(listing.entries[1], {path: ["d", "b"], isFolder: false, size: 3, modified: 2});
    assert.equal(listing.sources[0], null);
    assert.deepEqual(await listing.sources[1].open(), {size: 3, lastModified: 2000});
    assert.equal((await listing.sources.at(-1).open()).name, "plain");
});

test("what can't be sent is left out and counted, and no folder is too deep or too large to be walked", async () => {
    let deep = fileEntry("x");
    for (let i = 0; i < 60; i++) deep = folderEntry("d", deep);
    const unreadable = {name: "u", isDirectory: false, file: (_, fail) => fail(failure("NotReadableError"))};
    const closed = {name: "c", isDirectory: true, createReader: () => ({readEntries: (_, fail) => fail(failure("x"))})};
    const listing = await listDropped(drop(deep, unreadable, closed, fileEntry("ü".repeat(128)), fileEntry("ok")));
    assert.equal(paths(listing).filter((path) => path.endsWith("/")).length, 33, "32 deep, and the closed one");
    assert.equal(listing.leftOut, 4);
    assert.equal(paths(listing).at(-1), "ok");
    // A folder without an end.
    let given = 0;
    const endless = {
        name: "e", isDirectory: true,
        createReader: () => ({readEntries: (done) => done(Array.from({length: 100}, () => fileEntry(`f${given++}`)))}),
    };
    const cut = await listDropped(drop(endless));
    assert.deepEqual([cut.entries.length, cut.isCut], [MOST_ENTRIES, true]);
    assert.ok(given < MOST_ENTRIES + 300);
});

test("a folder that was chosen has its folders, each once", () => {
    const file = (path, size = 1) => ({name: path.split("/").at(-1), webkitRelativePath: path, size, lastModified: 0});
    const listing = listChosen([file("d/a"), file("d/e/b"), file("d/e/c"), file(`d/${"x".repeat(300)}/y`)]);
    assert.deepEqual(paths(listing), ["d/", "d/a", "d/e/", "d/e/b", "d/e/c"]);
    assert.equal(listing.leftOut, 1);
    assert.deepEqual(paths(listChosen([{name: "a", webkitRelativePath: "", size: 0, lastModified: 0}])), ["a"]);
});
