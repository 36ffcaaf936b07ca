// Sound by a second offer on an established connection.

import assert from "node:assert/strict";
import test from "node:test";
import {SoundOffer} from "../viewer/session/soundoffer.js";

const OPUS = "a=rtpmap:111 opus/48000/2\r\na=fmtp:111 minptime=10;useinbandfec=1\r\n";

/** The parts of a connection that are used. */
class Connection {
    signalingState = "stable";
    localDescription = null;
    transceivers = [];
    steps = [];
    fails = null;

    addTransceiver(kind, {direction}) {
        const receiver = {};
        const transceiver = {kind, direction, receiver, isStopped: false, stop() { this.isStopped = true; }};
        this.transceivers.push(transceiver);
        return transceiver;
    }

    async createOffer() {
        const live = this.transceivers.filter(({isStopped}) => !isStopped).length;
        return {sdp: `v=0\r\nm=audio ${live}\r\n${OPUS}a=candidate:1 1 udp 1 10.0.0.7 5 typ host\r\n`};
    }

    async setLocalDescription(description) {
        this.steps.push(description.type);
        if (this.fails === description.type) throw new Error("no");
        this.signalingState = description.type === "rollback" ? "stable" : "have-local-offer";
        this.localDescription = description;
    }

    async setRemoteDescription({type}) {
        this.steps.push(type);
        if (this.fails === type) throw new Error("no");
        this.signalingState = "stable";
    }
}

function world() {
    const connection = new Connection(), sent = [], happened = [], receivers = [];
    const offer = new SoundOffer(connection, {
        send: (message) => Boolean(sent.push(message)), isHosts: (sdp) => !sdp.includes("other"),
        receives: (receiver, isInStep) => receivers.push([receiver, isInStep]),
        impostor: () => happened.push("impostor"), refused: () => happened.push("refused"),
    });
    return {connection, sent, happened, receivers, offer};
}

test("an offer has a section for each track, stereo, and no addresses", async () => {
    const {connection, sent, happened, offer} = world();
    await offer.ask(2, false);
    assert.deepEqual(connection.transceivers.map(({kind, direction}) => [kind, direction]),
        [["audio", "recvonly"], ["audio", "recvonly"]]);
    assert.equal(sent.length, 1);
    assert.deepEqual(Object.keys(sent[0]), ["type", "sdp"]);
    assert.match(sent[0].sdp, /;stereo=1\r\n/);
    assert.doesNotMatch(sent[0].sdp, /candidate/);
    await offer.answered("v=0");
    assert.deepEqual(connection.steps, ["offer", "answer"]);
    assert.deepEqual(happened, []);
    offer.end();
});

test("in step is told, and is another track than before", async () => {
    const {connection, sent, receivers, offer} = world();
    await offer.ask(1, false);
    await offer.answered("v=0");
    await offer.ask(1, true);
    assert.equal(sent[1].inStep, true);
    assert.deepEqual(receivers.map(([, isInStep]) => isInStep), [false, true]);
    receivers.forEach(([receiver], i) => assert.equal(receiver, connection.transceivers[i].receiver, "before the offer"));
    assert.deepEqual(connection.transceivers.map(({isStopped}) => isStopped), [true, false]);
    await offer.answered("v=0");
    // Another track of the same kind doesn't replace the first.
    await offer.ask(2, true);
    assert.deepEqual(connection.transceivers.map(({isStopped}) => isStopped), [true, false, false]);
    offer.end();
});

test("who changes their mind before the answer is asked for only after it", async () => {
    const {sent, offer} = world();
    await offer.ask(1, false);
    offer.ask(1, true);
    offer.ask(2, true);
    assert.equal(sent.length, 1);
    await offer.answered("v=0");
    await new Promise(setImmediate);
    assert.equal(sent.length, 2);
    assert.match(sent[1].sdp, /m=audio 2/);
    offer.end();
});

test("an answer with another certificate is the end; one that nobody asked for is passed over", async () => {
    const {connection, happened, offer} = world();
    await offer.answered("v=0");
    assert.deepEqual(connection.steps, []);
    await offer.ask(1, false);
    await offer.answered("other");
    assert.deepEqual(happened, ["impostor"]);
    assert.deepEqual(connection.steps, ["offer"]);
    offer.end();
});

test("what the host does not take, or the browser can't, is rolled back, and may be asked for again", async () => {
    for (const fails of [null, "offer", "answer"]) {
        const {connection, sent, happened, offer} = world();
        connection.fails = fails;
        await offer.ask(1, false);
        if (fails === "answer") await offer.answered("v=0");
        if (!fails) await offer.refuse();
        assert.deepEqual(happened, ["refused"], fails);
        assert.equal(connection.signalingState, "stable", fails);
        await offer.refuse();
        assert.equal(happened.length, 1, "once");
        connection.fails = null;
        await offer.ask(1, false);
        await offer.answered("v=0");
        assert.equal(sent.length, fails === "offer" ? 1 : 2);
        offer.end();
    }
});

test("no answer is a refusal after ten seconds; none after the end", async (t) => {
    t.mock.timers.enable({apis: ["setTimeout"]});
    for (const isOver of [false, true]) {
        const {happened, offer} = world();
        await offer.ask(1, false);
        if (isOver) offer.end();
        t.mock.timers.tick(9_999);
        assert.deepEqual(happened, []);
        t.mock.timers.tick(1);
        await new Promise(setImmediate);
        assert.deepEqual(happened, isOver ? [] : ["refused"]);
    }
});
