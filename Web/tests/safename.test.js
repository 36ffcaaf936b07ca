// Names that a peer may send, by Testing/Vectors/names.json, which the host is tested with too.

import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import test from "node:test";
import {utf8} from "../viewer/bytes/bytes.js";
import {numbered, safeName} from "../viewer/files/safename.js";

const {cleaned, numbered: withNumbers} = JSON.parse(
    readFileSync(new URL("../../Testing/Vectors/names.json", import.meta.url), "utf8"));

test("names become such as any system can have, as at the host", () => {
    assert.ok(cleaned.length > 30, String(cleaned.length));
    for (const {name, becomes} of cleaned) assert.equal(safeName(name), becomes, JSON.stringify(name));
});

test("a number goes before the extension, as at the host", () => {
    assert.equal(withNumbers.length, 5);
    for (const {name, becomes} of withNumbers) assert.equal(numbered(name, 2), becomes);
});

test("a long name is cut between characters, and its extension stays", () => {
    const astronaut = "👩🏽‍🚀", name = safeName(`${astronaut.repeat(40)}.jpeg`);
    assert.ok(utf8(name).length <= 200 && name.endsWith(".jpeg"));
    assert.equal(name.slice(0, -5).replaceAll(astronaut, ""), "");
    assert.equal(safeName("a".repeat(300)), "a".repeat(200));
    // A single character that is longer than a name may be.
    assert.equal(safeName(`a${"\u0301".repeat(300)}.txt`), "unnamed.txt");
});

test("cleaning what is clean changes nothing, whatever it was made of", () => {
    let state = 1;
    const random = (below) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor(state / 2 ** 32 * below);
    };
    const parts = [".", "-", " ", "/", "a", "\u202e", "\u200d", "\u0301", "👩", "\0", "C", "O", "N", "1", "\ufeff", "\u00a0",
        "\ud800"];
    for (let i = 0; i < 5000; i++) {
        const once = safeName(Array.from({length: random(12)}, () => parts[random(parts.length)]).join(""));
        assert.equal(safeName(once), once, JSON.stringify(once));
        assert.doesNotMatch(once, /^$|^[.\- ]|[. ]$|[/\0\u202e]/u);
    }
});
