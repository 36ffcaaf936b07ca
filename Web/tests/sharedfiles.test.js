// Files in the page: the channel shared with the clipboard, the panel, drops and downloads.

import assert from "node:assert/strict";
import test from "node:test";
import {FileLink} from "../viewer/files/filelink.js";
import {parseFile, serialiseFile} from "../viewer/files/filemessage.js";
import {SharedFiles} from "../viewer/files/sharedfiles.js";
import {TransferLink} from "../viewer/files/transferlink.js";
import {sizeText, timeText} from "../viewer/language/amounts.js";
import {words} from "../viewer/language/language.js";
import {FakeElement, browser, fire} from "./fakes.js";
import {bytesOf, FileEnd} from "./filefakes.js";

/** A channel with a host at its end that sends and receives files at once. */
class FakeChannel {
    readyState = "open";
    bufferedAmount = 0;
    host = new FileEnd({permission: "always", now: performance.now()});
    sent = [];
    isSlow = false;

    constructor() { this.host.handle({type: "opened"}); }

    send(bytes) {
        if (this.readyState !== "open") throw new Error("InvalidStateError");
        this.sent.push(bytes.slice());
        if (this.isSlow) this.bufferedAmount += bytes.length;
        else if (bytes[0] >= 16) this.host.handle({type: "received", bytes: bytes.slice()});
    }

    /** Sends the host's pending messages. */
    run() {
        for (let more = true; more; ) {
            this.host.room = 32 * 1024;
            this.host.pass(0);
            const messages = this.host.sent.splice(0);
            more = messages.length > 0;
            for (const bytes of messages) this.onmessage?.({data: bytes.slice().buffer});
        }
    }

    close() {
        this.readyState = "closed";
        this.host.handle({type: "closed"});
        this.host.sent = [];
        this.onclose?.();
    }
}

const settle = async () => { for (let i = 0; i < 20; i++) await new Promise((resolve) => { setImmediate(resolve); }); };

test("by its first byte a message is the clipboard's or of files, and whatever is none is the clipboard's", () => {
    const got = [], end = (name) => ({
        begin(lane) {
            lane.onmessage = ({data}) => got.push([name, data.byteLength ?? data]);
            lane.onclose = () => got.push([name, "closed"]);
            lane.onbufferedamountlow = () => got.push([name, "low"]);
        },
        end: () => got.push([name, "end"]),
    });
    const channel = {bufferedAmount: 5}, link = new TransferLink(end("clipboard"), end("files"));
    link.begin(channel);
    assert.equal(channel.binaryType, "arraybuffer");
    assert.ok(channel.bufferedAmountLowThreshold < 32 * 1024);
    for (const data of [[1, 2], [15], [16, 1, 1], [255], []]) channel.onmessage({data: Uint8Array.from(data).buffer});
    channel.onmessage({data: "text"});
    assert.deepEqual(got.splice(0),
        [["clipboard", 2], ["clipboard", 1], ["files", 3], ["files", 1], ["clipboard", 0], ["clipboard", "text"]]);
    channel.onbufferedamountlow();
    assert.deepEqual(got.splice(0), [["clipboard", "low"], ["files", "low"]], "the clipboard goes first");
    channel.onclose();
    assert.deepEqual(got.splice(0), [["clipboard", "closed"], ["files", "closed"], ["clipboard", "end"], ["files", "end"]]);
    assert.deepEqual([channel.onmessage, channel.onclose, channel.onbufferedamountlow], [null, null, null]);
    link.end();
    assert.deepEqual(got, []);
});

test("no more than 32 KiB of files wait in the channel, and none where as much of the clipboard does", async (t) => {
    browser(t);
    const link = new FileLink(({type, job, count}) => {
        if (type === "openSource") link.handle({type: "disk", reply: {type: "opened", job, bytes: 200_000}});
        if (type === "read") link.handle({type: "disk", reply: {type: "read", job, bytes: new Uint8Array(count)}});
    });
    const channel = new FakeChannel();
    channel.isSlow = true;
    link.begin(channel);
    channel.bufferedAmount = 32 * 1024;
    link.handle({type: "send", batch: 1n, entries: [{path: ["a"], isFolder: false, size: 200_000, modified: 0}]});
    assert.equal(channel.sent.length, 0);
    channel.bufferedAmount = 0;
    channel.onbufferedamountlow();
    const tell = (message) => channel.onmessage({data: serialiseFile({batch: 1n, ...message}).buffer});
    tell({type: "accept", next: 0, failed: 0});
    tell({type: "credit", total: 1e6});
    let size = 0;
    for (let i = 0; i < 40; i++) {
        assert.ok(channel.bufferedAmount <= 32 * 1024);
        size = channel.sent.map((bytes) => parseFile(bytes)).reduce((sum, {bytes}) => sum + (bytes?.length ?? 0), 0);
        channel.bufferedAmount = 16 * 1024;
        channel.onbufferedamountlow();
    }
    assert.equal(size, 200_000);
});

function page(t) {
    const clock = browser(t);
    t.mock.timers.reset();
    const names = ["box", "list", "said", "offer", "offerText", "offerYes", "offerNo", "files", "folder"];
    const elements = Object.fromEntries(names.map((name) => [name, new FakeElement()]));
    elements.box.hidden = elements.offer.hidden = true;
    const stage = new FakeElement(), said = [], links = [], urls = [];
    const createElement = document.createElement;
    document.createElement = (tag) => {
        const made = createElement(tag);
        if (tag === "a") {
            made.click = () => links.push({name: made.download, content: urls[Number(made.href.split(":")[1])]});
        }
        return made;
    };
    t.mock.method(URL, "createObjectURL", (content) => `blob:${urls.push(content) - 1}`);
    t.mock.method(globalThis, "setTimeout", (act, time) => ({act, time}));
    t.mock.method(globalThis, "clearTimeout", () => {});
    let left = 0;
    const files = new SharedFiles(stage, elements, {changed: () => {}, say: (text) => said.push(text), left: () => left++});
    const rows = () => elements.list.children.map((row) => ({
        name: row.children[0].textContent, text: row.children[3].textContent, button: row.children[1],
        value: row.children[2].getAttribute("aria-valuenow"), bar: row.children[2],
    }));
    return {...clock, files, elements, stage, said, links, rows, left: () => left};
}

const fileOf = (name, content, path = "") => {
    const file = new File([content], name, {lastModified: 5000});
    Object.defineProperty(file, "webkitRelativePath", {value: path});
    return file;
};

test("what is chosen goes to the host, and its row says how it is", async (t) => {
    const {files, elements, rows, said} = page(t), channel = new FakeChannel(), content = bytesOf(300_000);
    assert.equal(files.isThere, false);
    files.begin(channel);
    assert.equal(files.isThere, true);
    elements.files.files = [fileOf("a.bin", content), fileOf("b.txt", "hello")];
    elements.files.onchange();
    assert.equal(elements.files.value, "");
    assert.equal(elements.box.hidden, false);
    assert.equal(rows()[0].name, "Sending a.bin (2)");
    assert.equal(rows()[0].text, words.files.waiting);
    assert.equal(rows()[0].bar.getAttribute("role"), "progressbar");
    assert.equal(rows()[0].button.getAttribute("aria-label"), "Cancel: Sending a.bin (2)");
    for (let i = 0; i < 30; i++) {
        channel.run();
        await settle();
    }
    assert.deepEqual([...channel.host.disk.files.keys()], ["a.bin", "b.txt"]);
    assert.deepEqual(channel.host.disk.files.get("a.bin"), content);
    assert.equal(rows()[0].text, "Sent.");
    assert.equal(rows()[0].value, "100");
    assert.equal(elements.said.textContent, "a.bin (2): Sent.");
    assert.match(files.facts, /^files: 2 sent, 300 kB; 0 received/);
    rows()[0].button.click();
    assert.equal(elements.box.hidden, true);
    assert.deepEqual(said, []);
});

test("a cut is said, and what was begun goes on with the next channel; to another host it does not", async (t) => {
    const {files, elements, rows} = page(t), first = new FakeChannel(), content = bytesOf(6_000_000);
    files.peer = "host";
    files.begin(first);
    files.send({entries: [{path: ["a"], isFolder: false, size: content.length, modified: 5}], leftOut: 0, isCut: false,
        sources: [{size: content.length, lastModified: 5000, open: async () => fileOf("a", content)}]});
    for (let i = 0; i < 3; i++) {
        first.run();
        await settle();
    }
    first.close();
    assert.match(rows()[0].text, /of\u00a06\.0\u00a0MB · Interrupted, goes/);
    assert.match(elements.said.textContent, /Interrupted/);
    assert.equal(files.isThere, false);
    const next = new FakeChannel();
    next.host = first.host;
    next.host.handle({type: "opened"});
    files.peer = "host";
    files.begin(next);
    for (let i = 0; i < 80; i++) {
        next.run();
        await settle();
    }
    assert.equal(rows()[0].text, "Sent.");
    assert.deepEqual(next.host.disk.files.get("a"), content);
    assert.ok(next.host.counts.bytesReceived < 1.2 * content.length, "the beginning did not come twice");

    next.close();
    files.send({entries: [{path: ["b"], isFolder: true, size: 0, modified: 0}], sources: [null], leftOut: 0, isCut: false});
    files.peer = "another";
    assert.equal(rows()[1].text, "Not sent. It was cancelled.");
});

test("what the host refuses is said plainly, as is what is left out", async (t) => {
    const {files, rows, said} = page(t), channel = new FakeChannel();
    channel.host = new FileEnd({permission: "never", now: performance.now()});
    channel.host.handle({type: "opened"});
    files.begin(channel);
    files.send({entries: [{path: ["b"], isFolder: true, size: 0, modified: 0}], sources: [null], leftOut: 2, isCut: true});
    channel.run();
    assert.equal(rows()[0].text, `Not sent. ${words.fileReasons.notAllowed}`);
    assert.equal(rows()[0].button.textContent, "Close");
    assert.match(said[0], /^2 are left out.*first 1 files/);
});

test("the person is asked for what the host sends, and it is downloaded when it is whole", async (t) => {
    const {files, elements, rows, links, left} = page(t), channel = new FakeChannel(), content = bytesOf(700_000);
    files.begin(channel);
    channel.host.send(9n, {"d": null, "d/a.bin": content, "d/b": bytesOf(3)});
    channel.run();
    await settle();
    assert.equal(elements.offer.hidden, false);
    assert.equal(elements.offerText.textContent, "The host sends d: 3 files and folders, 700 kB.");
    elements.offerYes.click();
    await settle();
    assert.equal(elements.offer.hidden, true);
    for (let i = 0; i < 40; i++) {
        channel.run();
        await settle();
    }
    assert.equal(rows()[0].text, "Received.");
    assert.deepEqual(links.map(({name}) => name), ["d.zip"]);
    assert.ok(links[0].content.size > content.length);
    assert.ok(left() > 0, "keys go to the host again");
    // A single file, saved unchanged.
    channel.host.send(10n, {"e.txt": bytesOf(100)});
    for (let i = 0; i < 5; i++) {
        channel.run();
        await settle();
    }
    elements.offerYes.click();
    for (let i = 0; i < 5; i++) {
        channel.run();
        await settle();
    }
    assert.equal(links[1].name, "e.txt");
    assert.deepEqual(new Uint8Array(await links[1].content.arrayBuffer()), bytesOf(100));
});

test("what is declined or cancelled is not downloaded, and what is too large for memory is not asked about", async (t) => {
    const {files, elements, rows, links, said} = page(t), channel = new FakeChannel();
    const go = async (times = 5) => {
        for (let i = 0; i < times; i++) {
            channel.run();
            await settle();
        }
    };
    files.begin(channel);
    channel.host.send(1n, {a: bytesOf(10)});
    await go();
    elements.offerNo.click();
    await go();
    assert.equal(elements.offer.hidden, true);
    assert.equal(channel.host.over(1n).reason, "declined");
    assert.equal(rows().length, 0);
    t.mock.method(performance, "now", () => 1e6);
    channel.host.now = 1e6;
    const entries = [{path: ["huge"], isFolder: false, size: 600 * 2 ** 20, modified: 0}];
    channel.host.handle({type: "send", batch: 2n, entries});
    await go();
    assert.equal(channel.host.over(2n).reason, "noSpace");
    assert.equal(said[0], `${words.files.refused} ${words.fileReasons.noSpace}`);
    channel.host.send(3n, {b: bytesOf(10), c: bytesOf(6_000_000)});
    await go();
    elements.offerYes.click();
    await go(3);
    rows()[0].button.click();
    await go();
    assert.equal(rows()[0].text.endsWith(words.fileReasons.cancelled), true);
    assert.equal(channel.host.over(3n).reason, "cancelled");
    assert.deepEqual(links, []);
});

test("files that are dropped on the picture go; elsewhere, or with no host, the browser is kept from opening them", async (t) => {
    const {files, stage, rows} = page(t), channel = new FakeChannel(), inside = new FakeElement(), other = new FakeElement();
    stage.append(inside);
    const transfer = () => ({
        types: ["Files"], dropEffect: "",
        items: [{kind: "file", webkitGetAsEntry: () => null, getAsFile: () => fileOf("a.txt", "abc")}],
    });
    const over = (target, dataTransfer = transfer()) => {
        const isLeft = fire(window, "dragover", {target, dataTransfer});
        return [isLeft, dataTransfer.dropEffect, stage.classes.has("is-dropping")];
    };
    assert.deepEqual(over(inside), [false, "none", false]);
    files.begin(channel);
    assert.deepEqual(over(inside), [false, "copy", true]);
    assert.deepEqual(over(other), [false, "none", false]);
    assert.deepEqual(over(inside, {types: ["text/plain"], dropEffect: ""}), [true, "", false]);
    assert.equal(fire(window, "drop", {target: other, dataTransfer: transfer()}), false);
    await settle();
    assert.equal(rows().length, 0);
    assert.equal(fire(window, "beforeunload", {}), true);
    over(inside);
    assert.equal(fire(window, "drop", {target: inside, dataTransfer: transfer()}), false);
    await settle();
    assert.equal(stage.classes.has("is-dropping"), false);
    assert.equal(rows()[0].name, "Sending a.txt");
    assert.equal(fire(window, "beforeunload", {}), false, "the person is asked before it is lost");
});

test("sizes and times are short", () => {
    assert.deepEqual([0, 999, 1500, 12_345_678, 2_500_000_000].map(sizeText), ["0 B", "999 B", "2 kB", "12.3 MB", "2.50 GB"]);
    assert.deepEqual([0, 59, 60, 61, 3600, 7260].map(timeText), ["0 s", "59 s", "1 min", "2 min", "1 h 0 min", "2 h 1 min"]);
});

test("where the browser has folders of the disk, the person chooses one, or has the question still", async (t) => {
    const {files, elements, rows, links} = page(t), channel = new FakeChannel(), made = [];
    const go = async (times = 5) => {
        for (let i = 0; i < times; i++) {
            channel.run();
            await settle();
        }
    };
    const folder = {
        getFileHandle: async (name, {create = false} = {}) => {
            if (!create) throw Object.assign(new Error(name), {name: "NotFoundError"});
            made.push(name);
            const stream = {truncate: async () => {}, write: async () => {}, close: async () => {}, abort: async () => {}};
            return {createWritable: async () => stream};
        },
        getDirectoryHandle: async () => folder,
        removeEntry: async () => {},
    };
    let choice;
    window.showDirectoryPicker = () => new Promise((resolve, reject) => { choice = {resolve, reject}; });
    files.begin(channel);
    channel.host.send(1n, {a: bytesOf(10), b: bytesOf(10)});
    await go();
    elements.offerYes.click();
    choice.reject(new Error("AbortError"));
    await go();
    assert.equal(elements.offer.hidden, false);
    elements.offerYes.click();
    choice.resolve(folder);
    await go(20);
    assert.deepEqual(made, ["a", "b"]);
    assert.equal(rows()[0].text, "Received.");
    assert.deepEqual(links, []);
    // The offer is withdrawn while the user selects a folder.
    channel.host.send(2n, {c: bytesOf(10), d: bytesOf(10)});
    await go();
    elements.offerYes.click();
    channel.host.handle({type: "cancel", batch: 2n});
    await go();
    assert.equal(elements.offer.hidden, true);
    choice.resolve(folder);
    await go();
    assert.equal(rows().length, 1);
    assert.deepEqual(made, ["a", "b"]);
});
