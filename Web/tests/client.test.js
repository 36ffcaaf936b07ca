// Joining and leaving a host, with scripted sessions.

import assert from "node:assert/strict";
import test from "node:test";
import {Client, DECODER_INTERVAL} from "../viewer/session/client.js";

/** A scripted session with the interface that the client uses. */
class FakeSession {
    credential = null;
    isEnded = false;

    constructor(url, viewer, on) { this.on = on; }

    end(ending) {
        if (this.isEnded) return;
        this.isEnded = true;
        this.on.ending();
        this.on.ended(ending);
    }

    leave() { this.end({kind: "left"}); }

    /** Admits the session, and shows its picture. */
    watch() {
        this.credential = this.on.choose({name: "tower", fingerprint: new Uint8Array(32), pairing: false});
        this.on.entered(true);
        this.on.opened();
    }
}

function made(t) {
    t.mock.timers.enable({apis: ["setTimeout"]});
    const log = [], sessions = [];
    const note = (name) => (...all) => { log.push([name, ...all]); };
    const view = {};
    for (const name of ["connecting", "ask", "compare", "retrying", "ended", "paired"]) view[name] = note(name);
    const handlers = {};
    for (const name of ["entered", "picture", "opened", "message", "interrupted", "ending", "closed"]) {
        handlers[name] = note(name);
    }
    const keep = {ticket: null, keepsPairings: false, pairing: () => null, takePlace: () => null};
    const browser = {decodes: true};
    const client = new Client({
        url: "ws://host/signaling", name: "Chrome on Linux", keep, view, handlers, decodes: () => browser.decodes,
        start: (...all) => {
            const session = new FakeSession(...all);
            sessions.push(session);
            return session;
        },
    });
    return {client, log, sessions, keep, browser, names: () => log.map(([name]) => name)};
}

for (const [name, end] of [
    ["Leave", ({client}) => client.leave()],
    ["a link that is pasted", ({client}) => client.begin(new Uint8Array(10), true)],
    ["the page that goes", ({client}) => client.depart()],
    ["another try at once", ({client}) => client.retry()],
    ["a host that is gone", ({sessions}) => sessions[0].end({kind: "lost"})],
    ["a host that stopped", ({sessions}) => sessions[0].end({kind: "bye", reason: "ended"})],
    ["a host that puts out", ({sessions}) => sessions[0].end({kind: "refused", reason: "wrong-proof"})],
]) {
    test(`${name} ends a session as all endings do: what the page has of it goes, once`, (t) => {
        const all = made(t);
        all.client.begin(new Uint8Array(10), true);
        all.sessions[0].watch();
        all.log.length = 0;
        end(all);
        const names = all.names();
        assert.deepEqual(names.filter((each) => each === "ending" || each === "closed"), ["ending", "closed"]);
        assert.equal(all.sessions[0].isEnded, true);
        // Later messages are sent after it.
        assert.ok(names.slice(0, names.indexOf("closed")).every((each) => each === "ending"), String(names));
    });
}

test("leaving where nothing is ends nothing", (t) => {
    const {client, names} = made(t);
    client.leave();
    assert.deepEqual(names(), ["ended"]);
});

test("what an ended session still says is nobody's", (t) => {
    const {client, sessions, log, names} = made(t);
    client.begin(new Uint8Array(10), true);
    sessions[0].watch();
    client.leave();
    log.length = 0;
    sessions[0].on.ended({kind: "lost"});
    assert.deepEqual(names(), []);
    assert.equal(client.session, null);
});

test("a link that this browser has used comes back by the place of its tab that has gone, without a word", (t) => {
    const {client, sessions, keep, names} = made(t);
    keep.takePlace = () => keep.ticket = new Uint8Array(16);
    client.begin(new Uint8Array(10), true);
    const host = {name: "tower", fingerprint: new Uint8Array(32), pairing: false};
    sessions[0].credential = sessions[0].on.choose(host);
    assert.equal(sessions[0].credential.kind, "link");
    sessions[0].end({kind: "refused", reason: "link-used"});
    sessions[1].credential = sessions[1].on.choose(host);
    assert.equal(sessions[1].credential.kind, "ticket");
    sessions[1].watch();
    assert.ok(!names().includes("ask"));
    // If the host has given up the place, the code is requested.
    keep.takePlace = () => null;
    sessions[1].end({kind: "refused", reason: "wrong-proof"});
    assert.equal(sessions[2].on.choose(host), null);
});

test("a browser whose decoder is being downloaded begins when it is there, with the same link", (t) => {
    const {client, sessions, browser, names} = made(t);
    browser.decodes = false;
    client.begin(new Uint8Array(10), true);
    sessions[0].end({kind: "fetching-codec"});
    assert.equal(names().at(-1), "ended");
    t.mock.timers.tick(20 * DECODER_INTERVAL);
    assert.equal(sessions.length, 1);
    browser.decodes = true;
    t.mock.timers.tick(DECODER_INTERVAL);
    assert.equal(sessions.length, 2);
    sessions[1].watch();
    assert.equal(sessions[1].credential.kind, "link");
    client.leave();
    browser.decodes = false;
    client.retry();
    sessions[2].end({kind: "fetching-codec"});
    client.leave();
    t.mock.timers.tick(20 * DECODER_INTERVAL);
    assert.equal(sessions.length, 3, "who has left waits for nothing");
});

test("a lost session comes back by its ticket, and at once where something has changed", (t) => {
    const {client, sessions, keep} = made(t);
    client.begin(new Uint8Array(10), true);
    sessions[0].watch();
    keep.ticket = new Uint8Array(16);
    sessions[0].end({kind: "lost"});
    client.hurry();
    assert.equal(sessions.length, 2);
    sessions[1].watch();
    assert.equal(sessions[1].credential.kind, "ticket");
});
