// The proofs and codes of Testing/Vectors/web-proofs.json, which the host is tested with too.

import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";
import {bindingOf, linkProof, pairingCode, pairingCommitment} from "../viewer/session/proof.js";

const {cases} = JSON.parse(readFileSync(new URL("../../Testing/Vectors/web-proofs.json", import.meta.url), "utf8"));
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
const hex = (array) => Buffer.from(array).toString("hex");

for (const one of cases) {
    test(`golden: ${one.name}`, () => {
        const binding = bindingOf(bytes(one.hostFingerprint), bytes(one.viewerFingerprint));
        assert.equal(hex(binding), one.binding);
        for (const role of ["viewer", "host"]) {
            const proof = linkProof(bytes(one.secret), role, binding, bytes(one.viewerNonce), bytes(one.hostNonce));
            assert.equal(hex(proof), one[`${role}Proof`]);
        }
        const nonce = bytes(one.pairingViewerNonce);
        assert.equal(hex(pairingCommitment(binding, one.viewerName, nonce)), one.commitment);
        assert.equal(pairingCode(binding, one.viewerName, nonce, bytes(one.pairingHostNonce)), one.code);
    });
}

test("there are golden cases", () => assert.ok(cases.length >= 5));
