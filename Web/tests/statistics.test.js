// The statistics panel: it costs nothing while closed, and counts each event once.

import assert from "node:assert/strict";
import test from "node:test";
import {Statistics} from "../viewer/ui/statistics.js";
import {browser, FakeElement} from "./fakes.js";

test("opened again and again, it looks at each picture once", (t) => {
    browser(t);
    const waiting = new Map();
    let count = 0;
    const video = {
        requestVideoFrameCallback: (act) => (waiting.set(++count, act), count),
        cancelVideoFrameCallback: (number) => waiting.delete(number),
    };
    const panel = new FakeElement("section");
    panel.hidden = true;
    const statistics = new Statistics(panel, new FakeElement("dl"), new FakeElement("p"), {video}, () => null, () => null,
        () => null, () => "");
    for (let i = 0; i < 4; i++) {
        statistics.toggle();
        assert.equal(waiting.size, 1, "open");
        const [[number, act]] = waiting;
        waiting.delete(number);
        act(0, {receiveTime: 1, expectedDisplayTime: 5});
        assert.equal(waiting.size, 1, "the next picture");
        statistics.toggle();
        assert.equal(waiting.size, 0, "closed");
    }
});

test("a picture that is said to have come later than it is shown counts for nothing", async (t) => {
    browser(t);
    let told;
    const video = {requestVideoFrameCallback: (act) => { told = act; return 1; }, cancelVideoFrameCallback() {}};
    const panel = new FakeElement("section"), list = new FakeElement("dl"), facts = new FakeElement("p");
    panel.hidden = true;
    const session = {connection: {getStats: async () => new Map()}, roundTrip: null};
    const statistics = new Statistics(panel, list, facts, {video}, () => session, () => null, () => null, () => "more");
    const shown = () => list.children[list.children.findIndex(({textContent}) => textContent === "Shown after") + 2].textContent;
    const next = async () => {
        t.mock.timers.tick(1000);
        await new Promise(setImmediate);
    };
    statistics.toggle();
    told(0, {receiveTime: 105, expectedDisplayTime: 7});
    await next();
    assert.equal(shown(), "–");
    told(0, {receiveTime: 105, expectedDisplayTime: 7});
    told(0, {receiveTime: 1, expectedDisplayTime: 5});
    await next();
    assert.equal(shown(), "4.0 ms");
    assert.equal(facts.textContent, "more");
});

test("a picture that the page draws itself is counted by who draws it", async (t) => {
    browser(t);
    const panel = new FakeElement("section"), list = new FakeElement("dl"), facts = new FakeElement("p");
    panel.hidden = true;
    const inbound = {type: "inbound-rtp", kind: "video", id: "I", timestamp: 1, frameWidth: 16, frameHeight: 16};
    const session = {connection: {getStats: async () => new Map([["I", inbound]])}, roundTrip: null};
    let seen = {fps: 30, buffered: 0.2, decode: 4, draw: 1.5, shown: 6.5, dropped: 1, repairs: 2, decoder: "WebCodecs"};
    const surface = {video: {}, width: 800, height: 600};
    const statistics = new Statistics(panel, list, facts, surface, () => session, () => seen, () => null, () => "");
    const rows = () => list.children.filter((_, i) => i % 3 === 2).map(({textContent}) => textContent);
    statistics.toggle();
    await new Promise(setImmediate);
    assert.deepEqual(["30 fps", "0.2 ms", "4.0 ms", "1.5 ms", "6.5 ms", "1 /s", "2 /s"].filter((text) => !rows().includes(text)), []);
    assert.equal(facts.textContent, "800 × 600 · WebCodecs");
    seen = null;
    t.mock.timers.tick(1000);
    await new Promise(setImmediate);
    assert.equal(facts.textContent, "16 × 16");
});
