// Joining and leaving a host, with scripted sessions.

import assert from "node:assert/strict";
import test from "node:test";
import {Client, DECODER_INTERVAL} from "../viewer/session/client.js";

/** A scripted session with the interface that the client uses. */
class FakeSession {
    credential = null;
    isEnded = false;

    constructor(open, viewer, on) {
        this.on = on;
        open();
    }

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

function made(t, meeting = {}) {
    t.mock.timers.enable({apis: ["setTimeout"]});
    const log = [], sessions = [];
    const note = (name) => (...all) => { log.push([name, ...all]); };
    const view = {};
    for (const name of ["connecting", "ask", "compare", "retrying", "ended", "paired"]) view[name] = note(name);
    const handlers = {};
    for (const name of ["entered", "picture", "opened", "message", "interrupted", "ending", "closed"]) {
        handlers[name] = note(name);
    }
    const keep = {ticket: null, keepsPairings: false, pairing: () => null, pairings: [], takePlace: () => null};
    const browser = {decodes: true};
    const client = new Client({
        meeting: {needsCredential: false, open: () => null, ...meeting}, name: "Chrome on Linux", keep, view, handlers, decodes: () => browser.decodes,
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

// At a rendezvous, a call needs a credential before the host can be asked anything.

/** @param credentials those that sessions were opened with */
const remote = (t, credentials) => made(t, {
    needsCredential: true, open: (credential) => { credentials.push(credential); },
});
const host = {name: "tower", fingerprint: new Uint8Array(32), pairing: true};

test("at a rendezvous a session is opened with the credential that is then used", (t) => {
    const credentials = [], {client, sessions, keep, log} = remote(t, credentials);
    client.begin(new Uint8Array(10), true);
    assert.equal(credentials[0].kind, "link");
    assert.equal(sessions[0].on.choose(host), credentials[0]);
    sessions[0].watch();
    keep.ticket = new Uint8Array(16);
    sessions[0].end({kind: "lost"});
    t.mock.timers.tick(10);
    assert.equal(credentials[1].kind, "ticket");
    assert.deepEqual(credentials[1].call, credentials[0].secret, "calls go on by the link's secret");
    assert.ok(!log.some(([name]) => name === "ask"));
});

test("at a rendezvous the code is asked for where there is no credential; a host that was reached may be paired with", (t) => {
    const credentials = [], {client, sessions, log} = remote(t, credentials);
    client.begin(null, false);
    assert.deepEqual(log, [["ask", null, null]]);
    assert.equal(sessions.length, 0);
    client.join(new Uint8Array(10));
    sessions[0].on.choose(host);
    sessions[0].end({kind: "refused", reason: "too-many-viewers"});
    const [, asked, why] = log.at(-1);
    assert.equal(asked.pairing, true);
    assert.equal(why.reason, "too-many-viewers");
    client.pair("Chrome");
    assert.deepEqual(credentials[1], {kind: "pair", call: new Uint8Array(10)}, "by the secret that has reached it");
    assert.equal(sessions[1].on.choose(host), credentials[1]);
    sessions[1].end({kind: "refused", reason: "pairing-denied"});
    assert.equal(log.at(-1)[1].pairing, true);
    client.join(new Uint8Array(10).fill(1));
    sessions[2].end({kind: "refused", reason: "not-permitted"});
    assert.equal(log.at(-1)[1].pairing, false, "nobody can be asked for a pairing");
});

test("a link that the rendezvous does not let through is asked for anew, a ticket goes without a word", (t) => {
    const credentials = [], {client, sessions, keep, log} = remote(t, credentials);
    const refusal = {kind: "refused", reason: "not-permitted"};
    client.begin(new Uint8Array(10), true);
    sessions[0].end(refusal);
    assert.deepEqual(log.at(-1), ["ask", null, refusal]);
    keep.ticket = new Uint8Array(16);
    client.begin(null, false);
    sessions[1].end(refusal);
    assert.equal(keep.ticket, null);
    assert.deepEqual(log.at(-1), ["ask", null, null]);
    keep.pairings = [{device: "D", secret: new Uint8Array(32), name: "tower", fingerprint: new Uint8Array(32)}];
    client.retry();
    assert.deepEqual([credentials[2].kind, credentials[2].device], ["device", "D"]);
    sessions[2].end(refusal);
    assert.deepEqual(log.at(-1), ["ask", null, refusal]);
});

test("a host that comes back to the rendezvous is found again; after a restart it knows no ticket", (t) => {
    const credentials = [], {client, sessions, keep, log} = remote(t, credentials);
    client.begin(new Uint8Array(10), true);
    sessions[0].watch();
    keep.ticket = new Uint8Array(16);
    sessions[0].end({kind: "lost"});
    for (const kind of ["offline", "no-rendezvous", "busy", "too-fast", "crowded", "offline"]) {
        t.mock.timers.tick(9000);
        sessions.at(-1).end({kind});
        assert.equal(log.at(-1)[0], "retrying");
    }
    const ticket = keep.ticket;
    for (let denial = 0; denial < 2; denial++) {
        t.mock.timers.tick(9000);
        sessions.at(-1).end({kind: "refused", reason: "not-permitted"});
        assert.equal(log.at(-1)[0], "retrying", "the rendezvous may not know the host yet");
        assert.equal(keep.ticket, ticket);
    }
    t.mock.timers.tick(9000);
    sessions.at(-1).end({kind: "refused", reason: "not-permitted"});
    assert.equal(keep.ticket, null);
    assert.deepEqual(log.at(-1), ["ask", {name: "tower", fingerprint: new Uint8Array(32), pairing: false}, {kind: "restarted"}]);
});

test("a host that is offline at the first try is told of, with another try at hand", (t) => {
    const {client, sessions, log} = remote(t, []);
    client.begin(new Uint8Array(10), true);
    sessions[0].end({kind: "offline"});
    assert.deepEqual(log.at(-1), ["ended", {kind: "offline"}]);
    client.retry();
    sessions[1].watch();
    assert.equal(sessions[1].credential.kind, "link");
});

for (const [name, make] of [["a host", (t) => made(t)], ["a rendezvous", (t) => remote(t, [])]]) {
    test(`at ${name} a damaged link is told of`, (t) => {
        const {client, sessions, log} = make(t);
        client.begin(null, true);
        sessions[0]?.on.ask(host);
        assert.deepEqual(log.at(-1)[2], {kind: "refused", reason: "damaged-link"});
    });
}
