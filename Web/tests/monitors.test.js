// The list of the host's monitors, as assistive technology sees it.

import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import test from "node:test";
import {showMonitors} from "../viewer/ui/monitors.js";
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

test("arrows go through the monitors and choose, from the one that Tab reaches", (t) => {
    browser(t);
    const element = new FakeElement("ul"), chosen = [], three = [...list, {...list[1], id: "c"}];
    const show = (selected, monitors = three) =>
        showMonitors(new FakeElement("button"), element, {list: monitors, selected}, (id) => chosen.push(id));
    const rows = () => element.children.map(({children: [row]}) => row);
    const press = (key, more = {}) => {
        let isTaken = false;
        element.onkeydown({key, preventDefault: () => { isTaken = true; }, ...more});
        return isTaken;
    };
    const focused = () => document.activeElement.value;
    const reached = () => rows().map(({tabIndex}) => tabIndex);
    show("b");
    assert.deepEqual(reached(), [-1, 0, -1]);
    assert.equal(press("ArrowDown"), false, "the focus is elsewhere");
    rows()[1].focus();
    assert.equal(press("ArrowDown"), true);
    assert.deepEqual([focused(), chosen.splice(0), reached()], ["c", ["c"], [-1, -1, 0]]);
    // The host's answer.
    show("c");
    assert.equal(document.activeElement, rows()[2], "the focus stays, though the rows are others");
    press("ArrowRight");
    assert.deepEqual([focused(), chosen.splice(0)], ["a", ["a"]], "from the last to the first");
    press("ArrowLeft");
    assert.deepEqual([focused(), chosen.splice(0)], ["c", ["c"]]);
    press("ArrowUp");
    assert.deepEqual([focused(), chosen.splice(0)], ["b", ["b"]]);
    for (const [key, more] of [["Tab"], ["Enter"], ["a"], ["ArrowUp", {altKey: true}], ["ArrowUp", {ctrlKey: true}]]) {
        assert.equal(press(key, more), false);
    }
    assert.deepEqual([focused(), chosen], ["b", []]);
    // The host did not follow, and has then lost the monitor.
    show("a");
    assert.deepEqual([focused(), reached()], ["b", [0, -1, -1]]);
    show("a", [three[0], three[2]]);
    assert.equal(focused(), "a");
    // None is selected: the first is reachable by Tab.
    show(null);
    assert.deepEqual(reached(), [0, -1, -1]);
});

test("a host with one monitor, or none that can be read, has nothing to choose", (t) => {
    browser(t);
    for (const monitors of [list.slice(0, 1), [], undefined, "all"]) {
        const button = new FakeElement("button");
        showMonitors(button, new FakeElement("ul"), {list: monitors, selected: "a"}, () => {});
        assert.equal(button.hidden, true);
    }
});
