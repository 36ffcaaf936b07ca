// The user's preferences for the picture: sent to hosts that support them, and to no others.

import assert from "node:assert/strict";
import test from "node:test";
import {Quality, qualityOf} from "../viewer/picture/quality.js";

function made(choice) {
    const told = [];
    let goes = true;
    const quality = new Quality((message) => {
        if (goes) told.push(message);
        return goes;
    }, choice);
    return {quality, told: () => told.splice(0), shut: (isShut) => { goes = !isShut; }};
}

test("each session is told what was chosen, and one that begins as it should is told nothing", () => {
    const {quality, told} = made("smoother");
    assert.deepEqual(told(), []);
    assert.equal(quality.isOffered, false);
    for (let session = 0; session < 2; session++) {
        quality.begin();
        assert.equal(quality.isOffered, true);
        assert.deepEqual(told(), [{type: "quality", prefers: "motion"}]);
        quality.end();
    }
    quality.choice = "automatic";
    quality.begin();
    assert.deepEqual(told(), []);
});

test("a choice is told once, and taken back", () => {
    const {quality, told} = made("automatic");
    quality.begin();
    quality.choice = "saving";
    quality.choice = "saving";
    const [{type, most}, ...rest] = told();
    assert.deepEqual([type, rest], ["quality", []]);
    // Within the range of docs/web/protocol.md.
    assert.ok(most >= 300_000 && most <= 1e9 && Number.isInteger(most));
    quality.choice = "sharper";
    assert.deepEqual(told(), [{type: "quality", prefers: "sharpness"}]);
    quality.choice = "automatic";
    assert.deepEqual(told(), [{type: "quality"}]);
});

test("a host that does not take it is told nothing; what could not be told is told later", () => {
    const {quality, told, shut} = made("automatic");
    quality.choice = "sharper";
    assert.deepEqual(told(), []);
    shut(true);
    quality.begin();
    shut(false);
    assert.deepEqual(told(), []);
    quality.choice = "sharper";
    assert.deepEqual(told(), [{type: "quality", prefers: "sharpness"}]);
});

test("what was kept and is no choice is automatic", () => {
    for (const junk of ["", "best", null, undefined, 7, {}, "constructor"]) {
        assert.equal(qualityOf(junk), "automatic");
        assert.equal(made(junk).quality.choice, "automatic");
    }
});
