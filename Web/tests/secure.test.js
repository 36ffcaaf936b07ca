// The change from plain HTTP to HTTPS: when it is offered, and which data are carried over.

import assert from "node:assert/strict";
import test from "node:test";
import {secretOf} from "../viewer/bytes/base32.js";
import {gainsByHTTPS, secureAddress, ticketOf} from "../viewer/session/secure.js";

const host = (servesHTTPS) => ({servesHTTPS});

test("it is offered where the host has it and the browser does not take the page for a secure one", () => {
    assert.equal(gainsByHTTPS(false, host(true)), true);
    assert.equal(gainsByHTTPS(true, host(true)), false, "HTTPS, or this machine's own address");
    assert.equal(gainsByHTTPS(false, host(false)), false);
    assert.equal(gainsByHTTPS(false, null), false);
});

test("the address is this page's at the same port, also where that is the usual one", () => {
    for (const [here, there] of [
        ["http://192.168.1.20:8080/", "https://192.168.1.20:8080/"], ["http://desk.local/", "https://desk.local:80/"],
        ["http://desk:443/", "https://desk/"], ["http://[fd00::1]:9000/", "https://[fd00::1]:9000/"],
        ["http://desk:8080/#XXXX", "https://desk:8080/"], ["http://desk:8080/index.html", "https://desk:8080/index.html"],
    ]) assert.equal(secureAddress(here, null), there);
});

test("a ticket comes out as it went in, and is no code", () => {
    for (const length of [10, 16, 64]) {
        const ticket = Uint8Array.from({length}, (_, index) => index * 37 & 255);
        const fragment = new URL(secureAddress("http://desk:8080/", ticket)).hash.slice(1);
        assert.deepEqual(ticketOf(fragment), ticket);
        assert.equal(secretOf(fragment), null);
    }
});

test("what is no ticket is none", () => {
    for (const text of ["", "ticket.", "ticket.AAAA", "ticket.!", "AAAAAAAAAAAAAAAAAAAAAA", `ticket.${"A".repeat(88)}`]) {
        assert.equal(ticketOf(text), null, text);
    }
});
