import assert from "node:assert/strict";
import test from "node:test";
import {delayBefore} from "../viewer/session/backoff.js";
import {isPhone, nameOf, tidyName} from "../viewer/session/device.js";
import {COMPARISON_TIME, GONE_AFTER, Keep, lastHost, PLACE_TIME, setLastHost, SIGN_INTERVAL} from "../viewer/session/keep.js";

class Memory {
    entries = new Map();
    getItem(name) { return this.entries.get(name) ?? null; }
    setItem(name, value) { this.entries.set(name, String(value)); }
    removeItem(name) { this.entries.delete(name); }
}

const bytes = (value, count = 32) => new Uint8Array(count).fill(value);
const host = (value, name) => ({fingerprint: bytes(value), name, pairing: true});

test("a ticket is the tab's, a pairing the browser's", () => {
    const tab = new Memory(), browser = new Memory();
    const keep = new Keep(tab, browser, true);
    keep.ticket = bytes(1, 16);
    keep.addPairing("d", bytes(2), host(3, "desk"));
    assert.equal(tab.entries.size, 1);
    assert.deepEqual([...browser.entries.keys()], ["heliograph.places", "heliograph.pairings"]);
    const again = new Keep(tab, browser, true);
    assert.deepEqual(again.ticket, bytes(1, 16));
    assert.equal(again.pairing(host(3, "desk")).device, "d");
    assert.equal(new Keep(new Memory(), browser, true).ticket, null);
    again.ticket = null;
    again.pairings = [];
    assert.equal(tab.entries.size + browser.entries.size, 0, "nothing is left behind");
});

/** Opens tabs of one browser, at a time that the test sets. */
function tabs(start = 1_000_000) {
    const local = new Memory();
    const all = {local, now: start, open: (session = new Memory()) => new Keep(session, local, false, () => all.now)};
    return all;
}

test("a tab that was closed leaves its place to the next one of this browser, once", () => {
    const all = tabs(), first = all.open();
    first.ticket = bytes(1, 16);
    const second = all.open();
    assert.equal(second.takePlace(), null, "its tab is there");
    first.leave();
    assert.deepEqual(all.open().takePlace(), bytes(1, 16));
    assert.equal(second.takePlace(), null, "somebody has it");
});

test("a tab that crashed has left once it gave no sign; one that gives signs never has", () => {
    const all = tabs(), first = all.open();
    first.ticket = bytes(1, 16);
    for (let i = 0; i < 20; i++) {
        all.now += SIGN_INTERVAL;
        first.sign();
        assert.equal(all.open().takePlace(), null);
    }
    all.now += GONE_AFTER;
    const next = all.open();
    assert.deepEqual(next.takePlace(), bytes(1, 16));
    assert.deepEqual(next.ticket, bytes(1, 16), "it is this tab's now");
});

test("a place is kept as long as the host keeps it, and gone with 'Leave' and 'Forget'", () => {
    const all = tabs(), first = all.open();
    first.ticket = bytes(1, 16);
    first.leave();
    all.now += PLACE_TIME;
    all.open();
    assert.equal(all.local.entries.size, 0, "what is void is not left lying");
    for (const end of [(keep) => { keep.ticket = null; }, (keep) => keep.forgetAll()]) {
        const keep = all.open();
        keep.ticket = bytes(2, 16);
        end(keep);
        assert.equal(all.local.entries.size, 0);
    }
});

test("a tab that is loaded anew has its own ticket, which is no other tab's to take", () => {
    const all = tabs(), session = new Memory();
    const before = all.open(session);
    before.ticket = bytes(1, 16);
    before.leave();
    const after = all.open(session);
    assert.deepEqual(after.ticket, bytes(1, 16));
    assert.equal(all.open().takePlace(), null);
});

test("places are bounded, junk among them is none, and one page tries one", () => {
    const all = tabs();
    for (let i = 0; i < 20; i++) {
        const keep = all.open();
        keep.ticket = bytes(i, 16);
        keep.leave();
    }
    assert.equal(JSON.parse(all.local.getItem("heliograph.places")).length, 8);
    const keep = all.open();
    assert.deepEqual(keep.takePlace(), bytes(19, 16));
    keep.ticket = null;
    assert.equal(keep.takePlace(), null);
    for (const junk of ["{", "5", "[null,5,{}]", '[{"tab":"x","ticket":"?","at":1}]', '[{"tab":"x","ticket":"AA"}]']) {
        all.local.setItem("heliograph.places", junk);
        assert.equal(all.open().takePlace(), null);
    }
});

test("a pairing is found by certificate, then by name, and never for another host", () => {
    const keep = new Keep(new Memory(), new Memory(), true);
    keep.addPairing("a", bytes(1), host(1, "one"));
    keep.addPairing("b", bytes(2), host(2, "two"));
    assert.equal(keep.pairing(host(1, "two")).device, "a");
    assert.equal(keep.pairing(host(9, "two")).device, "b");
    assert.equal(keep.pairing(host(9, "nine")), null);
});

test("pairing again replaces, and the number is bounded", () => {
    const keep = new Keep(new Memory(), new Memory(), true);
    keep.addPairing("old", bytes(1), host(1, "one"));
    keep.addPairing("new", bytes(2), host(5, "one"));
    assert.deepEqual(keep.pairings.map((each) => each.device), ["new"]);
    for (let i = 10; i < 30; i++) keep.addPairing(`d${i}`, bytes(i), host(i, `n${i}`));
    assert.equal(keep.pairings.length, 8);
    assert.equal(keep.pairings[0].device, "d29");
});

test("over plain HTTP a pairing is the page's alone, and what an older page stored is gone", () => {
    const tab = new Memory(), browser = new Memory();
    new Keep(tab, browser, true).addPairing("old", bytes(1), host(1, "one"));
    assert.match(browser.getItem("heliograph.pairings"), /old/);
    const keep = new Keep(tab, browser, false);
    assert.equal(browser.entries.size, 0);
    assert.equal(keep.keepsPairings, false);
    assert.equal(keep.pairing(host(1, "one")), null);
    keep.addPairing("d", bytes(2), host(3, "desk"));
    keep.settings = {size: "fit"};
    assert.equal(keep.pairing(host(3, "desk")).device, "d");
    assert.deepEqual(keep.pairing(host(3, "desk")).secret, bytes(2));
    assert.deepEqual([...tab.entries.keys(), ...browser.entries.keys()], ["heliograph.settings"]);
    assert.equal(new Keep(tab, browser, false).pairing(host(3, "desk")), null);
    keep.forgetAll();
    assert.equal(keep.pairing(host(3, "desk")), null);
    assert.equal(browser.entries.size, 0);
});

test("junk in storage and forbidden storage mean that nothing is remembered", () => {
    const local = new Memory(), session = new Memory();
    for (const junk of ["{", "5", "[5,null,{}]", '[{"device":1,"secret":"AA","fingerprint":"AA"}]', "null", '"x"']) {
        local.setItem("heliograph.pairings", junk);
        session.setItem("heliograph.ticket", junk);
        local.setItem("heliograph.settings", junk === "[5,null,{}]" ? "7" : junk.slice(0, 1));
        const keep = new Keep(session, local, true);
        assert.deepEqual(keep.pairings, []);
        assert.equal(keep.ticket, null);
        assert.deepEqual(keep.settings, {});
    }
    const no = () => { throw new Error("no"); };
    const forbidden = {getItem: no, setItem: no, removeItem: no};
    for (const storage of [forbidden, null]) {
        new Keep(storage, storage, false).addPairing("d", bytes(1), host(1, "one"));
        const keep = new Keep(storage, storage, true);
        keep.ticket = bytes(1, 16);
        keep.settings = {size: "fit"};
        assert.equal(keep.ticket, null);
        keep.forgetAll();
    }
});

test("which decoder was faster is known for a week, in the same version of the browser", (t) => {
    const before = Object.getOwnPropertyDescriptor(globalThis, "navigator");
    const use = (userAgent) => Object.defineProperty(globalThis, "navigator", {value: {userAgent}, configurable: true});
    t.after(() => (before ? Object.defineProperty(globalThis, "navigator", before) : delete globalThis.navigator));
    const all = tabs();
    use("Browser/1");
    assert.equal(all.open().isOwnFaster, null);
    for (const isFaster of [true, false]) {
        use("Browser/1");
        all.open().isOwnFaster = isFaster;
        all.now += COMPARISON_TIME - 1;
        assert.equal(all.open().isOwnFaster, isFaster);
        use("Browser/2");
        assert.equal(all.open().isOwnFaster, null, "another version");
        use("Browser/1");
        all.now += 1;
        assert.equal(all.open().isOwnFaster, null, "expired");
    }
    const keep = all.open();
    keep.isOwnFaster = true;
    keep.forgetAll();
    assert.equal(all.local.entries.size, 0);
    for (const junk of ["{", "5", "null", "[]", '{"isFaster":1,"browser":"Browser/1","at":0}', '{"isFaster":true,"at":"x"}']) {
        all.local.setItem("heliograph.picture", junk);
        assert.equal(keep.isOwnFaster, null, junk);
    }
});

test("tries get rarer and never stop", () => {
    for (const [isShared, most] of [[false, 2000], [true, 8000]]) {
        assert.equal(delayBefore(0, isShared, 1), 0);
        for (let number = 1; number < 50; number++) {
            assert.ok(delayBefore(number, isShared, 0) <= delayBefore(number, isShared, 1));
            assert.ok(delayBefore(number, isShared, 0.5) >= delayBefore(number - 1, isShared, 0.5));
            assert.ok(delayBefore(number, isShared, 1) <= most);
        }
        assert.equal(delayBefore(49, isShared, 1), most);
    }
});

test("a viewer has a name that a person recognises", () => {
    const agent = (rest) => `Mozilla/5.0 (${rest}`;
    for (const [text, name] of [
        [agent("X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36"), "Chrome on Linux"],
        [agent("Windows NT 10.0; Win64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0"), "Edge on Windows"],
        [agent("iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1"), "Safari on iPhone"],
        [agent("Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0"), "Firefox on Mac"],
        [agent("Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"), "Chrome on Android"],
        ["", "Browser"],
    ]) {
        assert.equal(nameOf(text), name);
        assert.equal(isPhone(text), /iPhone|Android/.test(name), name);
    }
    assert.equal(tidyName("  a\u0000b\nc  "), "abc");
    assert.equal(tidyName("😀".repeat(40)), "😀".repeat(16));
});

test("at a rendezvous each host has its own ticket, places and pairings, and a tab's ticket goes with its link's secret", () => {
    const tab = new Memory(), browser = new Memory();
    const open = (name, session = tab) => new Keep(session, browser, true, () => 1_000_000, name);
    const desk = open("desk");
    desk.call = bytes(7, 10);
    desk.ticket = bytes(1, 16);
    desk.addPairing("d", bytes(2), host(3, "desk"));
    desk.leave();
    const tower = open("tower");
    assert.equal(tower.ticket, null);
    assert.equal(tower.call, null);
    assert.equal(tower.takePlace(), null);
    assert.deepEqual(tower.pairings, []);
    const next = open("desk", new Memory());
    assert.deepEqual(next.takePlace(), bytes(1, 16));
    assert.deepEqual(next.call, bytes(7, 10));
    assert.deepEqual(next.ticket, bytes(1, 16));
    assert.equal(next.pairings.length, 1);
    next.ticket = null;
    assert.equal(next.call, null);
});

test("the host of the last time is known again", () => {
    const browser = new Memory();
    assert.equal(lastHost(browser), "");
    assert.equal(lastHost(null), "");
    setLastHost(browser, "desk");
    assert.equal(lastHost(browser), "desk");
});
