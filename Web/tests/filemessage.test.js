// Messages about files, by Testing/Vectors/transfer.json, which Swift's parser is tested with too.

import assert from "node:assert/strict";
import {readdirSync, readFileSync} from "node:fs";
import test from "node:test";
import {utf8} from "../viewer/bytes/bytes.js";
import {isPath, MOST_DATA, parseFile, REASONS, serialiseFile, sizeOfFile} from "../viewer/files/filemessage.js";

const batch = 0x0102030405060708n, number = [8, 7, 6, 5, 4, 3, 2, 1];
const zeros = (count) => new Array(count).fill(0);
const golden = JSON.parse(readFileSync(new URL("../../Testing/Vectors/transfer.json", import.meta.url), "utf8")).files;

/** A message in the page's form: bytes are typed arrays, not lists. */
const asHere = (message) => ({
    ...message, batch, ...(message.bytes && {bytes: Uint8Array.from(message.bytes)}),
    ...(message.digest && {digest: Uint8Array.from(message.digest)}),
});
const vectors = golden.messages.map(({message, bytes}) => [asHere(message), bytes]);

for (const [message, bytes] of vectors) {
    test(`${message.type} of ${bytes.length} bytes is written and read, and nothing that is shorter or longer`, () => {
        assert.deepEqual([...serialiseFile(message)], bytes);
        assert.equal(sizeOfFile(message), bytes.length);
        // At any offset.
        assert.deepEqual(parseFile(Uint8Array.from([9, ...bytes, 9]).subarray(1, 1 + bytes.length)), message);
        for (let count = 0; count < bytes.length; count++) {
            // A shorter data message is valid.
            if (message.type === "data" && count > 9) continue;
            assert.equal(parseFile(Uint8Array.from(bytes.slice(0, count))), null, String(count));
        }
        if (message.type !== "data") assert.equal(parseFile(Uint8Array.from([...bytes, 0])), null);
    });
}

test("the vectors are there, and the reasons are those of the host", () => {
    assert.ok(vectors.length >= 15 && golden.hostile.length >= 20);
    assert.deepEqual(REASONS, golden.reasons);
});

test("kinds, reasons, flags and sizes that do not exist are refused", () => {
    for (const {bytes} of golden.hostile) assert.equal(parseFile(Uint8Array.from(bytes)), null, String(bytes));
});

function entry(names, count = names.length) {
    return Uint8Array.from([17, ...number, ...zeros(21), count, ...names.flatMap((name) => [name.length, ...name])]);
}

test("names that lead elsewhere or are none are refused", () => {
    for (const path of [...golden.badPaths, new Array(8).fill("a".repeat(129))]) {
        assert.equal(isPath(path), false, String(path));
        assert.equal(parseFile(entry(path.map((name) => [...utf8(name)]))), null, String(path));
    }
    for (const name of golden.badNames) {
        assert.equal(parseFile(entry([name])), null, String(name));
    }
    assert.equal(parseFile(entry([[65], [66]], 1)), null);
    assert.equal(parseFile(entry([[65]], 2)), null);
    // A byte order mark in front is part of a name; otherwise two names would be equal.
    assert.deepEqual(parseFile(entry([[0xef, 0xbb, 0xbf, 65]])).entry.path, ["\ufeffA"]);
});

test("the largest message has 15 KiB of a file, and a credit may be more than a number tells", () => {
    const most = serialiseFile({type: "data", batch, bytes: new Uint8Array(MOST_DATA)});
    assert.equal(parseFile(most).bytes.length, MOST_DATA);
    assert.equal(parseFile(Uint8Array.from([...most, 0])), null);
    const {total} = parseFile(Uint8Array.from([27, ...number, ...new Array(8).fill(255)]));
    assert.equal(total, Number.MAX_SAFE_INTEGER);
});

test("the fuzzer's seeds are read, and written as they were", () => {
    const corpus = new URL("../../Fuzz/Corpus/transfer-wire/", import.meta.url);
    const names = readdirSync(corpus).filter((name) => name.startsWith("file-"));
    assert.ok(names.length >= 5, String(names.length));
    for (const name of names) {
        const bytes = new Uint8Array(readFileSync(new URL(name, corpus))), message = parseFile(bytes);
        assert.ok(message, name);
        assert.deepEqual(serialiseFile(message), bytes, name);
    }
});
