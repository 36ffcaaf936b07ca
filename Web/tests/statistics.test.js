// The statistics panel: it costs nothing while it is closed, and what it counts it counts once.

import assert from "node:assert/strict";
import test from "node:test";
import {Statistics} from "../viewer/statistics.js";
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
    const statistics = new Statistics(panel, new FakeElement("dl"), new FakeElement("p"), video, () => null, () => null,
        () => "");
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
