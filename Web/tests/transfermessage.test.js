// The messages of the channel `transfer`, by Testing/Vectors/transfer.json, which Swift's parser is tested with too, and by the
// fuzzer's seeds.

import assert from "node:assert/strict";
import {readdirSync, readFileSync} from "node:fs";
import test from "node:test";
import {parse, serialise, sizeOf} from "../viewer/clipboard/transfermessage.js";

const root = new URL("../../", import.meta.url);
const corpus = new URL("Fuzz/Corpus/transfer-wire/", root);
const golden = JSON.parse(readFileSync(new URL("Testing/Vectors/transfer.json", root), "utf8")).clipboard;
const id = 0x01020304;

/** A message in the page's form: bytes are typed arrays, not lists. */
const asHere = (message) => ({...message, ...(message.bytes && {bytes: Uint8Array.from(message.bytes)})});
const vectors = golden.messages.map(({message, bytes}) => [asHere(message), bytes]);

for (const [message, bytes] of vectors) {
    test(`${message.type} of ${bytes.length} bytes is written and read, and nothing that is shorter or longer`, () => {
        assert.deepEqual([...serialise(message)], bytes);
        assert.equal(sizeOf(message), bytes.length);
        // At any offset.
        assert.deepEqual(parse(Uint8Array.from([9, ...bytes, 9]).subarray(1, 1 + bytes.length)), message);
        for (let count = 0; count < bytes.length; count++) {
            // A shorter data message is valid.
            if (message.type === "data" && count > 5 && (message.isLast || count > 6)) continue;
            assert.equal(parse(Uint8Array.from(bytes.slice(0, count))), null, String(count));
        }
        if (message.type !== "data") assert.equal(parse(Uint8Array.from([...bytes, 0])), null);
    });
}

test("the vectors are there, and what goes between programs alone is nothing to a page", () => {
    assert.ok(vectors.length >= 11 && golden.hostile.length >= 15);
    for (const {bytes} of golden.native) assert.equal(parse(Uint8Array.from(bytes)), null, String(bytes));
});

test("what is refused there is refused here", () => {
    for (const {bytes} of golden.hostile) assert.equal(parse(Uint8Array.from(bytes)), null, String(bytes));
});

test("the fuzzer's seeds are read, and written as they were; those of files are not the clipboard's", () => {
    const names = readdirSync(corpus);
    assert.ok(names.length >= 8);
    for (const name of names) {
        const bytes = new Uint8Array(readFileSync(new URL(name, corpus)));
        const message = parse(bytes);
        if (name.startsWith("file-")) {
            assert.equal(message, null, name);
            continue;
        }
        assert.ok(message, name);
        assert.deepEqual(serialise(message), bytes, name);
    }
});

test("whatever bytes come, what is read is written as it came, but for formats that nobody knows", () => {
    let state = 1, read = 0;
    const random = (below) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor(state / 2 ** 32 * below);
    };
    const seeds = readdirSync(corpus).map((name) => new Uint8Array(readFileSync(new URL(name, corpus))));
    for (let i = 0; i < 20_000; i++) {
        const bytes = seeds[random(seeds.length)].slice(0, 1 + random(24));
        for (let j = random(4); j > 0; j--) bytes[random(bytes.length)] = random(256);
        const message = parse(bytes);
        if (!message || (message.type === "offer" && message.entries.length !== bytes[5])) continue;
        read++;
        assert.deepEqual(serialise(message), bytes);
    }
    assert.ok(read > 1000, String(read));
});

test("the largest message has 16 KiB of content", () => {
    const message = {type: "data", id, isLast: false, bytes: new Uint8Array(16384).fill(7)};
    const bytes = serialise(message);
    assert.equal(bytes.length, 16390);
    assert.deepEqual(parse(bytes), message);
    const longer = new Uint8Array(16391);
    longer.set(bytes);
    assert.equal(parse(longer), null);
});

test("formats of an offer that nobody knows are skipped, and sizes beyond the field are not unknown", () => {
    assert.deepEqual(parse(Uint8Array.of(2, 1, 0, 0, 0, 3, 200, 0, 0, 0, 0, 1, 5, 0, 0, 0, 200, 0, 0, 0, 0)),
        {type: "offer", serial: 1, entries: [{format: "text", size: 5}]});
    const {entries} = parse(serialise({type: "offer", serial: 1, entries: [{format: "text", size: 2 ** 40}]}));
    assert.deepEqual(entries, [{format: "text", size: 0xfffffffe}]);
});
