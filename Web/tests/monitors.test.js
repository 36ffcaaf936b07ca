// The list of the host's monitors, as assistive technology has it.

import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import test from "node:test";
import {showMonitors} from "../viewer/monitors.js";
import {browser, FakeElement} from "./fakes.js";

const list = [
    {id: "a", name: "left", width: 640, height: 480, primary: true},
    {id: "b", name: "", width: 1280, height: 800, primary: false},
];

test("one of the monitors is chosen: radio buttons in a group, with nothing between", (t) => {
    browser(t);
    const button = new FakeElement("button"), element = new FakeElement("ul"), chosen = [];
    showMonitors(button, element, {list, selected: "b"}, (id) => chosen.push(id));
    assert.equal(button.hidden, false);
    assert.deepEqual(element.children.map(({role}) => role), ["none", "none"]);
    const rows = element.children.map(({children: [row]}) => row);
    assert.deepEqual(rows.map((row) => [row.role, row.getAttribute("aria-checked")]),
        [["radio", "false"], ["radio", "true"]]);
    rows[0].click();
    assert.deepEqual(chosen, ["a"]);
    const page = readFileSync(new URL("../viewer/index.html", import.meta.url), "utf8");
    assert.match(page, /<ul id="monitors-list" role="radiogroup" aria-label="[^"]+"/);
});

test("a host with one monitor, or none that can be read, has nothing to choose", (t) => {
    browser(t);
    for (const monitors of [list.slice(0, 1), undefined, "all"]) {
        const button = new FakeElement("button");
        showMonitors(button, new FakeElement("ul"), {list: monitors, selected: "a"}, () => {});
        assert.equal(button.hidden, true);
    }
});
