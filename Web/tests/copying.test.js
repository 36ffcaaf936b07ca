// Content from the host for this machine's clipboard: what is prefetched, and what waits for a button.

import assert from "node:assert/strict";
import test from "node:test";
import {ClipboardLink} from "../viewer/clipboard/clipboardlink.js";
import {Copying, selectAndCopy} from "../viewer/clipboard/copying.js";
import {parse} from "../viewer/clipboard/transfermessage.js";
import {FakeTransfer, png} from "./clipboardfakes.js";
import {browser, FakeElement, fire} from "./fakes.js";

const settle = async () => { for (let i = 0; i < 5; i++) await new Promise((done) => setImmediate(done)); };

/** A browser's clipboard that records `write` calls. */
class FakeClipboard {
    written = [];
    fails = false;

    async write([{parts}]) {
        if (this.fails) throw new Error("NotAllowedError");
        const texts = {};
        for (const [type, blob] of Object.entries(parts)) {
            texts[type] = type === "image/png" ? (await blob).size : await (await blob).text();
        }
        this.written.push(texts);
    }

    async writeText(text) { this.written.push(text); }
}

function made(t, {isSecure = true, clipboard = new FakeClipboard(), isEarly = false} = {}) {
    const clock = browser(t), link = new ClipboardLink(true), transfer = new FakeTransfer(), log = [];
    globalThis.ClipboardItem = class { constructor(parts) { this.parts = parts; } };
    t.after(() => delete globalThis.ClipboardItem);
    const page = {hasFocus: true, canSelect: true, selected: []};
    const copying = new Copying(link, {
        clipboard: isSecure ? clipboard : undefined, hasFocus: () => page.hasFocus,
        select: (...all) => {
            if (page.canSelect) page.selected.push(all);
            return page.canSelect;
        },
        wrote: (contents) => log.push(["wrote", [...contents.keys()].join()]),
        changed: () => {}, failed: (what) => log.push([what]),
    });
    link.changed = () => copying.allowed();
    link.offered = (entries) => copying.offered(entries);
    link.sent = () => copying.forget();
    link.begin(transfer);
    if (!isEarly) clock.pass(500);
    const fetched = () => transfer.sent.filter(({type}) => type === "request").map(({format}) => format);
    return {...clock, link, transfer, copying, clipboard, page, log, fetched};
}

test("text, HTML and a small picture are fetched and written as they are copied", async (t) => {
    const {transfer, clipboard, copying, log} = made(t);
    transfer.copy({text: "hello ✓", html: "<b>", png: png(1 << 20)});
    await settle();
    assert.deepEqual(clipboard.written, [{"text/plain": "hello ✓", "text/html": "<b>", "image/png": 1 << 20}]);
    assert.deepEqual(log, [["wrote", "text,html,png"]]);
    assert.equal(copying.wares, null);
});

test("a larger picture waits for a press, and is then written with all else", async (t) => {
    const {transfer, clipboard, copying, fetched} = made(t);
    transfer.copy({text: "a", png: png((1 << 20) + 1)});
    await settle();
    assert.deepEqual(clipboard.written, [{"text/plain": "a"}]);
    assert.deepEqual(copying.wares, {hasText: true, hasPicture: true, size: (1 << 20) + 2});
    await copying.copy();
    assert.deepEqual(clipboard.written.at(-1), {"text/plain": "a", "image/png": (1 << 20) + 1});
    assert.deepEqual(fetched(), ["text", "png"], "each once");
    assert.equal(copying.wares, null);
});

test("a picture of unknown size waits for a press, and that asks the browser at once", async (t) => {
    const {transfer, copying, clipboard} = made(t);
    transfer.tell({type: "offer", serial: 9, entries: [{format: "png", size: null}]});
    await settle();
    assert.deepEqual(copying.wares, {hasText: false, hasPicture: true, size: null});
    let isAsked = false;
    clipboard.write = async () => { isAsked = true; };
    const done = copying.copy();
    assert.equal(isAsked, true);
    await done;
});

for (const [name, options, change] of [
    ["without the focus", {}, ({page}) => { page.hasFocus = false; }],
    ["copied before this page drove", {isEarly: true}, () => {}],
]) {
    test(`${name}, nothing is fetched until somebody presses`, async (t) => {
        const all = made(t, options), {transfer, copying, clipboard, fetched} = all;
        change(all);
        transfer.copy({text: "a"});
        await settle();
        assert.deepEqual([fetched(), clipboard.written], [[], []]);
        assert.deepEqual(copying.wares, {hasText: true, hasPicture: false, size: 1});
        await copying.copy();
        assert.deepEqual(clipboard.written, [{"text/plain": "a"}]);
    });
}

test("a browser that wants a press is given one", async (t) => {
    const {transfer, copying, clipboard, log} = made(t);
    clipboard.fails = true;
    transfer.copy({text: "a"});
    await settle();
    assert.ok(copying.wares);
    await copying.copy();
    assert.deepEqual(log, [["notCopied"]]);
    assert.ok(copying.wares, "it may be tried again");
    clipboard.fails = false;
    await copying.copy();
    assert.deepEqual(clipboard.written, [{"text/plain": "a"}]);
    assert.equal(copying.wares, null);
});

test("a browser that writes text alone is given that", async (t) => {
    const clipboard = {texts: [], async writeText(text) { this.texts.push(text); }};
    const {transfer} = made(t, {clipboard});
    transfer.copy({text: "a", html: "<b>"});
    await settle();
    assert.deepEqual(clipboard.texts, ["a"]);
});

test("over plain HTTP text is fetched ahead, and a press copies it at once", async (t) => {
    const {transfer, copying, page, log, fetched} = made(t, {isSecure: false});
    transfer.copy({text: "a", html: "<b>a", png: png(100)});
    assert.equal(copying.wares, null);
    await settle();
    assert.deepEqual(fetched(), ["text", "html"]);
    assert.deepEqual(copying.wares, {hasText: true, hasPicture: true, size: 105});
    const done = copying.copy();
    assert.deepEqual(page.selected, [["a", "<b>a"]], "within the press");
    await done;
    assert.deepEqual(log, [["wrote", "text,html"]]);
    assert.equal(copying.wares, null);
});

test("over plain HTTP a larger text is fetched by a press, and copied by another where the browser wants it", async (t) => {
    const {transfer, copying, page, log, fetched} = made(t, {isSecure: false});
    transfer.copy({text: "a".repeat((1 << 20) + 1)});
    await settle();
    assert.deepEqual(fetched(), []);
    page.canSelect = false;
    await copying.copy();
    assert.deepEqual(log, [["notCopied"]]);
    page.canSelect = true;
    const done = copying.copy();
    assert.equal(page.selected[0][0].length, (1 << 20) + 1);
    await done;
    assert.deepEqual(fetched(), ["text"]);
});

test("over plain HTTP a text of unknown size is fetched up to a limit", async (t) => {
    const {transfer, copying} = made(t, {isSecure: false});
    // The test plays the host.
    transfer.send = (bytes) => transfer.sent.push(parse(bytes));
    transfer.tell({type: "offer", serial: 9, entries: [{format: "text", size: null}]});
    const {id} = transfer.sent.find(({type}) => type === "request");
    const piece = new Uint8Array(16384).fill(65);
    for (let i = 0; i < 65; i++) transfer.tell({type: "data", id, isLast: false, bytes: piece});
    await settle();
    assert.ok(transfer.sent.some((message) => message.type === "cancel" && message.id === id));
    assert.deepEqual(copying.wares, {hasText: true, hasPicture: false, size: null});
});

test("over plain HTTP a picture is not copied, and that is said", async (t) => {
    const {transfer, copying, log} = made(t, {isSecure: false});
    transfer.copy({png: png(100)});
    await settle();
    await copying.copy();
    assert.deepEqual(log, [["noPicture"]]);
    assert.ok(copying.wares);
});

test("what is newer replaces what is fetched, and what is taken back is not copied", async (t) => {
    const {transfer, copying, clipboard, pass, link} = made(t);
    const {send} = transfer;
    transfer.send = () => {};
    transfer.copy({text: "old"});
    transfer.send = send;
    pass(100);
    transfer.copy({text: "new"});
    transfer.run();
    await settle();
    assert.deepEqual(clipboard.written, [{"text/plain": "new"}]);
    assert.equal(link.counts.drops.get("clipboard-cancelled"), 1);
    pass(100);
    transfer.copy({png: png(2 << 20)});
    await settle();
    assert.ok(copying.wares);
    pass(100);
    transfer.terms = {maySend: false, mayReceive: true, mostBytes: 1 << 24};
    assert.equal(copying.wares, null);
    await copying.copy();
    assert.equal(clipboard.written.length, 1);
});

test("what was copied here takes the press away, and so does the end", async (t) => {
    const {transfer, copying, pass, link} = made(t);
    transfer.copy({png: png(2 << 20)});
    await settle();
    pass(100);
    link.copy(new Map([["text", Uint8Array.of(65)]]));
    assert.equal(copying.wares, null);
    pass(100);
    transfer.copy({png: png(2 << 20)});
    await settle();
    assert.ok(copying.wares);
    link.end();
    assert.equal(copying.wares, null);
});

test("by selecting, text and HTML go as the event says, and the focus comes back", (t) => {
    browser(t);
    const before = new FakeElement("button"), body = new FakeElement("body"), data = {};
    document.body = body;
    document.activeElement = before;
    document.createElement = () => Object.assign(new FakeElement("textarea"), {
        select() { this.focus(); },
        remove() { body.children = body.children.filter((child) => child !== this); },
    });
    let isBroken = false;
    document.execCommand = (name) => {
        if (isBroken) throw new Error("it does not");
        const clipboardData = {setData: (type, text) => { data[type] = text; }};
        return name === "copy" && !fire(document, "copy", {clipboardData});
    };
    assert.equal(selectAndCopy("a", "<b>"), true);
    assert.deepEqual(data, {"text/plain": "a", "text/html": "<b>"});
    assert.equal(document.activeElement, before);
    assert.deepEqual(body.children, []);
    isBroken = true;
    assert.equal(selectAndCopy("a", ""), false);
    // The event listener was removed.
    assert.equal(fire(document, "copy", {}), true);
});
