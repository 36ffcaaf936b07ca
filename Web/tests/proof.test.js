import assert from "node:assert/strict";
import {createHash, createHmac} from "node:crypto";
import test from "node:test";
import {secretOf, tidyCode} from "../viewer/bytes/base32.js";
import {fromBase64url, toBase64url, utf8} from "../viewer/bytes/bytes.js";
import {bindingOf, linkProof, pairingCode, pairingCommitment} from "../viewer/session/proof.js";
import {fingerprintOf} from "../viewer/session/sdp.js";

const numbered = (count, start = 0) => Uint8Array.from({length: count}, (_, i) => start + i);

// The same by the text of docs/web/protocol.md, with OpenSSL.
function fields(...list) {
    return Buffer.concat(list.flatMap((field) => {
        const bytes = Buffer.from(field), length = Buffer.alloc(4);
        length.writeUInt32BE(bytes.length);
        return [length, bytes];
    }));
}
const hash = (...list) => createHash("sha256").update(fields(...list)).digest();

const host = numbered(32), viewer = numbered(32, 100), nonceV = numbered(16, 50), nonceH = numbered(16, 200);
const binding = hash("heliograph web binding 1", host, viewer);

test("the binding is of both certificates, in order", () => {
    assert.deepEqual(Buffer.from(bindingOf(host, viewer)), binding);
    assert.notDeepEqual(Buffer.from(bindingOf(viewer, host)), binding);
});

test("a proof is HMAC-SHA256 over the protocol's fields", () => {
    for (const role of ["viewer", "host"]) {
        const expected = createHmac("sha256", numbered(10))
            .update(fields("heliograph link proof 1", role, binding, nonceV, nonceH)).digest();
        assert.deepEqual(Buffer.from(linkProof(numbered(10), role, binding, nonceV, nonceH)), expected);
    }
});

test("commitment and code of a pairing are those of the protocol, with any name", () => {
    for (const name of ["Chrome on Linux", "Zoë’s 📱", ""]) {
        const nonce = numbered(16, name.length);
        assert.deepEqual(Buffer.from(pairingCommitment(binding, name, nonce)),
            hash("heliograph pairing commitment 1", binding, name, nonce));
        const digest = hash("heliograph pairing code 1", binding, name, nonce, nonceH);
        const code = String(digest.readBigUInt64BE() % 1_000_000n).padStart(6, "0");
        assert.equal(pairingCode(binding, name, nonce, nonceH), `${code.slice(0, 3)} ${code.slice(3)}`);
    }
});

test("base64url goes both ways as Node has it, and nothing else is taken", () => {
    for (let length = 0; length < 40; length++) {
        const bytes = numbered(length, 240 - length);
        assert.equal(toBase64url(bytes), Buffer.from(bytes).toString("base64url"));
        assert.deepEqual(fromBase64url(toBase64url(bytes)), bytes);
    }
    for (const junk of ["A", "AB", "AA==", "A+", "A/", "A A", "ä", null, undefined, 7, {}]) {
        if (junk === "AB") assert.equal(fromBase64url(junk), null, "stray bits");
        else assert.equal(fromBase64url(junk), null, String(junk));
    }
});

test("a code is read as people type it", () => {
    const secret = secretOf("0123-4567-89AB-CDEF");
    assert.equal(Buffer.from(secret).toString("hex"), "00443214c74254b635cf");
    assert.deepEqual(secretOf(" o123 4567-89ab cdef"), secret);
    assert.deepEqual(secretOf("0123-4567-89AB-CDEF.23010"), secret);
    for (const port of [".", ".x", ".123456", ".1.2"]) assert.equal(secretOf("0123-4567-89AB-CDEF" + port), null);
    assert.deepEqual(secretOf("OL23-4567-89ab-cdef"), secretOf("0123-4567-89AB-CDEF"));
    for (const junk of ["", "0123-4567-89AB-CDE", "0123-4567-89AB-CDEF-0", "0123-4567-89AB-CDEU", "ä".repeat(16)]) {
        assert.equal(secretOf(junk), null, junk);
    }
});

test("a code is tidied while it is typed", () => {
    assert.equal(tidyCode("01234567"), "0123-4567");
    assert.equal(tidyCode("0123-"), "0123");
    assert.equal(tidyCode("ab cd/efgh u"), "ABCD-EFGH");
    assert.equal(tidyCode("0".repeat(20)), "0000-0000-0000-0000");
});

const print = [...numbered(32, 170)].map((byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(":");

test("a description's fingerprint is read where it names one certificate", () => {
    const line = `a=fingerprint:sha-256 ${print}\r\n`;
    assert.deepEqual(fingerprintOf(`v=0\r\n${line}m=video 9\r\n`), numbered(32, 170));
    assert.deepEqual(fingerprintOf(`v=0\r\n${line}m=video 9\r\n${line.toLowerCase()}`), numbered(32, 170));
});

test("a description with no, two or other fingerprints is not taken", () => {
    const line = `a=fingerprint:sha-256 ${print}\r\n`, other = line.replace("AA:", "AB:");
    assert.notEqual(line, other);
    for (const sdp of ["v=0\r\n", line + other, `${line}a=fingerprint:sha-1 ${print}\r\n`, line.slice(0, -5),
        `a=fingerprint:sha-256 ${print}:00\r\n`, " " + line, `${line}a=fingerprint:sha-256 \r\n`]) {
        assert.equal(fingerprintOf(sdp), null, sdp);
    }
});

test("utf8 is UTF-8", () => assert.deepEqual(Buffer.from(utf8("é😀")), Buffer.from("é😀")));
