// The frames of the rendezvous, by the examples of Testing/Vectors/rendezvous-frames.json, which HelioRendezvousWire is tested
// with too.

import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import test from "node:test";
import {hangUpFrame, messageFrame, parseServerFrame, ringFrame} from "../viewer/session/rendezvousframe.js";

const {frames} = JSON.parse(readFileSync(new URL("../../Testing/Vectors/rendezvous-frames.json", import.meta.url), "utf8"));
const all = new Map(frames.map(({name, bytes}) => [name, Uint8Array.from(Buffer.from(bytes, "hex"))]));
const counted = (from) => Uint8Array.from({length: 16}, (_, index) => from + index);
const call = 0x01020304;
const HANG_UPS = ["ended", "busy", "unreachable", "not-permitted", "too-many", "too-fast", "lost", "protocol-error"];
const REFUSALS = [
    "protocol-error", "wrong-signature", "blocked", "too-many", "too-fast", "too-slow", "replaced", "idle",
];
/** The parsed frames by the examples' names. */
const parsed = {
    "challenge": {type: "challenge", version: 1}, "registered": {type: "other"}, "rung": {type: "other"},
    "ringing": {type: "ringing", call}, "presence": {type: "other"}, "turn none": {type: "turn", call, seconds: 0, entries: []},
    "turn": {type: "turn", call, seconds: 86_400, entries: [
        {url: "turn:t.example:3478", username: "1:é", credential: ""}, {url: "stun:s.example", username: "", credential: ""},
    ]},
    "message": {type: "message", call, content: Uint8Array.of(4, 5)}, "data": {type: "other"},
    "draining": {type: "draining", seconds: 30},
    ...Object.fromEntries(HANG_UPS.map((reason, index) => [`hung up ${index + 1}`, {type: "hungUp", call, reason}])),
    ...Object.fromEntries(REFUSALS.map((reason, index) => [`refused ${index + 1}`, {type: "refused", reason}])),
};

test("what a browser sends", () => {
    assert.deepEqual(ringFrame(call, counted(1), counted(33)), all.get("ring"));
    assert.deepEqual(messageFrame(call, Uint8Array.of(1, 2, 3)), all.get("message to host"));
    HANG_UPS.forEach((reason, index) => assert.deepEqual(hangUpFrame(call, reason), all.get(`hang up ${index + 1}`)));
});

test("what the server sends", () => {
    for (const [name, frame] of Object.entries(parsed)) assert.deepEqual(parseServerFrame(all.get(name)), frame, name);
    const server = frames.filter(({bytes}) => parseInt(bytes.slice(0, 2), 16) >= 65).map(({name}) => name);
    assert.deepEqual(Object.keys(parsed).sort(), server.sort());
});

test("a frame that is cut off, or goes on, is none; nor is one of no server", () => {
    for (const [name, frame] of all) {
        if (!(name in parsed)) {
            assert.equal(parseServerFrame(frame), null, name);
            continue;
        }
        const isOpen = parsed[name].type === "message" || name === "data";
        for (let count = 0; count < frame.length; count++) {
            if (!isOpen || count < 5) assert.equal(parseServerFrame(frame.slice(0, count)), null, `${name} ${count}`);
        }
        if (!isOpen) assert.equal(parseServerFrame(Uint8Array.of(...frame, 0)), null, name);
    }
    for (const type of [0, 1, 64, 76, 255]) assert.equal(parseServerFrame(Uint8Array.of(type, ...counted(0))), null);
});

test("reasons that do not exist, too many servers, longer contents and broken texts are refused", () => {
    for (const value of [0, 9, 255]) {
        assert.equal(parseServerFrame(Uint8Array.of(73, 0, 0, 0, 1, value)), null);
        assert.equal(parseServerFrame(Uint8Array.of(75, value)), null);
    }
    assert.equal(parseServerFrame(Uint8Array.of(70, 0, 0, 0, 1, 0, 0, 0, 9, 9, ...new Uint8Array(27))), null);
    assert.equal(parseServerFrame(Uint8Array.of(70, 0, 0, 0, 1, 0, 0, 0, 9, 1, 1, 0xff, 0, 0)), null);
    const longest = messageFrame(1, new Uint8Array(65_535));
    longest[0] = 71;
    assert.equal(parseServerFrame(longest).content.length, 65_535);
    assert.equal(parseServerFrame(Uint8Array.from([...longest, 0])), null);
});
