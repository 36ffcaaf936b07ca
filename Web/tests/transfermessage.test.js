// The messages of the channel `transfer`: on the bytes that Swift's parser is tested and fuzzed on, too.

import assert from "node:assert/strict";
import {readdirSync, readFileSync} from "node:fs";
import test from "node:test";
import {parse, serialise, sizeOf} from "../viewer/clipboard/transfermessage.js";

const root = new URL("../../", import.meta.url);
const corpus = new URL("Fuzz/Corpus/transfer-wire/", root);
const swift = readFileSync(new URL("Tests/HelioTransferWireTests/TransferMessageTests.swift", root), "utf8");
const id = 0x01020304, idBytes = [4, 3, 2, 1];

const vectors = [
    [{type: "terms", maySend: true, mayReceive: false, mostBytes: 0x01000000}, [1, 1, 0, 0, 0, 1]],
    [{type: "terms", maySend: false, mayReceive: true, mostBytes: 0xffffffff}, [1, 2, 255, 255, 255, 255]],
    [{type: "offer", serial: 7, entries: []}, [2, 7, 0, 0, 0, 0]],
    [{type: "offer", serial: 0xffffffff, entries: [
        {format: "png", size: 513}, {format: "text", size: null}, {format: "html", size: 0},
    ]}, [2, 255, 255, 255, 255, 3, 3, 1, 2, 0, 0, 1, 255, 255, 255, 255, 2, 0, 0, 0, 0]],
    [{type: "request", id, serial: 9, format: "html"}, [3, ...idBytes, 9, 0, 0, 0, 2]],
    [{type: "data", id, isLast: false, bytes: Uint8Array.of(0xab, 0)}, [4, ...idBytes, 0, 0xab, 0]],
    [{type: "data", id, isLast: true, bytes: new Uint8Array(0)}, [4, ...idBytes, 1]],
    [{type: "credit", id, total: 65536}, [5, ...idBytes, 0, 0, 1, 0]],
    [{type: "refuse", id, reason: "failed"}, [6, ...idBytes, 5]],
    [{type: "refuse", id, reason: "gone"}, [6, ...idBytes, 1]],
    [{type: "cancel", id}, [7, ...idBytes]],
];

for (const [message, bytes] of vectors) {
    test(`${message.type} of ${bytes.length} bytes is written and read, and nothing that is shorter or longer`, () => {
        assert.deepEqual([...serialise(message)], bytes);
        assert.equal(sizeOf(message), bytes.length);
        // Wherever it lies.
        assert.deepEqual(parse(Uint8Array.from([9, ...bytes, 9]).subarray(1, 1 + bytes.length)), message);
        for (let count = 0; count < bytes.length; count++) {
            // A piece of content that is shorter is another piece.
            if (message.type === "data" && count > 5 && (message.isLast || count > 6)) continue;
            assert.equal(parse(Uint8Array.from(bytes.slice(0, count))), null, String(count));
        }
        if (message.type !== "data") assert.equal(parse(Uint8Array.from([...bytes, 0])), null);
    });
}

test("what Swift writes as its vectors stands here, too", () => {
    for (const [, bytes] of vectors.slice(0, 3)) {
        const hex = bytes.map((byte) => (byte === 255 ? "0xFF" : String(byte))).join(", ");
        assert.ok(swift.includes(`[${hex}]`), hex);
    }
});

test("what is refused there is refused here", () => {
    const hostile = [...swift.matchAll(/\(\[([\d, ]*)\], \.[a-zA-Z]+\)/g)].map(([, list]) =>
        list.split(",").filter((text) => text.trim()).map(Number));
    assert.ok(hostile.length >= 15, String(hostile.length));
    for (const bytes of hostile) assert.equal(parse(Uint8Array.from(bytes)), null, String(bytes));
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
