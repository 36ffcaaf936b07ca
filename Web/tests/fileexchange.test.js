// File transfers between two ends with all kinds of interruptions. Both ends are the page's: the host's rules are in Swift, and
// Tests/HelioTransferTests has the same tests.

import assert from "node:assert/strict";
import test from "node:test";
import {SETTINGS} from "../viewer/files/filecounts.js";
import {bytesOf, FilePair} from "./filefakes.js";

const MB = 1 << 20;

/** Checks that everything sent has arrived, and nothing else. */
function assertSame(disk, contents) {
    assert.deepEqual([...disk.files.keys()].sort(), Object.keys(contents).sort());
    for (const [path, content] of Object.entries(contents)) {
        const there = disk.files.get(path);
        assert.ok(content === null ? there === null : Buffer.compare(there, content) === 0, path);
    }
    assert.equal(disk.partCount, 0, "nothing is left open");
}

function assertWhole(pair, batch, contents) {
    for (const end of pair.ends) {
        const {arrived, failed, reason} = end.over(batch);
        assert.deepEqual({arrived, failed, reason}, {arrived: Object.keys(contents).length, failed: 0, reason: null});
    }
    assertSame(pair.receiver.disk, contents);
}

test("a large file over a channel that is cut ten times arrives whole, and little is sent twice", () => {
    const pair = new FilePair(), contents = {"large.bin": bytesOf(4 * MB + 12345)}, size = contents["large.bin"].length;
    pair.sender.send(1n, contents);
    for (let i = 1; i <= 10; i++) {
        pair.run(() => pair.bytes > i * size / 11);
        pair.cut();
        pair.step(5000);
        pair.open();
    }
    pair.run(() => pair.isOver(1n));
    assertWhole(pair, 1n, contents);
    assert.ok(pair.sender.counts.bytesSent < size + 10 * 300 * 1024, String(pair.sender.counts.bytesSent));
    assert.equal(pair.receiver.questions.length, 1, "a person is asked once");
    assert.deepEqual([pair.sender.counts.filesSent, pair.receiver.counts.filesReceived], [1, 1]);
});

test("a folder comes as a whole, with what is empty in it", () => {
    const contents = {
        a: null, "a/empty": null, "a/none.txt": bytesOf(0), "a/b": null, "a/b/c.txt": bytesOf(10), "a/d.bin": bytesOf(MB),
        "Grüße.txt": bytesOf(300),
    };
    const pair = new FilePair();
    pair.sender.send(2n, contents);
    pair.run(() => pair.isOver(2n));
    assertWhole(pair, 2n, contents);
    assert.deepEqual(pair.receiver.questions,
        [{type: "ask", batch: 2n, name: "a", count: 7, bytes: MB + 310}]);
});

test("a thousand small files need no turn of the channel each", () => {
    const pair = new FilePair(), contents = {};
    for (let i = 0; i < 1000; i++) contents[`f/${i}`] = bytesOf(100, i);
    pair.sender.send(3n, contents);
    assert.ok(pair.run(() => pair.isOver(3n)) < 100);
    assertWhole(pair, 3n, contents);
});

test("a cut anywhere in a batch of small and large files loses and doubles none", () => {
    const contents = {
        a: null, "a/1": bytesOf(1000), "a/2": bytesOf(700_000), "a/3": bytesOf(0), "a/4": bytesOf(262_144),
        "a/5": bytesOf(262_143), "a/6": bytesOf(5),
    };
    for (let seed = 0; seed < 40; seed++) {
        const pair = new FilePair();
        pair.sender.send(4n, contents);
        for (let i = 0; i < 3; i++) {
            for (let steps = (seed * (i + 3)) % 29; steps > 0; steps--) pair.step();
            pair.cut();
            pair.step();
            pair.open();
        }
        pair.run(() => pair.isOver(4n));
        assertWhole(pair, 4n, contents);
    }
});

test("who does not want them is sent nothing, and the sender hears why; nor are they asked where nothing is taken", () => {
    for (const [receiver, consent, reason, asked] of [
        [{}, false, "declined", 1], [{permission: "never"}, true, "notAllowed", 0], [{permission: "always"}, null, null, 0],
    ]) {
        const pair = new FilePair({receiver});
        pair.receiver.consent = consent;
        pair.sender.send(5n, {a: bytesOf(1000)});
        pair.run(() => pair.sender.over(5n));
        assert.equal(pair.sender.over(5n).reason, reason);
        assert.equal(pair.sender.over(5n).isPeers, reason !== null);
        assert.equal(pair.receiver.questions.length, asked);
        assert.equal(pair.sender.counts.bytesSent, reason ? 0 : 1000);
    }
});

test("a person who does not answer is waited for, but not for ever, and may answer while there is no channel", () => {
    const pair = new FilePair();
    pair.receiver.consent = null;
    pair.sender.send(6n, {a: bytesOf(1000)});
    for (let i = 0; i < 119; i++) pair.step(1000);
    assert.deepEqual([...pair.receiver.open], [6n]);
    for (let i = 0; i < 5; i++) pair.step(1000);
    assert.equal(pair.receiver.open.size, 0, "the question has lapsed");
    assert.equal(pair.sender.over(6n).reason, "timedOut");

    pair.step(700_000);
    pair.sender.send(7n, {b: bytesOf(1000)});
    pair.run(() => pair.receiver.open.size);
    pair.cut();
    pair.receiver.handle({type: "answer", batch: 7n, accepts: true});
    pair.open();
    pair.run(() => pair.isOver(7n));
    assertWhole(pair, 7n, {b: bytesOf(1000)});
});

test("a disk without room says so at the offer, one that gets full when it does, and nothing is left", () => {
    const pair = new FilePair();
    pair.receiver.disk.space = 999;
    pair.sender.send(8n, {a: bytesOf(1000)});
    pair.run(() => pair.isOver(8n));
    assert.deepEqual([pair.sender.over(8n).reason, pair.receiver.questions.length], ["noSpace", 0]);
    pair.receiver.disk.space = 1e9;
    pair.receiver.disk.fails = ({type, offset}) => (type === "write" && offset > 300_000 ? "noSpace" : null);
    pair.sender.send(9n, {a: bytesOf(MB), b: bytesOf(1)});
    pair.run(() => pair.isOver(9n));
    for (const end of pair.ends) assert.equal(end.over(9n).reason, "noSpace");
    assertSame(pair.receiver.disk, {});
});

test("one file that fails does not end the others, whichever it is, and whoever can't", () => {
    const all = {a: bytesOf(1000), b: bytesOf(700_000), c: bytesOf(10)};
    for (const name of Object.keys(all)) {
        for (const isSenders of [true, false]) {
            const pair = new FilePair(), {disk} = isSenders ? pair.sender : pair.receiver;
            const index = Object.keys(all).indexOf(name);
            disk.fails = (command) => {
                if (isSenders) return command.type === "openSource" && command.index === index ? "unreadable" : null;
                return command.type === "create" && command.path[0] === name ? "badName" : null;
            };
            pair.sender.send(10n, all);
            pair.run(() => pair.isOver(10n));
            for (const end of pair.ends) {
                const {arrived, failed, reason} = end.over(10n);
                assert.deepEqual([arrived, failed, reason], [2, 1, null]);
                assert.deepEqual(end.files.filter(({failure}) => failure).map((file) => [file.index, file.failure]),
                    [[index, isSenders ? "unreadable" : "badName"]]);
            }
            const rest = {...all};
            delete rest[name];
            assertSame(pair.receiver.disk, rest);
        }
    }
});

test("a file that changes is said to have, and nothing of it stays", () => {
    for (const change of [(disk) => { disk.fails = ({type, offset}) => (type === "read" && offset > 99_999 ? "changed" : null); },
        (disk) => { disk.sources.get(11n)[0] = bytesOf(MB - 1); }]) {
        const pair = new FilePair();
        pair.sender.send(11n, {a: bytesOf(MB), b: bytesOf(5)});
        change(pair.sender.disk);
        pair.run(() => pair.isOver(11n));
        assert.deepEqual(pair.receiver.files.map(({failure}) => failure), ["changed", null]);
        assertSame(pair.receiver.disk, {b: bytesOf(5)});
    }
});

test("another file in the place of the first is not taken for its end", () => {
    const pair = new FilePair(), other = bytesOf(MB, 7);
    pair.sender.send(12n, {a: bytesOf(MB, 1)});
    pair.run(() => pair.bytes > 500_000);
    pair.cut();
    pair.sender.disk.sources.set(12n, [other]);
    // The sender no longer knows its earlier reads when it starts again.
    pair.sender.exchange = pair.sender.exchange.constructor && new pair.sender.exchange.constructor(
        "ask", pair.sender.counts, pair.sender.now);
    pair.sender.send(12n, {a: other});
    pair.open();
    pair.run(() => pair.isOver(12n));
    assertSame(pair.receiver.disk, {a: other});
});

test("either end may stop it, with or without a channel, and nothing is left", () => {
    for (const isSender of [true, false]) {
        for (const isCut of [true, false]) {
            const pair = new FilePair(), end = isSender ? pair.sender : pair.receiver;
            pair.sender.send(13n, {a: bytesOf(2 * MB)});
            pair.run(() => pair.bytes > MB);
            if (isCut) pair.cut();
            end.handle({type: "cancel", batch: 13n});
            if (isCut) pair.open();
            pair.run(() => pair.isOver(13n));
            for (const each of pair.ends) {
                assert.equal(each.over(13n).reason, "cancelled");
                assert.equal(each.over(13n).isPeers, each !== end);
            }
            assertSame(pair.receiver.disk, {});
        }
    }
});

test("an end that does not come back is given up after an hour, and one that comes back late begins anew", () => {
    const pair = new FilePair();
    pair.sender.send(14n, {a: bytesOf(2 * MB)});
    pair.run(() => pair.bytes > MB);
    pair.cut();
    pair.step(3_599_000);
    assert.equal(pair.isOver(14n), false);
    assert.equal(pair.ends.every(({progress}) => progress.at(-1).isInterrupted), true);
    pair.step(2000);
    for (const end of pair.ends) assert.equal(end.over(14n).reason, "timedOut");
    pair.open();
    pair.sender.send(14n, {a: bytesOf(2 * MB)});
    pair.run(() => pair.sender.over(14n).reason === null);
    assertSame(pair.receiver.disk, {a: bytesOf(2 * MB)});
});

test("a disk that does not answer ends what waits for it", () => {
    for (const isSenders of [true, false]) {
        const pair = new FilePair(), {disk} = isSenders ? pair.sender : pair.receiver;
        disk.fails = ({type}) => (["read", "write", "finish"].includes(type) ? "silent" : null);
        pair.sender.send(15n, {a: bytesOf(1000)});
        pair.run(() => pair.isOver(15n));
        assert.ok(pair.sender.now < 70_000);
        assert.deepEqual(isSenders ? pair.receiver.files.map(({failure}) => failure) : [pair.sender.over(15n).reason],
            [isSenders ? "unreadable" : "diskFailed"]);
    }
});

test("both ends are told of progress, rate and time left", () => {
    const pair = new FilePair();
    pair.sender.send(16n, {a: bytesOf(6 * MB), b: bytesOf(1)});
    pair.run(() => pair.isOver(16n));
    for (const end of pair.ends) {
        const middle = end.progress.find(({bytes}) => bytes > 3 * MB);
        assert.deepEqual([middle.index, middle.count, middle.totalBytes, middle.isInterrupted], [1, 2, 6 * MB + 1, false]);
        assert.ok(middle.rate > 100_000 && middle.rate < 20e6, String(middle.rate));
        const expected = (6 * MB - middle.bytes) / middle.rate;
        assert.ok(Math.abs(middle.timeLeft - expected) <= 1, `${middle.timeLeft} ${expected}`);
    }
});

test("batches go one after the other, both ends' at once, and not too many wait", () => {
    const pair = new FilePair({sender: {permission: "always"}, receiver: {permission: "always"}});
    for (let i = 20n; i < 29n; i++) pair.sender.send(i, {[`s${i}`]: bytesOf(300_000, Number(i))});
    pair.receiver.send(40n, {r: bytesOf(600_000)});
    assert.equal(pair.sender.over(28n).reason, "busy");
    pair.run(() => pair.isOver(40n) && pair.isOver(27n));
    assert.equal(pair.receiver.disk.files.size, 8);
    assertSame(pair.sender.disk, {r: bytesOf(600_000)});
});

test("what is sent while there is no channel goes with the next one", () => {
    const pair = new FilePair();
    pair.cut();
    pair.sender.send(30n, {a: bytesOf(10)});
    pair.step();
    pair.open();
    pair.run(() => pair.isOver(30n));
    assertWhole(pair, 30n, {a: bytesOf(10)});
});

test("no more is held and no more is given to the channel than its share", () => {
    const pair = new FilePair();
    pair.sender.send(31n, {a: bytesOf(3 * MB)});
    pair.run(() => pair.isOver(31n));
    // `FileEnd` throws if more is sent than there is room for.
    assert.ok(pair.sender.mostBuffered <= 120 * 1024, String(pair.sender.mostBuffered));
    assert.ok(pair.receiver.mostBuffered <= SETTINGS.window);
    pair.sender.send(32n, {b: bytesOf(3 * MB)});
    const before = pair.bytes;
    for (const end of pair.ends) Object.defineProperty(end, "room", {get: () => -5000, set() {}});
    for (let i = 0; i < 100; i++) pair.step();
    assert.ok(pair.bytes - before < 100, "what has no room waits");
});
