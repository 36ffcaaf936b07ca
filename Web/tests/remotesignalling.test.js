// A session's messages by a call through a rendezvous, with a stand-in for the rendezvous and the host behind it.

import assert from "node:assert/strict";
import test from "node:test";
import {meetRemotely, RemoteSignalling} from "../viewer/session/remotesignalling.js";
import {FakeRendezvous, HostSealer, deviceOf, server} from "./rendezvousfakes.js";

const device = deviceOf("desk"), secret = new Uint8Array(10).fill(3);
const {subtle} = globalThis.crypto;
const RING = 3, MESSAGE = 5, HANG_UP = 7;

/** Waits for what WebCrypto's threads lead to; without a condition, until they have answered what was asked before. */
async function settle(isDone = null) {
    for (let count = 0; isDone ? count < 100_000 && !isDone() : count < 20; count++) {
        await subtle.digest("SHA-256", new Uint8Array(1));
        await new Promise((done) => setImmediate(done));
    }
}

function made(t, {of = device, by = subtle} = {}) {
    const before = globalThis.WebSocket;
    /** @type {FakeRendezvous} */
    let socket;
    globalThis.WebSocket = class extends FakeRendezvous {
        constructor(url) {
            super(url);
            socket = this;
        }
    };
    t.after(() => { globalThis.WebSocket = before; });
    const signalling = new RemoteSignalling("wss://meet.example/device", of, secret, by), log = [];
    signalling.onopen = () => log.push("open");
    signalling.onmessage = (text) => log.push(text);
    signalling.onclose = (why) => log.push(["closed", why]);
    return {signalling, log, socket, host: new HostSealer(secret, device)};
}

async function open(t) {
    const all = made(t), {socket} = all;
    socket.put(server.challenge());
    await settle(() => socket.sent.length);
    socket.put(server.ringing());
    return all;
}

test("a call rings the host by the token of the secret, and messages go both ways, sealed and in order", async (t) => {
    const {signalling, socket, host, log} = made(t);
    signalling.send("too early");
    socket.put(server.challenge());
    await settle(() => socket.sent.length);
    assert.equal(socket.url, "wss://meet.example/device");
    assert.deepEqual(socket.sent, [Buffer.concat([Buffer.from([RING, 0, 0, 0, 1]), device, host.token])]);
    socket.put(server.turn([{url: "turn:t.example", username: "1:a", credential: "c"}, {url: "stun:s.example", username: "",
        credential: ""}]));
    assert.deepEqual(log, []);
    socket.put(server.ringing());
    assert.deepEqual(log, ["open"]);
    assert.deepEqual(signalling.iceServers, [
        {urls: ["turn:t.example"], username: "1:a", credential: "c"}, {urls: ["stun:s.example"]},
    ]);
    for (const text of ["hello", "größer"]) signalling.send(text);
    await settle(() => socket.envelopes.length === 2);
    assert.ok(socket.envelopes.every((envelope) => !envelope.includes("hello")));
    assert.deepEqual(socket.envelopes.map((each) => host.open(each)), ["hello", "größer"]);
    for (const text of ["welcome", "admitted", "Grüße"]) socket.put(server.message(host.seal(text)));
    await settle(() => log.length === 4);
    assert.deepEqual(log.slice(1), ["welcome", "admitted", "Grüße"]);
    signalling.send("offer");
    await settle(() => socket.envelopes.length === 3);
    assert.equal(host.open(socket.envelopes[2]), "offer");
    signalling.close();
    assert.deepEqual([...socket.sent.at(-1)], [HANG_UP, 0, 0, 0, 1, 1]);
    assert.equal(socket.isClosed, true);
    assert.equal(log.length, 4, "who closes is told nothing");
});

for (const [reason, expected] of [
    [1, null], [2, {kind: "busy"}], [3, {kind: "offline"}], [4, {kind: "refused", reason: "not-permitted"}], [5, {kind: "busy"}],
    [6, {kind: "too-fast"}], [7, null], [8, null],
]) {
    test(`a call that ends by reason ${reason} is told as such`, async (t) => {
        const {socket, log} = made(t);
        socket.put(server.challenge());
        await settle(() => socket.sent.length);
        socket.put(server.hungUp(reason));
        await settle(() => log.length);
        assert.deepEqual(log, [["closed", expected]]);
        assert.equal(socket.isClosed, true);
    });
}

test("what the host said before it hung up is heard first", async (t) => {
    const {signalling, socket, host, log} = await open(t);
    signalling.send("hello");
    await settle(() => socket.envelopes.length);
    host.open(socket.envelopes[0]);
    for (const text of ["error", "more"]) socket.put(server.message(host.seal(text)));
    socket.put(server.hungUp(1));
    socket.drop();
    await settle(() => log.length === 4);
    assert.deepEqual(log, ["open", "error", "more", ["closed", null]]);
});

for (const [name, spoil] of [
    ["changes an envelope", ([first]) => [Buffer.from(first).fill(1, 30, 31)]],
    ["leaves one out", ([, second]) => [second]],
    ["repeats one", ([first]) => [first, first]],
    ["exchanges two", ([first, second, third]) => [first, third, second]],
    ["makes one up", () => [Buffer.alloc(60)]],
    ["cuts one off", ([first]) => [first.subarray(0, 20)]],
]) {
    test(`a rendezvous that ${name} ends the call, and no such message is heard`, async (t) => {
        const {signalling, socket, host, log} = await open(t);
        signalling.send("hello");
        await settle(() => socket.envelopes.length);
        host.open(socket.envelopes[0]);
        const envelopes = ["a", "b", "c"].map((text) => host.seal(text));
        for (const envelope of spoil(envelopes)) socket.put(server.message(envelope));
        await settle(() => log.some((each) => each[0] === "closed"));
        assert.deepEqual(log.at(-1), ["closed", {kind: "impostor"}]);
        assert.ok(log.slice(1, -1).every((each, index) => each === ["a", "b", "c"][index]));
        assert.equal(socket.isClosed, true);
        assert.deepEqual([...socket.sent.at(-1)], [HANG_UP, 0, 0, 0, 1, 8]);
        const count = log.length;
        signalling.send("more");
        await settle();
        assert.equal(log.length, count);
        assert.ok(socket.types.filter((type) => type === MESSAGE).length === 1);
    });
}

test("an error of the page's own is no word about the host, and the next message is heard", async (t) => {
    const {signalling, socket, host, log} = await open(t), before = globalThis.reportError, reported = [];
    globalThis.reportError = (error) => reported.push(error.message);
    t.after(() => { globalThis.reportError = before; });
    signalling.send("hello");
    await settle(() => socket.envelopes.length);
    host.open(socket.envelopes[0]);
    signalling.onmessage = (text) => {
        if (text === "odd") throw new Error("a mistake of the page");
        log.push(text);
    };
    for (const text of ["odd", "next"]) socket.put(server.message(host.seal(text)));
    await settle(() => log.length === 2);
    assert.deepEqual(log, ["open", "next"]);
    assert.deepEqual(reported, ["a mistake of the page"]);
    assert.equal(socket.isClosed, false);
});

test("a host of another secret is an impostor", async (t) => {
    const {signalling, socket, log} = await open(t), other = new HostSealer(new Uint8Array(10), device);
    signalling.send("hello");
    await settle(() => socket.envelopes.length);
    assert.throws(() => other.open(socket.envelopes[0]));
    socket.put(server.message(other.seal("welcome")));
    await settle(() => log.length === 2);
    assert.deepEqual(log.at(-1), ["closed", {kind: "impostor"}]);
});

for (const [name, frame, expected] of [
    ["is full", server.refused(4), {kind: "crowded"}], ["asks to wait", server.refused(5), {kind: "too-fast"}],
    ["has blocked this address", server.refused(3), {kind: "blocked"}], ["gives up", server.refused(8), {kind: "no-rendezvous"}],
    ["speaks another version", server.challenge(2), {kind: "violation", what: "the rendezvous speaks version 2"}],
    ["speaks no sense", [1, 2, 3], {kind: "violation", what: "the rendezvous' message can't be read"}],
    ["sends messages before the call", server.message(new Uint8Array(60)),
        {kind: "violation", what: "a message came before the call"}],
]) {
    test(`a rendezvous that ${name}`, async (t) => {
        const {socket, log} = made(t);
        socket.put(frame);
        await settle(() => log.length);
        assert.deepEqual(log, [["closed", expected]]);
        assert.equal(socket.isClosed, true);
    });
}

test("a rendezvous that does not answer, and one that is lost later", async (t) => {
    const early = made(t);
    early.socket.drop();
    await settle(() => early.log.length);
    assert.deepEqual(early.log, [["closed", {kind: "no-rendezvous"}]]);
    const late = await open(t);
    late.socket.put(server.draining());
    late.socket.drop();
    await settle(() => late.log.length === 2);
    assert.deepEqual(late.log, ["open", ["closed", null]]);
});

test("frames about other calls are nobody's, and a second challenge is a violation", async (t) => {
    const {socket, log} = await open(t);
    for (const frame of [server.ringing(2), server.hungUp(1, 2), server.message(new Uint8Array(50), 2), server.ringing()]) {
        socket.put(frame);
    }
    await settle();
    assert.deepEqual(log, ["open"]);
    socket.put(server.challenge());
    assert.deepEqual(log.at(-1), ["closed", {kind: "violation", what: "the rendezvous' challenge came twice"}]);
});

test("without HTTPS nothing can be sealed, and without a host's name nobody be called", async (t) => {
    for (const [options, kind] of [[{by: null}, "insecure"], [{of: null}, "no-link"]]) {
        const {log, socket} = made(t, options);
        await settle(() => log.length);
        assert.deepEqual(log, [["closed", {kind}]]);
        assert.equal(socket, undefined, "nothing is connected");
    }
});

test("a meeting opens a call by the credential, and says whether it needs one", (t) => {
    const {socket} = made(t);
    assert.ok(socket);
    assert.equal(meetRemotely("wss://meet.example/device", device, subtle).needsCredential, true);
    assert.equal(meetRemotely("wss://meet.example/device", null, subtle).needsCredential, false);
});
