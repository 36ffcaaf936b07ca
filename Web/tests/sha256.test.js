import assert from "node:assert/strict";
import {createHash, createHmac} from "node:crypto";
import test from "node:test";
import {utf8} from "../viewer/bytes/bytes.js";
import {hmacSha256, Sha256, sha256} from "../viewer/bytes/sha256.js";

const hex = (bytes) => Buffer.from(bytes).toString("hex");
const bytes = (digits) => Uint8Array.from(Buffer.from(digits, "hex"));

// The FIPS 180-4 examples published by NIST.
for (const [message, digest] of [
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    ["abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"],
    ["abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"],
    ["a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
]) {
    test(`SHA-256 of ${message.length} bytes as published`, () => assert.equal(hex(sha256(utf8(message))), digest));
}

// RFC 4231.
for (const [name, key, message, code] of [
    ["4.2", "0b".repeat(20), hex(utf8("Hi There")), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"],
    ["4.3", hex(utf8("Jefe")), hex(utf8("what do ya want for nothing?")),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"],
    ["4.4", "aa".repeat(20), "dd".repeat(50), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"],
    ["4.5", "0102030405060708090a0b0c0d0e0f10111213141516171819", "cd".repeat(50),
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"],
    ["4.7", "aa".repeat(131), hex(utf8("Test Using Larger Than Block-Size Key - Hash Key First")),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"],
    ["4.8", "aa".repeat(131), hex(utf8("This is a test using a larger than block-size key and a larger than " +
        "block-size data. The key needs to be hashed before being used by the HMAC algorithm.")),
    "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"],
]) {
    test(`HMAC-SHA256, RFC 4231 section ${name}`, () => {
        assert.equal(hex(hmacSha256(bytes(key), bytes(message))), code);
    });
}

test("every length around the block's edges agrees with OpenSSL", () => {
    for (let length = 0; length < 200; length++) {
        const message = Uint8Array.from({length}, (_, i) => i * 7 + length & 255);
        assert.equal(hex(sha256(message)), createHash("sha256").update(message).digest("hex"));
        assert.equal(hex(hmacSha256(message, message)), createHmac("sha256", message).update(message).digest("hex"));
    }
});

test("what comes in pieces has the same hash, and a copy goes its own way", () => {
    const whole = Uint8Array.from({length: 1000}, (_, i) => i * 31 & 255);
    const expected = (bytes) => createHash("sha256").update(bytes).digest("hex");
    for (const size of [1, 3, 55, 56, 63, 64, 65, 127, 128, 500, 1000]) {
        const hash = new Sha256();
        for (let at = 0; at < whole.length; at += size) {
            assert.equal(hash.length, at);
            assert.equal(hex(hash.digest()), expected(whole.subarray(0, at)), `${at} by ${size}`);
            const copy = hash.copy().update(whole.subarray(5, 10));
            hash.update(whole.subarray(at, at + size));
            assert.equal(copy.length, at + 5);
        }
        assert.equal(hex(hash.digest()), expected(whole));
        assert.equal(hex(hash.update(new Uint8Array(0)).digest()), expected(whole));
    }
    const before = new Sha256().update(whole.subarray(0, 70)), after = before.copy().update(whole.subarray(70));
    assert.equal(hex(after.digest()), expected(whole));
    assert.equal(hex(before.digest()), expected(whole.subarray(0, 70)));
});
