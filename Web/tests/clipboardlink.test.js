// The clipboard exchange on its channel: a host's faults there end at most the clipboard.

import assert from "node:assert/strict";
import test from "node:test";
import {WINDOW} from "../viewer/clipboard/clipboardexchange.js";
import {ClipboardLink} from "../viewer/clipboard/clipboardlink.js";
import {serialise} from "../viewer/clipboard/transfermessage.js";
import {FakeTransfer, contentsOf, png} from "./clipboardfakes.js";
import {browser} from "./fakes.js";

function made(t, {isShared = true} = {}) {
    const clock = browser(t), link = new ClipboardLink(isShared), transfer = new FakeTransfer(), log = [];
    link.offered = (entries) => log.push(["offered", entries.length]);
    link.changed = () => log.push(["changed", link.isThere, link.gives, link.takes]);
    link.sent = () => log.push(["sent"]);
    link.begin(transfer);
    return {...clock, link, transfer, log};
}

const told = (promise) => promise.then((bytes) => bytes.length, ({message}) => message);

test("terms go first, and what may go is told once for each change", (t) => {
    const {link, transfer, log} = made(t);
    assert.equal(transfer.binaryType, "arraybuffer");
    assert.deepEqual(transfer.sent, [{type: "terms", maySend: true, mayReceive: true, mostBytes: 16 << 20}]);
    assert.deepEqual(log, [["changed", true, true, true]]);
    link.isShared = false;
    assert.deepEqual(transfer.sent.at(-1), {type: "terms", maySend: false, mayReceive: false, mostBytes: 0});
    assert.deepEqual(log.at(-1), ["changed", true, false, false]);
    link.isShared = true;
    assert.equal(link.gives && link.takes, true);
});

test("switched off from the start, it gives and takes nothing", async (t) => {
    const {link, transfer, log} = made(t, {isShared: false});
    link.copy(contentsOf({text: "a"}));
    transfer.copy({text: "b"});
    assert.equal(await told(link.fetch("text").content), "not-allowed");
    assert.deepEqual(transfer.sent.map(({type}) => type), ["terms"]);
    assert.deepEqual(log, [["changed", true, false, false]]);
});

test("what is fetched comes, or says why not", async (t) => {
    const {link, transfer, pass} = made(t);
    transfer.copy({text: "hello", html: "a".repeat(2000)});
    assert.equal(await told(link.fetch("text").content), 5);
    assert.equal(await told(link.fetch("html", 1999).content), "too-large");
    assert.equal(await told(link.fetch("png").content), "gone");
    // A host that stops responding.
    transfer.send = () => {};
    const silent = link.fetch("text"), cancelled = link.fetch("text");
    cancelled.cancel();
    cancelled.cancel();
    assert.equal(await told(cancelled.content), "cancelled");
    pass(15_000);
    assert.equal(await told(silent.content), "timed-out");
});

test("that the host has read what was copied is told once, and again after ten minutes", (t) => {
    const {link, transfer, pass} = made(t);
    let count = 0;
    link.wasRead = () => { count++; };
    link.copy(contentsOf({text: "one"}));
    assert.equal(count, 0, "it is only announced");
    transfer.paste("text");
    assert.equal(transfer.pasted.length, 1);
    assert.equal(count, 1);
    transfer.paste("text");
    pass(599_000);
    link.copy(contentsOf({text: "two"}));
    transfer.run();
    transfer.paste("text");
    assert.equal(transfer.pasted.length, 3);
    assert.equal(count, 1);
    // A new session doesn't offer it again.
    const next = new FakeTransfer();
    link.begin(next);
    link.copy(contentsOf({text: "three"}));
    next.paste("text");
    assert.equal(count, 1);
    pass(1000);
    next.paste("text");
    assert.equal(count, 2);
    // A request that the page refuses is not reported as read.
    pass(600_000);
    next.paste("png");
    assert.equal(count, 2);
});

test("the channel's closing ends what is under way, and the clipboard", async (t) => {
    const {link, transfer, log} = made(t);
    transfer.copy({text: "hello"});
    transfer.send = () => {};
    const {content, cancel} = link.fetch("text");
    log.length = 0;
    transfer.close();
    assert.equal(await told(content), "gone");
    assert.deepEqual(log, [["offered", 0], ["changed", false, false, false]]);
    cancel();
    link.copy(contentsOf({text: "a"}));
    link.end();
    assert.equal(await told(link.fetch("text").content), "gone");
    assert.equal(log.length, 2);
});

test("a channel that refuses to send ends the clipboard, and a new session has it again", async (t) => {
    const {link, transfer, pass} = made(t);
    transfer.readyState = "closing";
    link.copy(contentsOf({text: "a"}));
    assert.equal(link.isThere, false);
    pass(20_000);
    const next = new FakeTransfer();
    link.begin(next);
    link.copy(contentsOf({text: "a"}));
    assert.equal(next.offered.length, 1);
    // Messages of an old channel are ignored.
    const {onmessage} = transfer;
    assert.equal(onmessage, null);
});

test("no more than 64 KiB wait in the channel, and all goes as it empties", (t) => {
    const {link, transfer} = made(t);
    let most = 0, size = 0;
    const picture = png(1 << 20);
    link.copy(contentsOf({png: picture}));
    transfer.send = (bytes) => {
        transfer.bufferedAmount += bytes.length;
        most = Math.max(most, transfer.bufferedAmount);
        size += bytes[0] === 4 ? bytes.length - 6 : 0;
    };
    const tell = (message) => transfer.onmessage({data: serialise(message).buffer});
    const {serial} = transfer.sent.find(({type}) => type === "offer");
    tell({type: "request", id: 1, serial, format: "png"});
    tell({type: "credit", id: 1, total: 1 << 24});
    for (let i = 0; i < 100 && size < picture.length; i++) {
        assert.ok(transfer.bufferedAmount > WINDOW / 2, "it is kept filled");
        transfer.bufferedAmount = transfer.bufferedAmountLowThreshold;
        transfer.onbufferedamountlow();
    }
    assert.equal(size, picture.length);
    assert.ok(most <= WINDOW, String(most));
});

test("text, nonsense and floods are counted", (t) => {
    const {link, transfer} = made(t);
    for (const data of ["text", "", new ArrayBuffer(0), new ArrayBuffer(1 << 20), new Blob(), undefined]) {
        transfer.onmessage({data});
    }
    assert.equal(link.counts.drops.get("clipboard-malformed"), 6);
    for (let i = 0; i < 1000; i++) transfer.tell({type: "offer", serial: i, entries: [{format: "text", size: 1}]});
    assert.ok(link.counts.drops.get("clipboard-offer-replaced") >= 990);
    for (let id = 0; id < 1000; id++) transfer.tell({type: "request", id, serial: 9, format: "text"});
    assert.equal(link.isThere, true);
});

test("what is told of may end it at once", (t) => {
    const {link, transfer, pass} = made(t);
    link.offered = () => link.end();
    transfer.copy({text: "a"});
    assert.equal(link.isThere, false);
    pass(1000);
});
