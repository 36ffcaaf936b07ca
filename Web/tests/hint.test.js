// The hint about touch gestures: shown once, for the selected touch mode.

import assert from "node:assert/strict";
import test from "node:test";
import {Hint} from "../viewer/ui/hint.js";
import {browser, FakeElement} from "./fakes.js";

function made(t) {
    const clock = browser(t);
    const box = new FakeElement("section"), list = new FakeElement("dl"), button = new FakeElement("button"), seen = [];
    box.hidden = true;
    return {...clock, box, list, button, seen, hint: new Hint(box, list, button, () => seen.push(0))};
}

test("it stays until it is closed, or has been there for long", (t) => {
    const {hint, box, button, seen, pass} = made(t);
    hint.show(false);
    pass(19_000);
    assert.equal(box.hidden, false);
    button.click();
    assert.equal(box.hidden, true);
    hint.show(false);
    pass(20_000);
    assert.equal(box.hidden, true);
    assert.equal(seen.length, 2);
    pass(60_000);
    assert.equal(seen.length, 2);
});

test("one that went with its picture has not been seen", (t) => {
    const {hint, seen, pass} = made(t);
    hint.show(false);
    hint.hide();
    pass(60_000);
    hint.close();
    assert.equal(seen.length, 0);
});

test("it says what fingers do the way they are used", (t) => {
    const {hint, list} = made(t);
    const words = () => list.children.map(({textContent}) => textContent);
    hint.show(false);
    assert.equal(words()[1], "moves the pointer");
    hint.show(true);
    assert.equal(words()[1], "clicks there");
    assert.equal(words().length % 2, 0);
});
