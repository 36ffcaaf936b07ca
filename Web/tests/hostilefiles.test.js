// A file exchange whose peer sends arbitrary messages.

import assert from "node:assert/strict";
import test from "node:test";
import {sha256} from "../viewer/bytes/sha256.js";
import {MOST_DATA, parseFile, serialiseFile} from "../viewer/files/filemessage.js";
import {bytesOf, FileEnd} from "./filefakes.js";

/** A credit window that is filled by little data. */
const window = 256 * 1024;
const batch = 5n, piece = new Uint8Array(MOST_DATA).fill(65), zeros = (count) => new Uint8Array(count);
const offer = (more = {}) => ({type: "offer", batch, count: 2, size: 1000, name: "x", ...more});
const entry = (size, index = 0, path = ["x"]) =>
    ({type: "entry", batch, index, entry: {path, isFolder: false, size, modified: 0}});
const data = (bytes) => ({type: "data", batch, bytes});
const end = (bytes = zeros(0)) => ({type: "end", batch, digest: sha256(bytes)});

class Victim extends FileEnd {
    /** The messages that it has sent. */
    said = [];

    constructor(options) {
        super(options);
        this.handle({type: "opened"});
    }

    take(...messages) {
        for (const message of messages) {
            this.handle({type: "received", bytes: serialiseFile(message)});
            this.listen();
        }
        return this;
    }

    listen() {
        for (let before = -1; before !== this.said.length; this.drain()) {
            before = this.said.length;
            this.said.push(...super.take());
        }
        return this.said;
    }

    run(time) {
        for (const until = this.now + time; ;) {
            const {deadline} = this.exchange;
            this.pass((deadline === null ? until : Math.min(deadline, until)) - this.now);
            this.listen();
            if (deadline === null || deadline > until) break;
        }
        return this;
    }

    drops(name) { return this.counts.drops.get(`file-${name}`) ?? 0; }

    /** Checks that the single batch ended with this reason and answer, and that nothing is left of it. */
    assertEnded(reason, answer) {
        assert.deepEqual(this.overs.map((over) => over.reason), [reason]);
        assert.deepEqual(this.said.at(-1), {type: answer, batch, reason});
        assert.equal(this.disk.partCount, 0);
        assert.equal(this.exchange.bufferedBytes, 0);
        assert.equal(this.exchange.deadline, null);
    }
}

test("endless offers ask a person now and then, and ever more seldom", () => {
    const victim = new Victim();
    victim.consent = false;
    for (let id = 100n; id < 1300n; id++) victim.take(offer({batch: id})).run(1000);
    // 2 s apart, then 4, 8, ... up to 600.
    assert.ok(victim.questions.length >= 8 && victim.questions.length <= 12, String(victim.questions.length));
    assert.ok(victim.drops("offer-too-soon") > 1000);
    victim.consent = true;
    victim.run(700_000).take(offer({batch: 9999n}));
    assert.equal(victim.said.at(-2).type, "accept");
});

test("an offer that takes the place of another before that is answered asks no sooner", () => {
    const victim = new Victim();
    victim.consent = null;
    for (let id = 1n; id <= 200n; id++) victim.take(offer({batch: id}));
    assert.equal(victim.questions.length, 1);
    assert.ok(victim.drops("offer-too-soon") > 100);
    assert.equal(victim.open.size, 0, "the sender does not know of the first any more");
});

test("a disk that does not say how much room there is is asked once, however many offers come", () => {
    const victim = new Victim({permission: "always"});
    let asked = 0;
    victim.disk.fails = ({type}) => {
        asked += type === "measure" ? 1 : 0;
        return "silent";
    };
    for (let id = 1n; id <= 100n; id++) victim.take(offer({batch: id}));
    assert.equal(asked, 1);
});

test("offers that are too large or too many are refused without a question", () => {
    const victim = new Victim({settings: {mostFiles: 10, mostBytes: 5000}});
    victim.take(offer({batch: 1n, count: 11}), offer({batch: 2n, size: 5001}), offer({batch: 3n, count: 0xffffffff}));
    assert.deepEqual(victim.said.map(({reason}) => reason), ["tooMany", "tooLarge", "tooMany"]);
    assert.equal(victim.questions.length, 0);
});

test("a second batch while one is under way is refused, and the same twice is none", () => {
    const victim = new Victim().take(offer(), offer({batch: 6n}), offer());
    assert.deepEqual(victim.said.at(-1), {type: "refuse", batch: 6n, reason: "busy"});
    assert.equal(victim.drops("offer-twice"), 1);
});

const six = new Uint8Array(600).fill(1);
for (const [name, drop, messages] of [
    ["more than the file's size", "over-size", [entry(10), data(zeros(11))]],
    ["a file beyond the offer", "over-size", [entry(1001)]],
    ["files beyond the offer", "over-size", [entry(600), data(six), end(six), entry(401, 1, ["y"])]],
    ["an end before the end", "out-of-order", [entry(10), end()]],
    ["data of no file", "out-of-order", [data(zeros(1))]],
    ["an end of no file", "out-of-order", [end()]],
    ["a beginning of no file", "out-of-order", [{type: "begin", batch, offset: 0}]],
    ["a file within a file", "out-of-order", [entry(10), entry(10, 1)]],
    ["a place that is not next", "out-of-order", [entry(10, 1)]],
    ["a place beyond the count", "out-of-order", [entry(10, 7)]],
    ["a skip of what is not next", "out-of-order", [{type: "skip", batch, index: 1, reason: "unreadable"}]],
]) {
    test(`who does not keep to what was offered is ended: ${name}`, () => {
        const victim = new Victim().take(offer(), ...messages);
        victim.assertEnded("broken", "refuse");
        assert.ok(victim.drops(drop) > 0);
        assert.equal(victim.disk.files.size, name === "files beyond the offer" ? 1 : 0);
        victim.take(data(zeros(1)));
        assert.equal(victim.drops("late"), 1);
        // The same batch is not accepted again.
        victim.take(offer());
        assert.deepEqual(victim.said.at(-1), {type: "refuse", batch, reason: "broken"});
    });
}

test("a beginning at a place that was not asked for is refused", () => {
    const victim = new Victim().take(offer({size: 2 ** 40}), entry(2 ** 40));
    assert.deepEqual(victim.said.at(-1), {type: "want", batch, index: 0, offset: 0, digest: null});
    victim.take({type: "begin", batch, offset: 2 ** 39}).assertEnded("broken", "refuse");
});

test("what comes beyond the credit ends the batch, and what waits for a slow disk has a bound", () => {
    const victim = new Victim({settings: {window}});
    victim.take(offer({size: 2 ** 40}), entry(2 ** 40), {type: "begin", batch, offset: 0});
    victim.disk.fails = ({type}) => (type === "write" ? "silent" : null);
    for (let i = 0; i < 100; i++) victim.take(data(piece));
    assert.equal(victim.drops("over-credit"), 1);
    assert.ok(victim.mostBuffered <= window, String(victim.mostBuffered));
    victim.assertEnded("broken", "refuse");
});

test("small entries take their credit, too, while the disk makes the first", () => {
    const victim = new Victim({settings: {window}});
    victim.disk.fails = ({type}) => (type === "create" ? "silent" : null);
    victim.take(offer({count: 40_000, size: 0}));
    for (let index = 0; index < 40_000 && !victim.overs.length; index++) victim.take(entry(0, index));
    assert.ok(victim.mostBuffered <= window);
    victim.assertEnded("broken", "refuse");
});

test("verdicts that nobody takes stop what comes", () => {
    const victim = new Victim();
    victim.take(offer({count: 1000, size: 0}));
    victim.listen = () => [];
    Object.defineProperty(victim, "room", {get: () => 0, set() {}});
    for (let index = 0; index < 1000; index++) victim.take(entry(0, index, [String(index)]), end());
    assert.ok(victim.disk.files.size <= 65, String(victim.disk.files.size));
    assert.equal(victim.overs.length, 0, "what waits is within the credit");
});

test("a file whose digest is another's is not kept, and the batch goes on", () => {
    const victim = new Victim().take(offer(), entry(10), data(zeros(10)), end(bytesOf(10)), entry(3, 1, ["y"]), data(zeros(3)),
        end(zeros(3)));
    assert.deepEqual([...victim.disk.files.keys()], ["y"]);
    const {arrived, failed, reason} = victim.overs[0];
    assert.deepEqual([arrived, failed, reason], [1, 1, null]);
    assert.deepEqual(victim.said.filter(({type}) => type === "verdict").map((verdict) => verdict.reason), ["damaged", null]);
});

test("names are clean before the disk sees them, and so is what a person is asked", () => {
    const victim = new Victim().take(offer({name: "ann\u202etxt.exe", count: 1}),
        entry(0, 0, ["..a", "con", "b\\c\u202e", "-d:\n"]), end());
    assert.equal(victim.questions[0].name, "anntxt.exe");
    assert.deepEqual([...victim.disk.files.keys()], ["a/_con/b_c/d__"]);
});

test("messages that are none, of no channel, or of another batch are counted and change nothing", () => {
    const victim = new Victim().take(offer(), entry(10));
    for (const bytes of [[], [16], [23, 1, 2, 3, 4, 5, 6, 7, 8], new Array(20_000).fill(19)]) {
        victim.handle({type: "received", bytes: Uint8Array.from(bytes)});
    }
    assert.equal(victim.drops("malformed"), 4);
    victim.take({...data(zeros(1)), batch: 99n});
    assert.equal(victim.drops("late"), 1);
    victim.handle({type: "closed"});
    victim.take(offer());
    assert.equal(victim.drops("no-channel"), 1);
    assert.equal(victim.overs.length, 0);
});

test("another batch of one number is not taken for the one before", () => {
    for (const change of [{count: 3}, {size: 1001}, {name: "y"}]) {
        const victim = new Victim().take(offer(), entry(10));
        victim.handle({type: "closed"});
        victim.handle({type: "opened"});
        victim.take(offer(change));
        assert.deepEqual(victim.overs.map(({reason}) => reason), ["broken"]);
        // Nor is a completed one.
        const whole = new Victim().take(offer({count: 1}), entry(0), end(), offer({count: 2}));
        assert.deepEqual(whole.said.at(-1), {type: "refuse", batch, reason: "broken"});
    }
});

test("a sender that stops is left after its time, and may come again", () => {
    const victim = new Victim().take(offer({size: 2 ** 40}), entry(2 ** 40), {type: "begin", batch, offset: 0}, data(piece));
    victim.run(899_000);
    assert.equal(victim.overs.length, 0);
    victim.run(2000);
    victim.assertEnded("timedOut", "refuse");
    victim.run(2000).take(offer());
    assert.equal(victim.questions.length, 2);
});

function sending() {
    const victim = new Victim();
    victim.send(batch, {a: bytesOf(900_001), b: bytesOf(5)});
    victim.listen();
    return victim;
}

const accept = {type: "accept", batch, next: 0, failed: 0}, credit = (total) => ({type: "credit", batch, total});
for (const [name, ...messages] of [
    ["more than there are", {...accept, next: 3}],
    ["accepted twice", accept, accept],
    ["a verdict before the file", accept, {type: "verdict", batch, index: 0, reason: null}],
    ["a verdict of what is later", accept, {type: "verdict", batch, index: 1, reason: "badName"}],
    ["a wish before the entry", accept, {type: "want", batch, index: 0, offset: 0, digest: null}],
    ["a wish beyond the end", accept, credit(1000), {type: "want", batch, index: 0, offset: 900_002, digest: zeros(32)}],
]) {
    test(`a receiver that does not keep to the order is left: ${name}`, () => {
        const victim = sending().take(...messages);
        victim.assertEnded("broken", "withdraw");
        assert.equal(victim.drops("out-of-order"), 1);
    });
}

test("credit of the largest number sends no more than the channel takes, and one that goes back is ignored", () => {
    const victim = sending().take(accept, credit(Number.MAX_SAFE_INTEGER), credit(5));
    assert.equal(victim.drops("credit-went-back"), 1);
    victim.take({type: "want", batch, index: 0, offset: 0, digest: null});
    const size = victim.said.filter(({type}) => type === "data").reduce((sum, {bytes}) => sum + bytes.length, 0);
    assert.equal(size, 900_006);
    assert.ok(victim.mostBuffered <= 128 * 1024);
});

test("a part that is not the beginning of the file is sent again from the start", () => {
    for (const isSame of [true, false]) {
        const victim = sending(), digest = sha256(bytesOf(900_001).subarray(0, 500_000));
        if (!isSame) digest[0] ^= 1;
        victim.take(accept, credit(5_000_000), {type: "want", batch, index: 0, offset: 500_000, digest});
        assert.equal(victim.said.find(({type}) => type === "begin").offset, isSame ? 500_000 : 0);
        const {digest: whole} = victim.said.find(({type}) => type === "end");
        assert.deepEqual(whole, sha256(bytesOf(900_001)));
    }
});

test("a file that the receiver gives up before it hears of it is not sent, and the next one is", () => {
    const victim = sending().take(accept, {type: "verdict", batch, index: 0, reason: "noSpace"}, credit(5000));
    assert.deepEqual(victim.said.map(({type, index}) => [type, index]).slice(1, 3), [["entry", 1], ["data", undefined]]);
    victim.take({type: "verdict", batch, index: 1, reason: null});
    assert.deepEqual([victim.overs[0].arrived, victim.overs[0].failed], [1, 1]);
});

test("a receiver that says nothing is left after a time, whatever it was asked", () => {
    for (const [messages, time] of [
        [[], 150_000], [[accept], 120_000], [[accept, credit(1000)], 900_000],
        [[accept, credit(20_000), {type: "want", batch, index: 0, offset: 0, digest: null}], 120_000],
    ]) {
        const victim = sending().take(...messages).run(time - 1000);
        assert.equal(victim.overs.length, 0, String(time));
        victim.run(2000).assertEnded("timedOut", "withdraw");
    }
});

test("whatever comes in whatever order, it ends in no error and holds no more than it may", () => {
    let state = 7;
    const random = (below) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor(state / 2 ** 32 * below);
    };
    for (let round = 0; round < 60; round++) {
        const victim = new Victim();
        victim.send(7n, {a: bytesOf(300_000), b: bytesOf(10)});
        for (let i = 0; i < 300; i++) {
            const id = [batch, 7n, 8n][random(3)], index = random(3), offset = random(2) * random(300_001);
            const reason = ["cancelled", "badName", "noSpace"][random(3)], hash = sha256(bytesOf(random(3)));
            const message = [
                offer({batch: id, count: 1 + random(3)}), {...entry(random(500), index), batch: id},
                {type: "begin", batch: id, offset}, {type: "data", batch: id, bytes: bytesOf(1 + random(500))},
                {type: "end", batch: id, digest: hash}, {type: "skip", batch: id, index, reason},
                {type: "withdraw", batch: id, reason}, {type: "accept", batch: id, next: index, failed: 0},
                {type: "refuse", batch: id, reason}, {type: "want", batch: id, index, offset, digest: offset ? hash : null},
                {type: "credit", batch: id, total: random(1e6)}, {type: "verdict", batch: id, index, reason: [null, reason][random(2)]},
            ][Math.min(random(14), 11)];
            if (random(20) === 0) victim.handle({type: ["closed", "opened"][random(2)]});
            if (random(20) === 0) victim.run(random(30_000));
            victim.take(message);
            if (random(30) === 0) {
                const bytes = serialiseFile(message);
                bytes[random(bytes.length)] ^= 1 << random(8);
                assert.doesNotThrow(() => parseFile(bytes));
                victim.handle({type: "received", bytes});
            }
        }
        assert.ok(victim.mostBuffered <= 512 * 1024);
    }
});
