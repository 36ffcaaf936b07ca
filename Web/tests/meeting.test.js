// The way to the host, by where the page comes from and what its link says.

import assert from "node:assert/strict";
import test from "node:test";
import {toBase32} from "../viewer/bytes/base32.js";
import {meet} from "../viewer/page/meeting.js";
import {parseFragment} from "../viewer/session/sharelink.js";
import {FakeRendezvous} from "./rendezvousfakes.js";

const device = Uint8Array.from({length: 16}, (_, index) => index), name = toBase32(device);
const code = "0000-0000-0000-0000";

/** Opens the way of a page with this address; returns the WebSocket's URL. */
function opened(t, address, isAtRendezvous, storage = new Map()) {
    const before = {location: globalThis.location, WebSocket: globalThis.WebSocket}, url = new URL(address), urls = [];
    t.after(() => Object.assign(globalThis, before));
    const {origin, pathname, host, protocol} = url;
    Object.assign(globalThis, {
        location: {origin, pathname, host, protocol},
        WebSocket: class extends FakeRendezvous {
            constructor(url) {
                super(url);
                urls.push(url);
            }
        },
    });
    const local = {getItem: (name) => storage.get(name) ?? null, setItem: (name, value) => storage.set(name, value)};
    const meeting = meet(parseFragment(url.hash.slice(1)), isAtRendezvous, local);
    const signalling = meeting.open({kind: "link", secret: new Uint8Array(10)});
    signalling.close();
    return {meeting, urls, storage};
}

test("a host's own page meets it there, whatever the link says", (t) => {
    for (const [page, socket] of [
        [`http://192.168.1.20:8080/#${code}`, "ws://192.168.1.20:8080/signaling"],
        [`https://desk.example/index.html#${name}.${code}`, "wss://desk.example/signaling"],
    ]) {
        const {meeting, urls, storage} = opened(t, page, false);
        assert.deepEqual([meeting.needsCredential, meeting.host, urls], [false, "", [socket]]);
        assert.equal(storage.size, 0);
    }
});

test("a rendezvous' page calls the link's host there, in the folder that the page is in", (t) => {
    for (const [page, socket] of [
        [`https://meet.example/#${name}.${code}`, "wss://meet.example/device"],
        [`https://meet.example/office#${name}.${code}`, "wss://meet.example/device"],
        [`https://example.org:8443/meet/#${code}.${name}`, "wss://example.org:8443/meet/device"],
        [`http://localhost:7000/?picture=own#${name}.${code}`, "ws://localhost:7000/device"],
    ]) {
        const {meeting, urls} = opened(t, page, true);
        assert.deepEqual([meeting.needsCredential, meeting.host, urls], [true, name, [socket]]);
    }
});

test("without a link the host of the last time is called, if there is one; a link without a host calls nobody", (t) => {
    const {storage} = opened(t, `https://meet.example/#${name}.${code}`, true);
    assert.equal(opened(t, "https://meet.example/", true, storage).meeting.host, name);
    for (const [page, known] of [["https://meet.example/", new Map()], [`https://meet.example/#${code}`, storage],
        ["https://meet.example/#nonsense!", storage]]) {
        const {meeting, urls} = opened(t, page, true, known);
        assert.deepEqual([meeting.needsCredential, meeting.host, urls], [false, "", []]);
    }
});
