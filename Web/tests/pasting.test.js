// Pasting from this machine's clipboard at the host: what is offered there, and when the key is sent that pastes it.

import assert from "node:assert/strict";
import test from "node:test";
import {CONTENT_LIMIT} from "../viewer/clipboard/clipboardexchange.js";
import {ClipboardLink} from "../viewer/clipboard/clipboardlink.js";
import {Pasting} from "../viewer/clipboard/pasting.js";
import {NOTHING} from "../viewer/clipboard/transfermessage.js";
import {Input} from "../viewer/input/input.js";
import {FakeTransfer, contentsOf, png} from "./clipboardfakes.js";
import {browser, FakeElement, fire} from "./fakes.js";

const settle = () => new Promise((done) => setImmediate(done));

function made(t, {isMac = false, clipboard, isGranted = true} = {}) {
    const clock = browser(t), stage = new FakeElement("main"), log = [];
    const input = new Input((_, {type}) => (log.push(type), true), () => {});
    input.state = "yours";
    const link = new ClipboardLink(true), transfer = new FakeTransfer();
    const page = {hasFocus: true};
    const pasting = new Pasting(stage, link, input, {
        press: () => input.act({type: "keyPress", keyCode: 9, modifiers: ["ctrl"]}), isMac, hasFocus: () => page.hasFocus,
        clipboard, mayRead: async () => isGranted,
    });
    link.sent = () => {
        log.push("offer");
        pasting.sent();
    };
    link.offered = (entries) => { if (entries.length) pasting.offered(); };
    link.begin(transfer);
    /** Presses the paste keys; the browser's event follows, unless it is suppressed. */
    const press = async (data, fields = {}) => {
        const isLeft = pasting.begins({code: "KeyV", key: "v", ctrlKey: !isMac, metaKey: isMac, ...fields});
        input.act({type: "keyDown", keyCode: 9, modifiers: []});
        if (isLeft && data) await paste(data);
        input.act({type: "keyUp", keyCode: 9, modifiers: []});
        return isLeft;
    };
    /** @returns whether the browser also pastes into the field */
    const paste = async ({files = [], ...texts}) => {
        const types = {"text/plain": texts.text, "text/html": texts.html};
        const isLeft = fire(stage, "paste", {clipboardData: {getData: (type) => types[type] ?? "", files}});
        await settle();
        return isLeft;
    };
    const take = () => log.splice(0);
    const host = () => transfer.offered.splice(0).map((entries) => entries.map(({format}) => format).join());
    return {...clock, link, transfer, pasting, input, page, press, paste, take, host, stage};
}

const KEYS = ["keyDown", "keyUp"];

test("the offer goes at once, the key some milliseconds behind it, and what is typed meanwhile behind that", async (t) => {
    const {press, take, host, pass, input, transfer} = made(t);
    assert.equal(await press({text: "hello", html: "<b>hello</b>"}), true);
    input.act({type: "keyPress", keyCode: 36, modifiers: []});
    pass(39);
    assert.deepEqual(take(), ["offer"]);
    assert.deepEqual(host(), ["text,html"]);
    pass(1);
    assert.deepEqual(take(), [...KEYS, "keyPress"]);
    transfer.paste("text");
    assert.deepEqual(transfer.pasted, [new TextEncoder().encode("hello")]);
    pass(1000);
    assert.deepEqual(take(), []);
});

test("what was offered last is pasted at once", async (t) => {
    const {press, take, pass} = made(t);
    await press({text: "hello"});
    pass(500);
    take();
    await press({text: "hello"});
    assert.deepEqual(take(), KEYS);
    await press({text: "other"});
    pass(40);
    assert.deepEqual(take(), ["offer", ...KEYS]);
});

test("pasted twice in haste, both go behind the one offer", async (t) => {
    const {press, take, pass} = made(t);
    await press({text: "hello"});
    pass(20);
    await press({text: "hello"});
    assert.deepEqual(take(), ["offer"]);
    pass(20);
    assert.deepEqual(take(), [...KEYS, ...KEYS]);
});

test("an offer that has to wait for its time keeps the key waiting, but not for long", async (t) => {
    const {press, take, pass, transfer} = made(t);
    await press({text: "one"});
    pass(50);
    take();
    await press({text: "two"});
    pass(49);
    assert.deepEqual(take(), []);
    pass(41);
    assert.deepEqual(take(), ["offer", ...KEYS]);
    // The channel is full.
    pass(1000);
    transfer.bufferedAmount = 1 << 20;
    await press({text: "three"});
    pass(299);
    assert.deepEqual(take(), []);
    pass(1);
    assert.deepEqual(take(), KEYS);
});

test("without the browser's event the key goes after a tenth of a second", async (t) => {
    const {press, take, pass} = made(t);
    assert.equal(await press(null), true);
    pass(99);
    assert.deepEqual(take(), []);
    pass(1);
    assert.deepEqual(take(), KEYS);
});

test("an event that comes late is offered, and presses nothing a second time", async (t) => {
    const {press, paste, take, pass, host} = made(t);
    await press(null);
    pass(150);
    assert.deepEqual(take(), KEYS);
    await paste({text: "late"});
    pass(500);
    assert.deepEqual(take(), ["offer"]);
    assert.deepEqual(host(), ["text"]);
    // The next paste is from the menu.
    await paste({text: "menu"});
    pass(100);
    assert.deepEqual(take(), ["offer", "keyPress"]);
});

test("an offer of something else does not send the key ahead of its event", async (t) => {
    const {pasting, input, link, paste, take, pass} = made(t);
    assert.equal(pasting.begins({code: "KeyV", key: "v", ctrlKey: true}), true);
    input.act({type: "keyDown", keyCode: 9, modifiers: []});
    link.copy(contentsOf({text: "seen by a look"}));
    pass(60);
    assert.deepEqual(take(), ["offer"]);
    await paste({text: "by the event"});
    pass(100);
    assert.deepEqual(take(), ["offer", "keyDown"]);
});

test("nothing on the clipboard, and nothing that the host takes: the key goes at once", async (t) => {
    const {press, take, host, link} = made(t);
    const file = {type: "application/pdf", size: 10};
    for (const data of [{}, {text: ""}, {files: [file]}, {text: "a".repeat(CONTENT_LIMIT + 1)},
        {files: [{type: "image/png", size: CONTENT_LIMIT + 1}]}]) {
        await press(data);
        assert.deepEqual(take(), KEYS);
    }
    assert.deepEqual(host(), []);
    assert.equal(link.counts.drops.get("clipboard-format-too-large"), 2);
});

test("a picture is offered, one that can't be read or is none is not", async (t) => {
    const {press, take, host, pass, transfer} = made(t);
    const picture = png(5000);
    await press({html: "<img>", files: [new Blob([picture], {type: "image/png"})]});
    pass(40);
    assert.deepEqual(take(), ["offer", ...KEYS]);
    assert.deepEqual(host(), ["html,png"]);
    transfer.paste("png");
    assert.deepEqual(transfer.pasted, [picture]);
    const broken = {type: "image/png", size: 5, arrayBuffer: async () => { throw new Error("NotReadableError"); }};
    for (const file of [broken, new Blob(["GIF89a"], {type: "image/png"})]) {
        await press({files: [file]});
        assert.deepEqual(take(), KEYS);
    }
    assert.deepEqual(host(), []);
});

test("a picture that takes too long to read keeps the key no longer", async (t) => {
    const {press, take, pass, host} = made(t);
    let done;
    const slow = {type: "image/png", size: 50, arrayBuffer: () => new Promise((resolve) => { done = resolve; })};
    await press({files: [slow]});
    pass(300);
    assert.deepEqual(take(), KEYS);
    done(png(50).buffer);
    await settle();
    assert.deepEqual(take(), ["offer"]);
    assert.deepEqual(host(), ["png"]);
});

for (const [name, fields, isLeft, isMac] of [
    ["Control and V", {}, true], ["Control, Shift and V", {shiftKey: true}, true],
    ["Shift and Insert", {code: "Insert", key: "Insert", ctrlKey: false, shiftKey: true}, true],
    ["V where another layout has it", {code: "Period", key: "v"}, true],
    ["another letter at V's place", {code: "KeyV", key: "k"}, false],
    ["V's place where no Latin letters are", {code: "KeyV", key: "м"}, true],
    ["V alone", {ctrlKey: false}, false], ["AltGr and V", {altKey: true}, false],
    ["Command and V elsewhere", {ctrlKey: false, metaKey: true}, false], ["a repetition", {repeat: true}, false],
    ["Command and V of a Mac", {}, true, true], ["Control and V of a Mac", {ctrlKey: true, metaKey: false}, false, true],
    ["Insert alone", {code: "Insert", key: "Insert", ctrlKey: false}, false],
    ["Shift and Insert of a Mac", {code: "Insert", key: "Insert", metaKey: false, shiftKey: true}, false, true],
]) {
    test(`${name}: ${isLeft ? "the browser pastes by it" : "the host's alone"}`, async (t) => {
        const {press, take, pass} = made(t, {isMac});
        assert.equal(await press({text: "a"}, fields), isLeft);
        pass(100);
        assert.deepEqual(take(), [...isLeft ? ["offer"] : [], ...KEYS]);
    });
}

for (const [name, change] of [
    ["no channel", ({link}) => link.end()], ["a host that takes nothing", ({transfer}) => { transfer.terms = NOTHING; }],
    ["a page that shares nothing", ({link}) => { link.isShared = false; }],
    ["somebody else who drives", ({input}) => { input.state = "taken"; }],
]) {
    test(`with ${name} a key is a key, and the browser's menu types as before`, async (t) => {
        const all = made(t);
        change(all);
        assert.equal(await all.press({text: "a"}), false);
        assert.equal(await all.paste({text: "a"}), true);
        assert.deepEqual(all.take(), all.input.isAllowed ? KEYS : []);
        assert.deepEqual(all.host(), []);
    });
}

test("the browser's menu presses what pastes, behind the offer", async (t) => {
    const {paste, take, pass, host} = made(t);
    assert.equal(await paste({text: "menu"}), false);
    assert.deepEqual(take(), ["offer"]);
    pass(40);
    assert.deepEqual(take(), ["keyPress"]);
    assert.deepEqual(host(), ["text"]);
});

test("what was copied in the host is pasted there: nothing older replaces it", async (t) => {
    const {press, take, pass, host, transfer, pasting} = made(t);
    await press({text: "mine"});
    pass(500);
    take();
    host();
    transfer.copy({text: "the host's"});
    await press({text: "mine"});
    assert.deepEqual(take(), KEYS, "it was seen before, so it is older");
    assert.deepEqual(host(), []);
    // Something was copied here meanwhile.
    pasting.blurred();
    await press({text: "newer"});
    pass(40);
    assert.deepEqual(take(), ["offer", ...KEYS]);
    assert.deepEqual(host(), ["text"]);
});

for (const wasAway of [false, true]) {
    test(`at first, ${wasAway ? "what lies here counts where somebody was elsewhere since the host copied"
        : "what the host copied while the page had the focus is newer than what lies here"}`, async (t) => {
        const {press, take, pass, transfer, pasting} = made(t);
        transfer.copy({text: "the host's"});
        if (wasAway) pasting.blurred();
        await press({text: "mine"});
        assert.deepEqual(take(), wasAway ? ["offer"] : KEYS);
        pass(100);
        assert.deepEqual(take(), wasAway ? KEYS : []);
    });
}

test("what came from the host goes back to nobody", async (t) => {
    const {press, take, host, transfer, link, pasting} = made(t);
    transfer.copy({text: "a\nb", html: "<p>a"});
    const {content} = link.fetch("text");
    pasting.wrote(new Map([["text", await content]]));
    pasting.blurred();
    await press({text: "a\r\nb", html: "<meta><p>a"});
    assert.deepEqual(take(), KEYS);
    assert.deepEqual(host(), []);
});

/** A browser's clipboard that counts its reads. */
function clipboardOf(contents) {
    const clipboard = {reads: 0, contents};
    clipboard.read = async () => {
        clipboard.reads++;
        const types = Object.keys(clipboard.contents);
        return [{types, getType: async (type) => new Blob([clipboard.contents[type]])}];
    };
    return clipboard;
}

test("where it may, the page looks at the clipboard, and offers what is new", async (t) => {
    const clipboard = clipboardOf({"text/plain": "one", "image/png": png(100), "text/rtf": "{"});
    const {pasting, host, page, pass, press, take, link} = made(t, {clipboard});
    await pasting.look();
    assert.deepEqual(host(), ["text,png"]);
    pass(500);
    take();
    await pasting.look();
    assert.deepEqual(host(), []);
    // The same by the paste event.
    await press({text: "one", files: [new Blob([png(100)], {type: "image/png"})]});
    assert.deepEqual(take(), KEYS);
    clipboard.contents = {"text/plain": "two"};
    page.hasFocus = false;
    await pasting.look();
    assert.deepEqual(host(), []);
    page.hasFocus = true;
    await Promise.all([pasting.look(), pasting.look()]);
    assert.deepEqual(host(), ["text"]);
    assert.equal(clipboard.reads, 3);
    pass(500);
    clipboard.contents = {"text/plain": "written"};
    pasting.wrote(contentsOf({text: "written"}));
    await settle();
    await pasting.look();
    assert.deepEqual(host(), []);
    link.end();
    await pasting.look();
    assert.equal(clipboard.reads, 5);
});

for (const [name, options] of [
    ["is not granted", {clipboard: clipboardOf({"text/plain": "one"}), isGranted: false}],
    ["fails", {clipboard: {read: async () => { throw new Error("NotAllowedError"); }}}], ["is not there", {}],
]) {
    test(`where that ${name}, nothing is offered`, async (t) => {
        const {pasting, host} = made(t, options);
        await pasting.look();
        assert.deepEqual(host(), []);
        assert.equal(options.clipboard?.reads ?? 0, 0);
    });
}

test("a session that ends while keys wait leaves nothing behind", async (t) => {
    const {press, take, pass, input, link} = made(t);
    await press({text: "a"});
    input.state = "forbidden";
    link.end();
    pass(1000);
    assert.deepEqual(take(), ["offer"]);
    input.state = "yours";
    input.act({type: "keyPress", keyCode: 0, modifiers: []});
    assert.deepEqual(take(), ["keyPress"]);
});
