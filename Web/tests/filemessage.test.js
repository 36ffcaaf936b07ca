// Messages about files: on the bytes that Swift's parser is tested on, too.

import assert from "node:assert/strict";
import {readdirSync, readFileSync} from "node:fs";
import test from "node:test";
import {utf8} from "../viewer/bytes/bytes.js";
import {isPath, MOST_DATA, parseFile, REASONS, serialiseFile, sizeOfFile} from "../viewer/files/filemessage.js";

const swift = (name) => readFileSync(new URL(`../../Sources/Wire/HelioTransferWire/${name}.swift`, import.meta.url), "utf8");
const batch = 0x0102030405060708n, number = [8, 7, 6, 5, 4, 3, 2, 1];
const digest = Uint8Array.from({length: 32}, (_, i) => i);
const zeros = (count) => new Array(count).fill(0);

// As Tests/HelioTransferWireTests/FileMessageTests.swift has them.
const vectors = [
    [{type: "offer", batch, count: 3, size: 0x0102030405, name: "à"},
        [16, ...number, 3, 0, 0, 0, 5, 4, 3, 2, 1, 0, 0, 0, 2, 0xc3, 0xa0]],
    [{type: "entry", batch, index: 9, entry: {path: ["d", "f.x"], isFolder: false, size: 258, modified: 1_700_000_000}},
        [17, ...number, 9, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0x00, 0xf1, 0x53, 0x65, 0, 0, 0, 0, 2, 1, 0x64, 3, 0x66,
            0x2e, 0x78]],
    [{type: "entry", batch, index: 0, entry: {path: ["d"], isFolder: true, size: 0, modified: 0}},
        [17, ...number, 0, 0, 0, 0, 1, ...zeros(16), 1, 1, 0x64]],
    [{type: "begin", batch, offset: 65536}, [18, ...number, 0, 0, 1, 0, 0, 0, 0, 0]],
    [{type: "data", batch, bytes: Uint8Array.of(0xab, 0)}, [19, ...number, 0xab, 0]],
    [{type: "end", batch, digest}, [20, ...number, ...digest]],
    [{type: "skip", batch, index: 2, reason: "changed"}, [21, ...number, 2, 0, 0, 0, 10]],
    [{type: "withdraw", batch, reason: "cancelled"}, [22, ...number, 8]],
    [{type: "accept", batch, next: 7, failed: 1}, [24, ...number, 7, 0, 0, 0, 1, 0, 0, 0]],
    [{type: "refuse", batch, reason: "declined"}, [25, ...number, 1]],
    [{type: "want", batch, index: 1, offset: 0, digest: null}, [26, ...number, 1, ...zeros(11)]],
    [{type: "want", batch, index: 1, offset: 5, digest}, [26, ...number, 1, 0, 0, 0, 5, ...zeros(7), ...digest]],
    [{type: "credit", batch, total: 2 ** 40}, [27, ...number, 0, 0, 0, 0, 0, 1, 0, 0]],
    [{type: "verdict", batch, index: 6, reason: null}, [28, ...number, 6, 0, 0, 0, 0]],
    [{type: "verdict", batch, index: 6, reason: "noSpace"}, [28, ...number, 6, 0, 0, 0, 3]],
];

for (const [message, bytes] of vectors) {
    test(`${message.type} of ${bytes.length} bytes is written and read, and nothing that is shorter or longer`, () => {
        assert.deepEqual([...serialiseFile(message)], bytes);
        assert.equal(sizeOfFile(message), bytes.length);
        // Wherever it lies.
        assert.deepEqual(parseFile(Uint8Array.from([9, ...bytes, 9]).subarray(1, 1 + bytes.length)), message);
        for (let count = 0; count < bytes.length; count++) {
            // A piece of a file that is shorter is another piece.
            if (message.type === "data" && count > 9) continue;
            assert.equal(parseFile(Uint8Array.from(bytes.slice(0, count))), null, String(count));
        }
        if (message.type !== "data") assert.equal(parseFile(Uint8Array.from([...bytes, 0])), null);
    });
}

test("the vectors and the reasons are those of the host", () => {
    const tests = readFileSync(
        new URL("../../Tests/HelioTransferWireTests/FileMessageTests.swift", import.meta.url), "utf8");
    assert.equal(tests.split("private static let vectors = [")[1].split("\n    ]\n")[0].match(/Vector\(/g).length,
        vectors.length);
    const cases = [...swift("FileRefusal").matchAll(/case (\w+) = (\d+)/g)];
    assert.deepEqual(cases.map(([, name, code]) => [name, Number(code)]), REASONS.map((name, i) => [name, i + 1]));
});

test("kinds, reasons, flags and sizes that do not exist are refused", () => {
    for (const bytes of [
        [], [15], [23, ...number], [29, ...number], [255, ...number], [22, ...number, 0], [22, ...number, 15],
        [25, ...number, 0], [28, ...number, 0, 0, 0, 0, 15], [21, ...number, ...zeros(5)],
        // More failed than there were.
        [24, ...number, 1, 0, 0, 0, 2, 0, 0, 0],
        // Sizes of 2^53 and more.
        [18, ...number, 0, 0, 0, 0, 0, 0, 32, 0], [26, ...number, ...zeros(4), ...new Array(8).fill(255), ...digest],
        [16, ...number, 1, 0, 0, 0, ...new Array(8).fill(255), 1, 65],
        // An offer of nothing, and one without a name.
        [16, ...number, ...zeros(12), 1, 65], [16, ...number, 1, ...zeros(11), 0],
        // A folder with a size, and a kind that is neither.
        [17, ...number, ...zeros(4), 1, 1, ...zeros(15), 1, 1, 65], [17, ...number, ...zeros(4), 2, ...zeros(16), 1, 1, 65],
        // A time of no calendar.
        [17, ...number, ...zeros(5), ...zeros(8), ...new Array(8).fill(127), 1, 1, 65],
    ]) assert.equal(parseFile(Uint8Array.from(bytes)), null, String(bytes));
});

function entry(names, count = names.length) {
    return Uint8Array.from([17, ...number, ...zeros(21), count, ...names.flatMap((name) => [name.length, ...name])]);
}

test("names that lead elsewhere or are none are refused", () => {
    for (const path of [
        [], [""], ["."], [".."], ["a", "..", "b"], ["/"], ["a/b"], ["/etc", "passwd"], ["a\0b"], ["a", ""],
        new Array(33).fill("a"), new Array(8).fill("a".repeat(129)),
    ]) {
        assert.equal(isPath(path), false, String(path));
        assert.equal(parseFile(entry(path.map((name) => [...utf8(name)]))), null, String(path));
    }
    for (const name of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0x61, 0xe2, 0x82], [0xc0, 0xae, 0xc0, 0xae]]) {
        assert.equal(parseFile(entry([name])), null, String(name));
    }
    assert.equal(parseFile(entry([[65], [66]], 1)), null);
    assert.equal(parseFile(entry([[65]], 2)), null);
    // A mark in front is part of a name, or two names would be one.
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
