// The fragment of the page's address: which part is which, and what of it may stay in the address bar.

import assert from "node:assert/strict";
import test from "node:test";
import {fromBase32, secretOf, toBase32} from "../viewer/bytes/base32.js";
import {secureAddress} from "../viewer/session/secure.js";
import {parseFragment, publicFragment} from "../viewer/session/sharelink.js";

const counted = (count) => Uint8Array.from({length: count}, (_, index) => index * 29 + 5 & 255);
const secret = counted(10), device = counted(16), fingerprint = counted(32);
const code = toBase32(secret).toUpperCase().replace(/(.{4})(?=.)/g, "$1-"), name = toBase32(device);

test("a code, with or without the port for other viewers", () => {
    for (const text of [code, code.toLowerCase(), `${code}.7300`]) {
        assert.deepEqual(parseFragment(text), {secret, device: null, isDamaged: false});
    }
});

test("a code and the host's name at a rendezvous, in either order", () => {
    for (const text of [`${name}.${code}`, `${code}.${name}`, `${name.toUpperCase()}.${code}.7300`,
        `${name}.${toBase32(fingerprint)}.${code}`]) {
        assert.deepEqual(parseFragment(text), {secret, device, isDamaged: false}, text);
    }
    assert.deepEqual(parseFragment(name), {secret: null, device, isDamaged: false});
});

test("what is no link is damaged, and nothing is none", () => {
    for (const text of ["XXXX", `${code}.${name}.${name}`, `${code}.!`, name.slice(1), `${code}0`]) {
        assert.equal(parseFragment(text).isDamaged, true, text);
    }
    assert.deepEqual(parseFragment(""), {secret: null, device: null, isDamaged: false});
});

test("a ticket that the page passes on to itself", () => {
    const ticket = counted(20), fragment = new URL(secureAddress("http://desk:8080/", ticket)).hash.slice(1);
    assert.deepEqual(parseFragment(fragment), {secret: ticket, device: null, isDamaged: false});
});

test("no secret stays in the address bar", () => {
    assert.equal(publicFragment(parseFragment(`${name}.${code}`)), `#${name}`);
    assert.equal(publicFragment(parseFragment(code)), "");
    assert.equal(publicFragment(parseFragment(name)), `#${name}`);
});

test("base 32 as the host writes and reads it", () => {
    for (let count = 0; count <= 32; count++) assert.deepEqual(fromBase32(toBase32(counted(count))), counted(count));
    assert.deepEqual(fromBase32("oIl0"), fromBase32("0110"));
    assert.equal(toBase32(Uint8Array.of(0xff)), "zw");
    assert.equal(fromBase32("zz"), null, "bits after the last byte");
    assert.equal(fromBase32("u"), null);
    assert.deepEqual(secretOf(code), secret);
});
