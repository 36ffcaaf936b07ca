// Sealed calls by the cases of Testing/Vectors/calls.json, which the host's own sealer is tested with too, and calls that a
// rendezvous tampers with.

import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import test from "node:test";
import {CallSealer, LONGEST_MESSAGE} from "../viewer/session/callsealer.js";

const {cases} = JSON.parse(readFileSync(new URL("../../Testing/Vectors/calls.json", import.meta.url), "utf8"));
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
const hex = (array) => Buffer.from(array).toString("hex");
const {subtle} = globalThis.crypto;
const ringer = (one) => new CallSealer(subtle, bytes(one.device), bytes(one.ringerNonce)).prepare(bytes(one.secret));

for (const one of cases) {
    test(`golden: ${one.name}`, async () => {
        const sealer = await ringer(one);
        assert.equal(hex(sealer.token), one.token);
        for (const {from, message, envelope} of one.steps) {
            if (from === "ringer") assert.equal(hex(await sealer.seal(bytes(message))), envelope);
            else assert.equal(hex(await sealer.open(bytes(envelope))), message);
        }
    });
}

test("there are golden cases", () => assert.ok(cases.length >= 3));

const [first] = cases, hosts = first.steps.filter(({from}) => from === "host").map(({envelope}) => bytes(envelope));

test("a repeated, left out or exchanged envelope ends the call", async () => {
    for (const order of [[0, 0], [0, 2], [1], [0, 2, 1], [0, 1, 1], [0, 1, 0]]) {
        const sealer = await ringer(first);
        await sealer.seal(new Uint8Array(1));
        let failure = null;
        for (const index of order) {
            try {
                await sealer.open(hosts[index]);
            } catch (error) {
                failure = error;
                break;
            }
        }
        assert.ok(failure, String(order));
        await assert.rejects(sealer.open(hosts[0]), {message: "ended"});
        await assert.rejects(sealer.seal(new Uint8Array(1)), {message: "ended"});
    }
});

test("an envelope that was cut off or changed, at any byte, is refused", async () => {
    for (let index = 0; index < hosts[0].length; index++) {
        await assert.rejects((await ringer(first)).open(hosts[0].slice(0, index)));
        const changed = hosts[0].slice();
        changed[index] ^= 0x10;
        await assert.rejects((await ringer(first)).open(changed));
    }
});

test("the host of another secret, of another device and of another call opens nothing here", async () => {
    for (const other of [{...first, secret: `${first.secret}00`}, {...first, device: "08".repeat(16)},
        {...first, ringerNonce: "12".repeat(16)}]) {
        await assert.rejects((await ringer(other)).open(hosts[0]));
    }
});

test("an end's own envelopes, played back to it, are refused", async () => {
    const sealer = await ringer(first), own = await sealer.seal(new Uint8Array(3));
    await assert.rejects(sealer.open(own));
});

test("the longest message fits a frame, a longer one is refused", async () => {
    const sealer = await ringer(first);
    assert.equal((await sealer.seal(new Uint8Array(LONGEST_MESSAGE))).length, 65_535);
    await assert.rejects(sealer.seal(new Uint8Array(LONGEST_MESSAGE + 1)), {message: "too long"});
});
