// Received files in the origin's private file system on disk, which Firefox and Safari use for large ones.

import assert from "node:assert/strict";
import test from "node:test";
import {FileDisk} from "../viewer/files/filedisk.js";
import {removeLeftOver} from "../viewer/files/originfiles.js";
import {browser} from "./fakes.js";
import {bytesOf} from "./filefakes.js";
import {FakeOrigin} from "./originfakes.js";

// As in tests with a real browser: larger files count as large.
globalThis.heliographSmall = 1000;
const {FilePlaces, MEMORY_LIMIT} = await import("../viewer/files/fileplaces.js");

const settle = async () => { for (let i = 0; i < 20; i++) await new Promise((resolve) => { setImmediate(resolve); }); };

/** A page of an origin, and its downloads. */
function page(t, {hasOrigin = true} = {}) {
    const clock = browser(t), downloads = [], urls = [], revoked = [];
    const origin = hasOrigin ? new FakeOrigin(t) : null;
    document.createElement = () => ({
        click() { downloads.push({content: urls[Number(this.href)], name: this.download}); },
    });
    t.mock.method(URL, "createObjectURL", (content) => String(urls.push(content) - 1));
    t.mock.method(URL, "revokeObjectURL", (url) => revoked.push(url));
    return {pass: (time) => t.mock.timers.tick(time), ...clock, origin, downloads, revoked, places: new FilePlaces()};
}

async function put(place, name, content) {
    const file = await place.create(name.split("/"), content.length, 1000);
    for (let at = 0; at < content.length; at += 16_000) await file.write(at, content.subarray(at, at + 16_000));
    return file.finish();
}

const bytesIn = async (blob) => new Uint8Array(await blob.arrayBuffer());

test("a large file is on the disk until it is downloaded, and goes once the browser has had the time to save it", async (t) => {
    const {places, origin, downloads, revoked} = page(t), content = bytesOf(700_000);
    origin.mostAtOnce = 100_000;
    const place = await places.choose({name: "a.bin", count: 1, bytes: content.length});
    assert.equal(await put(place, "a.bin", content), "a.bin");
    assert.deepEqual(origin.batches, [["0"]]);
    place.close(true);
    await settle();
    assert.deepEqual(downloads.map(({name}) => name), ["a.bin"]);
    assert.ok(downloads[0].content instanceof File, "the browser's own, not a copy in memory");
    assert.ok(Buffer.compare(await bytesIn(downloads[0].content), content) === 0);
    assert.equal(origin.writers, 0);
    t.mock.timers.tick(599_000);
    await settle();
    assert.equal(origin.batches.length, 1);
    assert.deepEqual(revoked, []);
    t.mock.timers.tick(2000);
    await settle();
    assert.deepEqual(origin.batches, []);
    assert.equal(revoked.length, 1);
    place.close(true);
    assert.equal(downloads.length, 1, "once");
});

test("several files come as one archive of what is on the disk, and a file that is begun anew has nothing of before", async (t) => {
    const {places, downloads} = page(t), content = bytesOf(400_000);
    const place = await places.choose({name: "d", count: 3, bytes: 1_000_000});
    await place.makeFolder(["d"]);
    const file = await place.create(["d", "a"], 400_000, 0);
    await file.write(0, bytesOf(300_000, 2));
    await assert.rejects(file.write(300_001, bytesOf(1)), RangeError);
    await file.write(0, content.subarray(0, 10));
    await file.write(0, content);
    await file.finish();
    await put(place, "d/b", bytesOf(5));
    place.close(true);
    assert.equal(downloads[0].name, "d.zip");
    const bytes = await bytesIn(downloads[0].content);
    assert.ok(Buffer.from(bytes).includes(Buffer.from(content)));
    assert.ok(bytes.length < 401_000);
});

test("what is not wanted, given up or refused leaves nothing", async (t) => {
    const {places, origin, downloads} = page(t);
    const place = await places.choose({name: "a", count: 1, bytes: 5000});
    const first = await place.create(["a"], 5000, 0);
    await first.write(0, bytesOf(500_000));
    await first.discard();
    assert.deepEqual(origin.batches, [[]]);
    const second = await place.create(["a"], 5000, 0);
    await second.write(0, bytesOf(500_000));
    place.close(false);
    await settle();
    assert.deepEqual([origin.batches, origin.writers, downloads], [[], 0, []]);
    await assert.rejects(second.discard(), /over/);
    // No data had arrived yet.
    (await places.choose({name: "a", count: 1, bytes: 5000})).close(true);
    await settle();
    assert.deepEqual([origin.batches, downloads], [[], []]);
});

test("there is as much room as the browser gives, or as memory has", async (t) => {
    const {places, origin} = page(t);
    origin.quota = 10 * 2 ** 30;
    assert.equal(await places.room(1, 4e9), 10 * 2 ** 30);
    assert.equal(await places.room(1, 10), MEMORY_LIMIT, "what is small is held in memory");
    origin.quota = 3000;
    assert.equal(await places.room(1, 4e9), MEMORY_LIMIT);
    await assert.rejects(places.choose({name: "a", count: 1, bytes: 4e9}), RangeError, "it was there, and is not");
    origin.quota = 1e9;
    const place = await places.choose({name: "a", count: 1, bytes: 900_000});
    await put(place, "a", bytesOf(900_000));
    assert.equal(await places.room(1, 1e9), 1e9 - 900_000, "what is there counts");
    assert.deepEqual(origin.batches, [["0"]]);
});

test("without such a place, in a private window, or with no worker, memory holds what it can", async (t) => {
    for (const [name, options, change] of [
        ["plain HTTP", {hasOrigin: false}, () => {}],
        ["a private window", {}, ({origin}) => { origin.isPrivate = true; }],
        ["no estimate", {}, () => { delete navigator.storage.estimate; }],
        ["no locks", {}, () => { delete navigator.locks; }],
        ["no worker", {}, ({origin}) => { origin.hasWriter = false; }],
    ]) {
        await t.test(name, async (t) => {
            const it = page(t, options), {places, downloads} = it;
            await settle();
            change(it);
            if (it.origin?.hasWriter !== false) assert.equal(await places.room(1, 4e9), MEMORY_LIMIT);
            const place = await places.choose({name: "a", count: 1, bytes: 5000});
            await put(place, "a", bytesOf(5000));
            assert.deepEqual(it.origin?.usage ?? 0, 0);
            assert.equal(await places.room(1, 10), MEMORY_LIMIT - 5000);
            place.close(true);
            assert.equal(downloads.length, 1);
            t.mock.timers.tick(60_000);
            assert.equal(await places.room(1, 10), MEMORY_LIMIT);
            assert.deepEqual(it.origin?.batches ?? [], []);
        });
    }
});

test("what a page that is gone has left is removed by the next one; not what another page holds", async (t) => {
    const {places, origin} = page(t);
    const place = await places.choose({name: "a", count: 1, bytes: 5000});
    await put(place, "a", bytesOf(5000));
    new FilePlaces();
    await settle();
    assert.deepEqual(origin.batches, [["0"]], "that page is open");
    origin.endPage();
    new FilePlaces();
    await settle();
    assert.deepEqual(origin.batches, []);
});

test("what the browser may still be saving outlives its page, for that time", async (t) => {
    const {places, origin} = page(t);
    let now = 1e12;
    t.mock.method(Date, "now", () => now);
    const place = await places.choose({name: "a", count: 1, bytes: 4e6});
    await put(place, "a", bytesOf(5000));
    place.close(true);
    await settle();
    origin.endPage();
    now += 600_000;
    await removeLeftOver();
    assert.equal(origin.batches.length, 1);
    now += 1001;
    await removeLeftOver();
    assert.deepEqual(origin.batches, []);
});

test("a disk that is full, and a writer that fails, have their reasons", async (t) => {
    const {places, origin} = page(t), replies = [];
    const disk = new FileDisk((reply) => replies.push(reply), (...offer) => places.room(...offer));
    disk.perform({type: "measure", batch: 1n, count: 1, size: 900_000});
    await settle();
    assert.deepEqual(replies.splice(0), [{type: "space", batch: 1n, space: 1e9}]);
    const begin = async (batch, job) => {
        disk.use(batch, await places.choose({name: "a", count: 1, bytes: 900_000}));
        disk.perform({type: "create", job, batch, path: ["a"], size: 900_000, modified: 0});
        await settle();
        assert.deepEqual(replies.splice(0), [{job, type: "opened", bytes: 0}]);
    };
    await begin(1n, 2);
    // Another site has used up the space.
    origin.quota = 1000;
    disk.perform({type: "write", job: 2, offset: 0, bytes: bytesOf(500_000)});
    await settle();
    assert.deepEqual(replies.splice(0), [{job: 2, type: "failed", reason: "noSpace"}]);
    disk.perform({type: "discard", job: 2});
    disk.close(1n, true);
    await settle();
    assert.deepEqual(origin.batches, []);
    origin.quota = 1e9;
    await begin(2n, 4);
    // The site's data were cleared.
    for (const folder of origin.root.entries.get("received").entries.values()) folder.entries.clear();
    disk.perform({type: "write", job: 4, offset: 0, bytes: bytesOf(5)});
    disk.perform({type: "finish", job: 4});
    await settle();
    assert.deepEqual(replies.splice(0), [{job: 4, type: "wrote"}, {job: 4, type: "failed", reason: "diskFailed"}]);
});
