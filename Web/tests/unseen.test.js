// A hidden page requests no pictures.

import assert from "node:assert/strict";
import test from "node:test";
import {Unseen, UNSEEN_LIMIT} from "../viewer/picture/unseen.js";
import {browser} from "./fakes.js";

function made(t) {
    const {pass} = browser(t), told = [];
    let goes = true;
    const unseen = new Unseen(({type, enabled}) => {
        if (goes) told.push(`${type} ${enabled}`);
        return goes;
    });
    const see = (isSeen) => {
        document.hidden = !isSeen;
        unseen.changed();
    };
    return {pass, unseen, see, told: () => told.splice(0), shut: (isShut) => { goes = !isShut; }};
}

test("the picture is given up after a while, and asked for at once", (t) => {
    const {pass, unseen, see, told} = made(t);
    unseen.begin();
    see(false);
    pass(UNSEEN_LIMIT - 1);
    assert.deepEqual(told(), []);
    pass(1);
    assert.deepEqual(told(), ["videoEnabled false"]);
    pass(10_000);
    see(false);
    pass(10_000);
    assert.deepEqual(told(), []);
    see(true);
    assert.deepEqual(told(), ["videoEnabled true"]);
    see(true);
    pass(10_000);
    assert.deepEqual(told(), []);
});

test("who looks elsewhere for a moment finds the picture going on", (t) => {
    const {pass, unseen, see, told} = made(t);
    unseen.begin();
    for (let n = 0; n < 5; n++) {
        see(false);
        pass(UNSEEN_LIMIT - 1);
        see(true);
        pass(1);
    }
    assert.deepEqual(told(), []);
});

test("a host that does not know it is told nothing; nor is one whose session has ended", (t) => {
    const {pass, unseen, see, told} = made(t);
    see(false);
    pass(10_000);
    see(true);
    assert.deepEqual(told(), []);
    unseen.begin();
    see(false);
    unseen.end();
    pass(10_000);
    assert.deepEqual(told(), []);
    // The next session starts with pictures, on a page that is hidden.
    unseen.begin();
    pass(UNSEEN_LIMIT);
    assert.deepEqual(told(), ["videoEnabled false"]);
    unseen.end();
    unseen.begin();
    see(true);
    assert.deepEqual(told(), []);
});

test("what could not be told is not taken as told", (t) => {
    const {pass, unseen, see, told, shut} = made(t);
    unseen.begin();
    shut(true);
    see(false);
    pass(10_000);
    shut(false);
    see(true);
    assert.deepEqual(told(), []);
});
