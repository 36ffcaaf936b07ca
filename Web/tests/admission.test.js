import assert from "node:assert/strict";
import test from "node:test";
import {fromBase64url, toBase64url} from "../viewer/bytes/bytes.js";
import {Admission} from "../viewer/session/admission.js";
import {bindingOf, linkProof, pairingCode, pairingCommitment} from "../viewer/session/proof.js";

const filled = (count, value) => new Uint8Array(count).fill(value);
const viewerPrint = filled(32, 1), hostPrint = filled(32, 2), secret = filled(10, 3), hostNonce = filled(16, 4);
const binding = bindingOf(hostPrint, viewerPrint);
const welcome = {type: "welcome", version: 1, nonce: toBase64url(hostNonce), fingerprint: toBase64url(hostPrint),
    name: "desk", pairing: true};

function begin(credential) {
    let drawn = 10;
    const seen = [];
    const admission = new Admission({
        fingerprint: viewerPrint, name: "me", random: (count) => filled(count, drawn++),
        choose: (host) => (seen.push(host), credential),
    });
    const [hello] = admission.begin();
    assert.deepEqual(hello.message, {type: "hello", version: 1, nonce: toBase64url(filled(16, 10)),
        fingerprint: toBase64url(viewerPrint), name: "me"});
    return {admission, seen, nonce: filled(16, 10)};
}

test("a viewer that can keep no pairing says so", () => {
    const admission = new Admission({
        fingerprint: viewerPrint, name: "me", isVisit: true, random: (count) => filled(count, 1), choose: () => null,
    });
    assert.equal(admission.begin()[0].message.visit, true);
});

test("a phone says that it is one", () => {
    const admission = new Admission({
        fingerprint: viewerPrint, name: "me", isPhone: true, random: (count) => filled(count, 1), choose: () => null,
    });
    assert.equal(admission.begin()[0].message.phone, true);
});

test("who knows the secret is let in by a host that knows it too", () => {
    const {admission, seen, nonce} = begin({kind: "link", secret});
    const [join, ...none] = admission.receive(welcome);
    assert.deepEqual(none, []);
    assert.deepEqual(join.message,
        {type: "join", proof: toBase64url(linkProof(secret, "viewer", binding, nonce, hostNonce))});
    assert.deepEqual(seen, [{name: "desk", fingerprint: hostPrint, pairing: true, system: "", servesHTTPS: false}]);
    const iceServers = [{urls: "stun:192.0.2.1"}];
    assert.deepEqual(admission.receive({type: "admitted", control: true, iceServers,
        proof: toBase64url(linkProof(secret, "host", binding, nonce, hostNonce))}),
    [{do: "enter", control: true, iceServers}]);
    assert.deepEqual(admission.hostFingerprint, hostPrint);
});

test("a paired device says which it is", () => {
    const {admission} = begin({kind: "device", device: "d1", secret});
    assert.equal(admission.receive(welcome)[0].message.device, "d1");
});

test("a host that does not know the secret is an impostor", () => {
    for (const proof of [undefined, "", "AA", "viewer's own", 5]) {
        const {admission, nonce} = begin({kind: "ticket", secret});
        admission.receive(welcome);
        const own = toBase64url(linkProof(secret, "viewer", binding, nonce, hostNonce));
        const shown = proof === "viewer's own" ? own : proof;
        assert.deepEqual(admission.receive({type: "admitted", control: true, iceServers: [], proof: shown}),
            [{do: "end", why: {kind: "impostor"}}]);
    }
});

test("a swapped fingerprint makes the host's proof wrong", () => {
    const {admission, nonce} = begin({kind: "link", secret});
    admission.receive({...welcome, fingerprint: toBase64url(filled(32, 9))});
    const proof = toBase64url(linkProof(secret, "host", binding, nonce, hostNonce));
    assert.deepEqual(admission.receive({type: "admitted", proof, control: true, iceServers: []}),
        [{do: "end", why: {kind: "impostor"}}]);
});

test("who has nothing asks", () => {
    const {admission} = begin(null);
    assert.deepEqual(admission.receive(welcome),
        [{do: "ask", host: {name: "desk", fingerprint: hostPrint, pairing: true, system: "", servesHTTPS: false}}]);
});

test("a pairing commits first, then reveals, and enters only once the person has said yes", () => {
    const {admission} = begin({kind: "pair"});
    const [pair] = admission.receive(welcome);
    const theirs = filled(16, 77);
    const [reveal, compare] = admission.receive({type: "pairing", nonce: toBase64url(theirs)});
    const mine = fromBase64url(reveal.message.nonce);
    assert.equal(pair.message.commitment, toBase64url(pairingCommitment(binding, "me", mine)));
    assert.deepEqual(compare, {do: "compare", code: pairingCode(binding, "me", mine, theirs)});
    assert.deepEqual(admission.confirm(), [{do: "send", message: {type: "confirm"}}]);
    assert.deepEqual(admission.confirm(), [], "said once");
    assert.deepEqual(admission.receive({type: "admitted", control: false, iceServers: []}),
        [{do: "enter", control: false, iceServers: []}]);
});

test("nobody is let in before the codes were compared", () => {
    const {admission} = begin({kind: "pair"});
    admission.receive(welcome);
    admission.receive({type: "pairing", nonce: toBase64url(filled(16, 7))});
    assert.equal(admission.receive({type: "admitted", control: true, iceServers: []})[0].why.kind, "violation");
    assert.deepEqual(admission.confirm(), []);
});

test("being refused says why", () => {
    const {admission} = begin({kind: "link", secret});
    admission.receive(welcome);
    assert.deepEqual(admission.receive({type: "refused", reason: "link-used"}),
        [{do: "end", why: {kind: "refused", reason: "link-used"}}]);
});

test("a host that can't be understood ends it", () => {
    for (const junk of [{...welcome, version: 2}, {...welcome, nonce: "AA"}, {...welcome, fingerprint: 5},
        {...welcome, nonce: undefined}, {type: "pairing", nonce: "AA"}, {type: "admitted"}]) {
        const {admission} = begin({kind: "link", secret});
        assert.equal(admission.receive(junk)[0].why.kind, "violation", JSON.stringify(junk));
    }
});

test("what is not known is passed over", () => {
    const {admission} = begin({kind: "link", secret});
    assert.deepEqual(admission.receive({type: "news"}), []);
    assert.equal(admission.receive({...welcome, more: 1})[0].message.type, "join");
});

test("a host serves HTTPS where it says so, and no other way", () => {
    for (const [https, expected] of [[true, true], [undefined, false], ["true", false], [1, false]]) {
        const {admission, seen} = begin(null);
        admission.receive({...welcome, https});
        assert.equal(seen[0].servesHTTPS, expected);
    }
});

test("a host's system is what it says, and nothing where it says something else than a text", () => {
    for (const [system, expected] of [["macos", "macos"], [undefined, ""], [7, ""], [null, ""]]) {
        const {admission, seen} = begin(null);
        admission.receive({...welcome, system});
        assert.equal(seen[0].system, expected);
    }
});
