// One end of the clipboard exchange, against another end and against malicious ones, on virtual time.

import assert from "node:assert/strict";
import test from "node:test";
import {utf8} from "../viewer/bytes/bytes.js";
import {CONTENT_LIMIT, ClipboardCounts, ClipboardExchange, termsFor, WINDOW} from "../viewer/clipboard/clipboardexchange.js";
import {NOTHING, parse, serialise} from "../viewer/clipboard/transfermessage.js";
import {contentsOf, png} from "./clipboardfakes.js";

const ALL = {maySend: true, mayReceive: true, mostBytes: CONTENT_LIMIT};

/** Two ends, and a link between them with a rate in bytes per millisecond. */
class Pair {
    now = 0;
    mostQueued = 0;
    ends = [];

    constructor({a = ALL, b = ALL, rate = Infinity} = {}) {
        this.rate = rate;
        for (const terms of [a, b]) {
            const counts = new ClipboardCounts();
            this.ends.push({
                exchange: new ClipboardExchange(terms, counts, 0), counts, queue: [], queued: 0, offered: [], pasted: new Map(),
                sentBytes: 0,
            });
        }
        [this.a, this.b] = this.ends;
        this.run(1);
    }

    copy(end, contents) { end.exchange.handle({type: "copied", contents: contentsOf(contents)}, this.now); }

    paste(end, format, limit) {
        const paste = end.pasted.size + 1;
        end.pasted.set(paste, null);
        end.exchange.handle({type: "wanted", paste, format, limit}, this.now);
        return paste;
    }

    /** Returns the result of a paste once nothing is in progress. */
    finish(end, paste) {
        for (let i = 0; i < 700 && end.pasted.get(paste) === null; i++) this.run(1000);
        const {bytes, failure} = end.pasted.get(paste);
        return failure ?? (bytes.length < 1000 ? new TextDecoder().decode(bytes) : bytes);
    }

    run(time) {
        for (const end = this.now + time; this.now < end; this.now++) {
            for (const [one, other] of [[this.a, this.b], [this.b, this.a]]) {
                for (let left = this.rate; one.queue.length && left > 0;) {
                    const piece = Math.min(left, one.left ?? one.queue[0].length);
                    left -= piece;
                    one.queued -= piece;
                    one.left = (one.left ?? one.queue[0].length) - piece;
                    if (one.left) break;
                    one.left = undefined;
                    other.exchange.handle({type: "received", bytes: one.queue.shift()}, this.now);
                }
            }
            for (const one of this.ends) this.drain(one);
        }
    }

    drain(one) {
        const {exchange} = one;
        if (exchange.deadline !== null && exchange.deadline <= this.now) exchange.tick(this.now);
        for (;;) {
            exchange.handle({type: "room", bytes: WINDOW - one.queued}, this.now);
            const output = exchange.poll();
            if (!output) break;
            if (output.type === "offer") one.offered.push(output.entries);
            else if (output.type === "provide") one.pasted.set(output.paste, output);
            else {
                one.queue.push(output.bytes);
                one.queued += output.bytes.length;
                one.sentBytes += output.bytes.length;
                this.mostQueued = Math.max(this.mostQueued, one.queued);
            }
        }
    }
}

test("text goes both ways, and the newest copy counts", () => {
    const pair = new Pair();
    pair.copy(pair.a, {text: "Grüße, 世界"});
    pair.run(10);
    assert.deepEqual(pair.b.offered, [[{format: "text", size: 15}]]);
    assert.equal(pair.finish(pair.b, pair.paste(pair.b, "text")), "Grüße, 世界");
    pair.copy(pair.b, {text: "zurück", html: "<b>zurück</b>"});
    pair.run(200);
    assert.deepEqual(pair.a.offered.at(-1).map(({format}) => format), ["text", "html"]);
    assert.equal(pair.finish(pair.a, pair.paste(pair.a, "html")), "<b>zurück</b>");
    assert.equal(pair.finish(pair.b, pair.paste(pair.b, "text")), "gone");
    assert.equal(pair.a.counts.transfersReceived, 1);
    assert.equal(pair.a.counts.bytesReceived, pair.b.counts.bytesSent);
});

test("nothing crosses that is not wanted, and empty content is content", () => {
    const pair = new Pair();
    pair.copy(pair.a, {png: png(100_000), text: ""});
    pair.run(100);
    assert.equal(pair.a.sentBytes, 6 + 16);
    assert.equal(pair.finish(pair.b, pair.paste(pair.b, "text")), "");
});

test("a large picture goes in a small window, and leaves the channel free for input", () => {
    const pair = new Pair({rate: 1000});
    const picture = png(3 << 20);
    pair.copy(pair.a, {png: picture});
    pair.run(10);
    const began = pair.now;
    assert.deepEqual(pair.finish(pair.b, pair.paste(pair.b, "png")), picture);
    assert.ok(pair.now - began < picture.length / 1000 + 1500);
    assert.ok(pair.mostQueued <= WINDOW);
    assert.equal(pair.a.exchange.bufferedBytes + pair.b.exchange.bufferedBytes, 0);
    assert.equal(pair.a.exchange.deadline, null);
});

test("of quick copies the newest is offered, ten times a second at most", () => {
    const pair = new Pair();
    for (let i = 1; i <= 1000; i++) {
        pair.copy(pair.a, {text: `copy ${i}`});
        pair.run(1);
    }
    pair.run(200);
    assert.equal(pair.finish(pair.b, pair.paste(pair.b, "text")), "copy 1000");
    assert.ok(pair.a.counts.offersSent <= 12, String(pair.a.counts.offersSent));
    assert.equal(pair.a.counts.offersSent + pair.a.counts.drops.get("clipboard-offer-replaced"), 1000);
});

test("what came from the other end is not offered back, what is copied after that is", () => {
    const pair = new Pair();
    pair.copy(pair.a, {text: "one\ntwo", html: "<p>one"});
    pair.run(10);
    for (const format of ["text", "html"]) pair.finish(pair.b, pair.paste(pair.b, format));
    // A browser returns it with other line ends, and with its own HTML around it.
    pair.copy(pair.b, {text: "one\r\ntwo", html: "<meta><p>one</p>"});
    pair.run(200);
    assert.equal(pair.b.counts.offersSent, 0);
    assert.equal(pair.b.counts.drops.get("clipboard-echo"), 1);
    assert.equal(pair.b.exchange.isShown, true);
    pair.copy(pair.b, {text: "two"});
    pair.run(200);
    assert.equal(pair.b.counts.offersSent, 1);
    assert.equal(pair.b.exchange.isShown, false);
    // This copy is no echo any more.
    pair.copy(pair.b, {text: "one\ntwo"});
    pair.run(200);
    assert.equal(pair.b.counts.offersSent, 2);
});

test("what is offered already is not offered again, until the other end has copied something", () => {
    const pair = new Pair();
    for (let i = 0; i < 3; i++) {
        pair.copy(pair.a, {text: "same", html: "<b>same"});
        pair.run(200);
    }
    assert.equal(pair.a.counts.offersSent, 1);
    pair.copy(pair.a, {text: "same"});
    pair.run(200);
    assert.equal(pair.a.counts.offersSent, 2, "without what it looked like");
    pair.copy(pair.b, {text: "other"});
    pair.run(200);
    pair.copy(pair.a, {text: "same"});
    pair.run(200);
    assert.equal(pair.a.counts.offersSent, 3);
});

test("what is taken back is not to be had", () => {
    const pair = new Pair();
    pair.copy(pair.a, {text: "a"});
    pair.run(10);
    pair.a.exchange.handle({type: "terms", terms: NOTHING}, pair.now);
    pair.run(200);
    assert.deepEqual(pair.b.offered.at(-1), []);
    assert.equal(pair.finish(pair.b, pair.paste(pair.b, "text")), "not-allowed");
    pair.a.exchange.handle({type: "terms", terms: termsFor(true)}, pair.now);
    pair.run(200);
    assert.equal(pair.finish(pair.b, pair.paste(pair.b, "text")), "a", "switched on again, it is offered again");
});

for (const [name, a, b] of [
    ["gives nothing", {...ALL, maySend: false}, ALL], ["takes nothing", ALL, {...ALL, mayReceive: false}],
    ["shares nothing", termsFor(false), ALL],
]) {
    test(`where one end ${name}, nothing goes`, () => {
        const pair = new Pair({a, b});
        pair.copy(pair.a, {text: "a"});
        pair.run(200);
        assert.equal(pair.a.counts.offersSent, 0);
        assert.deepEqual(pair.b.offered, []);
    });
}

test("switched off in the middle of a transfer, both ends end it", () => {
    for (const who of ["a", "b"]) {
        const pair = new Pair({rate: 1000});
        pair.copy(pair.a, {png: png(1 << 20)});
        pair.run(10);
        const paste = pair.paste(pair.b, "png");
        pair.run(300);
        assert.ok(pair.b.exchange.bufferedBytes > 0);
        pair[who].exchange.handle({type: "terms", terms: NOTHING}, pair.now);
        assert.equal(pair.finish(pair.b, paste), "not-allowed");
        assert.equal(pair.a.exchange.bufferedBytes + pair.b.exchange.bufferedBytes, 0);
        assert.equal(pair.a.exchange.deadline ?? pair.b.exchange.deadline, null);
    }
});

test("the smaller limit counts, and that of a wish below it", () => {
    const pair = new Pair({b: {...ALL, mostBytes: 1000}});
    pair.copy(pair.a, {text: "a".repeat(1001), html: "b".repeat(1000)});
    pair.run(10);
    assert.deepEqual(pair.b.offered, [[{format: "html", size: 1000}]]);
    assert.equal(pair.a.counts.drops.get("clipboard-format-too-large"), 1);
    assert.equal(pair.finish(pair.b, pair.paste(pair.b, "html", 999)), "too-large");
    assert.equal(pair.finish(pair.b, pair.paste(pair.b, "html", 1000)).length, 1000);
});

test("four transfers go at once, and take turns", () => {
    const pair = new Pair({rate: 1000});
    pair.copy(pair.a, {text: "a".repeat(200_000)});
    pair.run(10);
    const pastes = Array.from({length: 5}, () => pair.paste(pair.b, "text"));
    const results = pastes.map((paste) => pair.finish(pair.b, paste));
    assert.deepEqual(results.map((each) => each.length), [200_000, 200_000, 200_000, 200_000, "busy".length]);
});

test("a paste that is given up ends the transfer at both ends", () => {
    const pair = new Pair({rate: 1000});
    pair.copy(pair.a, {png: png(1 << 20)});
    pair.run(10);
    const paste = pair.paste(pair.b, "png");
    pair.run(100);
    pair.b.exchange.handle({type: "unwanted", paste}, pair.now);
    pair.run(200);
    assert.equal(pair.a.exchange.bufferedBytes + pair.b.exchange.bufferedBytes, 0);
    assert.ok(pair.a.sentBytes < 400_000);
});

// Malicious peers.

/** An exchange whose peer is the test. */
class Victim {
    now = 0;
    counts = new ClipboardCounts();
    sent = [];
    offered = [];
    pasted = new Map();

    constructor(mostBytes = 1 << 20) {
        this.exchange = new ClipboardExchange({...ALL, mostBytes}, this.counts, 0);
        this.take({type: "terms", ...ALL, mostBytes: 0xffffffff});
    }

    take(message) { this.handle({type: "received", bytes: serialise(message)}); }

    handle(input) {
        this.exchange.handle(input, this.now);
        this.drain();
    }

    run(time) {
        const end = this.now + time;
        for (let due; (due = this.exchange.deadline) !== null && due <= end;) {
            this.now = Math.max(this.now, due);
            this.exchange.tick(this.now);
            this.drain();
        }
        this.now = end;
    }

    drain() {
        for (;;) {
            this.exchange.handle({type: "room", bytes: WINDOW}, this.now);
            const output = this.exchange.poll();
            if (!output) return;
            if (output.type === "send") this.sent.push(parse(output.bytes));
            else if (output.type === "offer") this.offered.push(output.entries);
            else this.pasted.set(output.paste, output.failure ?? output.bytes);
        }
    }

    get serial() { return this.sent.findLast(({type}) => type === "offer").serial; }
    drops(name) { return this.counts.drops.get(`clipboard-${name}`) ?? 0; }
}

const entries = [{format: "text", size: null}, {format: "png", size: null}];
const piece = new Uint8Array(16384).fill(65);
const offer = (serial, list = entries) => ({type: "offer", serial, entries: list});

test("endless offers are shown now and then", () => {
    const victim = new Victim();
    for (let i = 0; i < 10_000; i++) {
        victim.take(offer(i));
        if (i % 100 === 0) victim.run(1);
    }
    victim.run(1000);
    assert.ok(victim.offered.length >= 2 && victim.offered.length <= 3, String(victim.offered.length));
    assert.equal(victim.offered.length + victim.drops("offer-replaced"), 10_000);
});

test("one that says that it sends little, and sends without end, is ended at its credit", () => {
    const victim = new Victim();
    victim.take(offer(1, [{format: "text", size: 5}]));
    victim.handle({type: "wanted", paste: 1, format: "text"});
    assert.ok(victim.sent.some(({type, id, total}) => type === "credit" && id === 1 && total === WINDOW));
    for (let i = 0; i < 1000 && !victim.pasted.has(1); i++) {
        victim.take({type: "data", id: 1, isLast: false, bytes: piece});
        assert.ok(victim.exchange.bufferedBytes <= 1 << 20);
    }
    assert.equal(victim.pasted.get(1), "failed");
    assert.equal(victim.drops("over-credit"), 1);
    assert.equal(victim.exchange.bufferedBytes, 0);
    assert.deepEqual(victim.sent.at(-1), {type: "cancel", id: 1});
    victim.take({type: "data", id: 1, isLast: false, bytes: piece});
    assert.equal(victim.drops("late-data"), 1);
});

test("more than the credit at once is not taken", () => {
    const victim = new Victim();
    victim.take(offer(1));
    victim.handle({type: "wanted", paste: 1, format: "text", limit: 10});
    assert.ok(victim.sent.some(({type, total}) => type === "credit" && total === 11));
    victim.take({type: "data", id: 1, isLast: true, bytes: new Uint8Array(12).fill(65)});
    assert.equal(victim.pasted.get(1), "failed");
    victim.handle({type: "wanted", paste: 2, format: "text", limit: 10});
    victim.take({type: "data", id: 2, isLast: true, bytes: new Uint8Array(11).fill(65)});
    assert.equal(victim.pasted.get(2), "too-large");
});

test("sizes that lie are not offered", () => {
    const victim = new Victim();
    victim.take(offer(1, [{format: "text", size: 0xfffffffe}, {format: "png", size: null}]));
    assert.deepEqual(victim.offered, [[{format: "png", size: null}]]);
    assert.equal(victim.drops("format-too-large"), 1);
});

test("data that nobody asked for, and answers to nothing, are dropped", () => {
    const victim = new Victim();
    victim.take({type: "data", id: 77, isLast: true, bytes: piece});
    victim.take({type: "refuse", id: 1, reason: "gone"});
    assert.equal(victim.drops("unknown-transfer"), 2);
    victim.take({type: "cancel", id: 1});
    victim.take({type: "credit", id: 1, total: 0xffffffff});
    assert.equal(victim.drops("late-answer"), 2);
    assert.equal(victim.exchange.deadline, null);
    assert.equal(victim.pasted.size, 0);
});

test("nothing is said before both ends have told their terms", () => {
    const counts = new ClipboardCounts(), exchange = new ClipboardExchange(ALL, counts, 0);
    exchange.handle({type: "copied", contents: contentsOf({text: "a"})}, 0);
    for (const message of [offer(1), {type: "request", id: 1, serial: 1, format: "text"}]) {
        exchange.handle({type: "received", bytes: serialise(message)}, 0);
    }
    exchange.handle({type: "wanted", paste: 1, format: "text"}, 0);
    exchange.handle({type: "room", bytes: WINDOW}, 0);
    const all = [];
    for (let output; (output = exchange.poll());) all.push(output.bytes ? parse(output.bytes) : output);
    assert.deepEqual(all, [{type: "provide", paste: 1, failure: "not-allowed"}, {type: "terms", ...ALL},
        {type: "refuse", id: 1, reason: "not-allowed"}]);
});

test("credits that go back are ignored", () => {
    const victim = new Victim();
    victim.handle({type: "copied", contents: contentsOf({text: "a".repeat(100_000)})});
    victim.take({type: "request", id: 5, serial: victim.serial, format: "text"});
    victim.take({type: "credit", id: 5, total: 20_000});
    victim.take({type: "credit", id: 5, total: 10});
    assert.equal(victim.drops("credit-went-back"), 1);
    const sent = () => victim.sent.filter(({type}) => type === "data").reduce((sum, {bytes}) => sum + bytes.length, 0);
    assert.equal(sent(), 20_000);
    victim.take({type: "credit", id: 5, total: 0xffffffff});
    assert.equal(sent(), 100_000);
    assert.equal(victim.sent.at(-1).isLast, true);
});

test("requests without end are refused, of what is gone and while four are under way, and answers have a bound", () => {
    const victim = new Victim();
    victim.handle({type: "copied", contents: contentsOf({text: "abc"})});
    const {serial} = victim;
    victim.take({type: "request", id: 1, serial: serial - 1, format: "text"});
    victim.take({type: "request", id: 2, serial, format: "png"});
    assert.equal(victim.drops("request-gone"), 2);
    for (let id = 10; id < 20; id++) victim.take({type: "request", id, serial, format: "text"});
    assert.equal(victim.drops("request-busy"), 6);
    victim.take({type: "request", id: 10, serial, format: "text"});
    assert.equal(victim.drops("request-twice"), 1);
    for (let id = 100; id < 10_100; id++) {
        victim.exchange.handle({type: "received", bytes: serialise({type: "request", id, serial, format: "text"})}, 0);
    }
    assert.equal(victim.drops("answer-dropped"), 10_000 - 64);
    // The requesters give no credit.
    victim.run(16_000);
    assert.equal(victim.drops("timed-out"), 4);
    assert.equal(victim.exchange.deadline, null);
});

test("an end that trickles is ended at last, one that stops sooner", () => {
    const victim = new Victim();
    victim.handle({type: "copied", contents: contentsOf({text: "a".repeat(100_000)})});
    victim.take({type: "request", id: 5, serial: victim.serial, format: "text"});
    for (let total = 1; total <= 43; total++) {
        victim.take({type: "credit", id: 5, total});
        victim.run(14_000);
    }
    assert.equal(victim.drops("timed-out"), 1);
    victim.take(offer(1));
    victim.handle({type: "wanted", paste: 1, format: "text"});
    victim.take({type: "data", id: 1, isLast: false, bytes: piece});
    victim.run(14_999);
    assert.equal(victim.pasted.has(1), false);
    victim.run(1);
    assert.equal(victim.pasted.get(1), "timed-out");
    assert.equal(victim.exchange.deadline, null);
});

test("content byte by byte costs no more than its bytes", () => {
    const victim = new Victim();
    victim.take(offer(1));
    victim.handle({type: "wanted", paste: 1, format: "text"});
    for (let i = 0; i < 50_000; i++) victim.take({type: "data", id: 1, isLast: false, bytes: Uint8Array.of(65)});
    victim.take({type: "data", id: 1, isLast: true, bytes: Uint8Array.of(66)});
    const content = victim.pasted.get(1);
    assert.equal(content.length, 50_001);
    assert.ok(content.buffer.byteLength <= 2 * 65536);
    assert.equal(content.at(-1), 66);
});

test("what is not what it says is not pasted", () => {
    const victim = new Victim();
    victim.take(offer(1));
    for (const [paste, format, bytes] of [
        [1, "text", Uint8Array.of(0x41, 0xc0, 0x80)], [2, "png", png(64, 20_000)], [3, "png", png(64, 0)],
        [4, "png", piece.subarray(0, 100)], [5, "png", png(64).subarray(0, 23)],
    ]) {
        victim.handle({type: "wanted", paste, format});
        victim.take({type: "data", id: paste, isLast: true, bytes});
        assert.equal(victim.pasted.get(paste), "invalid", String(paste));
    }
    victim.handle({type: "wanted", paste: 6, format: "text"});
    victim.take({type: "data", id: 6, isLast: true, bytes: utf8("a\0b\r\n")});
    assert.deepEqual(victim.pasted.get(6), utf8("ab\r\n"));
});

test("a flood of anything is counted, and nothing is left of it", () => {
    const victim = new Victim();
    let state = 7;
    const random = (below) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor(state / 2 ** 32 * below);
    };
    for (let i = 0; i < 20_000; i++) {
        const bytes = Uint8Array.from({length: random(24)}, () => random(256));
        if (random(2) && bytes.length) bytes[0] = 1 + random(8);
        if (random(8) === 0) victim.handle({type: "wanted", paste: i, format: "text"});
        victim.handle({type: "received", bytes});
    }
    victim.handle({type: "received", bytes: new Uint8Array(1 << 20).fill(4)});
    victim.run(700_000);
    assert.ok(victim.drops("malformed") > 5000);
    assert.equal(victim.exchange.bufferedBytes, 0);
    assert.equal(victim.exchange.deadline, null);
});

test("once it is switched off nothing more goes", () => {
    const victim = new Victim();
    victim.handle({type: "copied", contents: contentsOf({text: "a".repeat(100_000)})});
    const {serial} = victim;
    victim.take({type: "request", id: 5, serial, format: "text"});
    victim.take({type: "credit", id: 5, total: 20_000});
    victim.handle({type: "terms", terms: NOTHING});
    assert.ok(victim.sent.some(({type, id, reason}) => type === "refuse" && id === 5 && reason === "not-allowed"));
    victim.sent.length = 0;
    victim.take({type: "credit", id: 5, total: 0xffffffff});
    victim.take({type: "request", id: 6, serial, format: "text"});
    victim.take(offer(1));
    assert.deepEqual(victim.sent, [{type: "refuse", id: 6, reason: "not-allowed"}]);
    assert.equal(victim.drops("offer-not-allowed"), 1);
    assert.deepEqual(victim.offered, []);
});
