// A session from the WebSocket to its end, with a fake socket and peer connection, and a host that knows the secret.

import assert from "node:assert/strict";
import test from "node:test";
import {fromBase64url, toBase64url} from "../viewer/bytes/bytes.js";
import {bindingOf, linkProof} from "../viewer/session/proof.js";
import {askForDependencies, hasUndecodedPicture, Session} from "../viewer/session/session.js";
import {LocalSignalling} from "../viewer/session/signalling.js";
import {browser} from "./fakes.js";

const digits = (value) => new Array(32).fill(value.toString(16).padStart(2, "0")).join(":");
const sdpOf = (value) => `v=0\r\na=rtpmap:96 H264/90000\r\na=fingerprint:sha-256 ${digits(value)}\r\n`;
const filled = (count, value) => new Uint8Array(count).fill(value);
const secret = filled(10, 3), hostNonce = filled(16, 4);
const OWN = 1, HOSTS = 2;

class FakeSocket {
    static OPEN = 1;
    readyState = 1;
    sent = [];
    isClosed = false;

    send(text) { this.sent.push(JSON.parse(text)); }
    close() { this.isClosed = true; }
    tell(message) { this.onmessage({data: JSON.stringify(message)}); }
}

class FakeChannel {
    readyState = "connecting";
    bufferedAmount = 0;
    sent = [];

    constructor(label, options) { Object.assign(this, {label, options}); }

    send(text) { this.sent.push(JSON.parse(text)); }
    tell(message) { this.onmessage({data: typeof message === "string" ? message : JSON.stringify(message)}); }

    open() {
        this.readyState = "open";
        this.onopen();
    }
}

class FakeConnection {
    connectionState = "new";
    channels = [];
    candidates = [];
    isClosed = false;

    receiver = {jitterBufferTarget: null};
    bytes = 0;

    async getStats() { return new Map([["P", {type: "candidate-pair", bytesReceived: this.bytes}]]); }

    addTransceiver() { return {receiver: this.receiver}; }

    createDataChannel(label, options) {
        const channel = new FakeChannel(label, options);
        this.channels.push(channel);
        return channel;
    }

    async createOffer() { return {type: "offer", sdp: sdpOf(OWN)}; }
    async setLocalDescription(description) { this.localDescription = description; }
    async setRemoteDescription(description) { this.remoteDescription = description; }
    async addIceCandidate(candidate) { this.candidates.push(candidate); }
    close() { this.isClosed = true; }

    change(state) {
        this.connectionState = state;
        this.onconnectionstatechange();
    }
}

const {createOffer} = FakeConnection.prototype;

/** Waits until all pending promises have continued. */
const settle = () => new Promise((done) => setImmediate(done));

async function made(t, credential = {kind: "link", secret}, more = {}) {
    const clock = browser(t), log = [];
    let socket, connection;
    const fakes = {
        WebSocket: class extends FakeSocket { constructor() { super(); socket = this; } },
        RTCPeerConnection: class extends FakeConnection { constructor() { super(); connection = this; } },
        RTCRtpReceiver: {},
    };
    fakes.WebSocket.OPEN = 1;
    for (const [name, value] of Object.entries(fakes)) {
        globalThis[name] = value;
        t.after(() => delete globalThis[name]);
    }
    const on = {choose: () => credential};
    for (const name of ["ask", "compare", "entered", "picture", "sound", "soundAsked", "soundRefused", "opened", "transfer", "message",
        "interrupted", "ending", "ended"]) on[name] = (...all) => log.push([name, ...all]);
    const signalling = new LocalSignalling("ws://host/signaling");
    const session = new Session(() => signalling, {name: "me", isVisit: true}, {...on, ...more});
    await settle();
    await socket.onopen();
    const endings = () => log.filter(([name]) => name === "ended").map(([, ending]) => ending);
    return {...clock, session, signalling, socket, connection, log, endings, channel: Object.fromEntries(
        connection.channels.map((channel) => [channel.label, channel]))};
}

function letIn({socket}) {
    const {nonce} = socket.sent.find(({type}) => type === "hello");
    socket.tell({type: "welcome", version: 1, nonce: toBase64url(hostNonce), fingerprint: toBase64url(filled(32, HOSTS)),
        name: "desk", pairing: false});
    const binding = bindingOf(filled(32, HOSTS), filled(32, OWN));
    const proof = toBase64url(linkProof(secret, "host", binding, fromBase64url(nonce), hostNonce));
    socket.tell({type: "admitted", proof, control: true, iceServers: []});
}

async function watching(t) {
    const all = await made(t);
    letIn(all);
    await settle();
    all.socket.tell({type: "answer", sdp: sdpOf(HOSTS)});
    await settle();
    for (const channel of all.connection.channels) channel.open();
    return all;
}

test("it is let in, offers, and messages go both ways by the channel that is meant for them", async (t) => {
    const {session, socket, connection, channel, log} = await watching(t);
    assert.deepEqual(socket.sent.map(({type}) => type), ["hello", "join", "offer"]);
    assert.deepEqual(channel.moves.options, {ordered: false, maxRetransmits: 0});
    assert.deepEqual(log.splice(2), [["transfer", channel.transfer]]);
    assert.deepEqual(log.map(([name]) => name), ["entered", "opened"]);
    assert.equal(session.send("moves", {type: "mouseTo", x: 0, y: 0, n: 1}), true);
    assert.equal(channel.moves.sent.length, 1);
    channel.control.tell({type: "control", state: "yours"});
    channel.moves.tell("no JSON");
    channel.moves.tell("5");
    assert.deepEqual(log.slice(2), [["message", {type: "control", state: "yours"}]]);
    assert.equal(connection.isClosed, false);
});

test("nothing goes before a channel is open, and no move behind many others", async (t) => {
    const {session, channel} = await made(t);
    assert.equal(session.send("control", {type: "alive"}), false);
    channel.moves.readyState = channel.control.readyState = "open";
    channel.moves.bufferedAmount = channel.control.bufferedAmount = 8193;
    assert.equal(session.send("moves", {type: "mouseTo"}), false);
    assert.equal(session.send("control", {type: "mouseDown"}), true, "what counts waits its turn");
});

test("inputs wait behind fewer bytes than moves: behind more, they come sooner by the other channel", async (t) => {
    const {session, channel} = await watching(t);
    const inputs = {type: "inputs", first: 0, list: [{type: "releaseAll"}], at: 1};
    channel.moves.bufferedAmount = 1000;
    assert.equal(session.send("moves", inputs), true);
    channel.moves.bufferedAmount = 1001;
    assert.equal(session.send("moves", inputs), false);
    assert.equal(session.send("moves", {type: "mouseTo", x: 0, y: 0, n: 1}), true);
    assert.equal(session.send("control", inputs), true);
});

test("a press is let out at once, by whichever message it goes", async (t) => {
    const {session, connection, channel} = await watching(t);
    let count = 0;
    connection.receiver.getSynchronizationSources = () => {
        count += 1;
        return [];
    };
    const press = {type: "mouseDown", button: "left"};
    session.send("control", press);
    session.send("moves", {type: "inputs", first: 0, list: [{type: "releaseAll"}, press], at: 1});
    assert.equal(count, 2);
    session.send("moves", {type: "inputs", first: 0, list: [press, {type: "mouseUp", button: "left"}], at: 1});
    session.send("control", {type: "alive"});
    assert.equal(count, 2);
    assert.equal(channel.moves.sent.length, 2);
});

test("the clipboard's channel is reliable; without it, and once it has closed, the session goes on", async (t) => {
    const all = await made(t);
    letIn(all);
    await settle();
    all.socket.tell({type: "answer", sdp: sdpOf(HOSTS)});
    await settle();
    const {control, moves, transfer} = all.channel;
    assert.equal(transfer.options.ordered, true);
    assert.match(transfer.options.protocol, /^[0-9a-f]{32}$/, "it names the page where files are concerned");
    control.open();
    moves.open();
    const names = () => all.log.map(([name]) => name);
    assert.deepEqual(names(), ["entered", "opened"]);
    transfer.open();
    transfer.onclose?.();
    transfer.onerror?.();
    all.pass(100);
    assert.deepEqual(names(), ["entered", "opened", "transfer"]);
    assert.equal(all.connection.isClosed, false);
    all.session.leave();
    transfer.onopen();
    assert.equal(names().filter((name) => name === "transfer").length, 1, "of a session that is over nothing is told");
});

test("an answer by another certificate than the one that was proven is an impostor's", async (t) => {
    const all = await made(t);
    letIn(all);
    await settle();
    all.socket.tell({type: "answer", sdp: sdpOf(9)});
    await settle();
    assert.deepEqual(all.endings(), [{kind: "impostor"}]);
    assert.equal(all.connection.remoteDescription, undefined);
});

test("no address of this end is told before it is let in", async (t) => {
    const all = await made(t);
    all.connection.onicecandidate({candidate: {candidate: "candidate:1", sdpMid: "0", sdpMLineIndex: 0}});
    assert.deepEqual(all.socket.sent.map(({type}) => type), ["hello"]);
    letIn(all);
    await settle();
    assert.deepEqual(all.socket.sent.map(({type}) => type), ["hello", "join", "offer", "candidate"]);
    all.connection.onicecandidate({candidate: null});
    assert.equal(all.socket.sent.at(-1).candidate, null);
});

for (const [name, end, expected] of [
    ["this end leaves", ({session}) => session.leave(), {kind: "left"}],
    ["the host says goodbye", ({channel}) => channel.control.tell({type: "bye", reason: "put-out"}),
        {kind: "bye", reason: "put-out"}],
    ["a channel closes", ({channel}) => channel.moves.onclose(), {kind: "lost"}],
    ["the path fails", ({connection}) => connection.change("failed"), {kind: "lost"}],
    ["a host that fell silent", ({pass}) => pass(4000), {kind: "lost"}],
    ["a path that stays away", ({connection, pass}) => {
        connection.change("disconnected");
        pass(2500);
    }, {kind: "lost"}],
    ["a host that was killed, whose socket ends first", ({socket, pass}) => {
        socket.onclose();
        pass(1500);
    }, {kind: "lost"}],
]) {
    test(`${name}: it ends once, the picture is kept before it goes, and no timer is left`, async (t) => {
        const all = await watching(t);
        all.log.length = 0;
        end(all);
        await settle();
        assert.deepEqual(all.endings(), [expected]);
        const names = all.log.map(([each]) => each).filter((each) => each !== "interrupted");
        assert.deepEqual(names, ["ending", "ended"]);
        assert.equal(all.connection.isClosed && all.socket.isClosed, true);
        all.channel.control.onclose();
        all.socket.onclose();
        all.pass(60_000);
        all.session.leave();
        assert.equal(all.endings().length, 1);
    });
}

test("a host that answers stays, and its newest answer counts", async (t) => {
    const {session, channel, endings, pass} = await watching(t);
    for (let i = 0; i < 20; i++) {
        pass(7);
        const {id} = channel.control.sent.findLast(({type}) => type === "ping");
        channel.control.tell({type: "pong", id});
        pass(993);
    }
    assert.deepEqual(endings(), []);
    assert.equal(session.roundTrip, 7);
    channel.control.tell({type: "pong", id: 10_000});
    channel.control.tell({type: "pong"});
    assert.equal(session.roundTrip, 7);
});

for (const [agent, kind] of [["Chrome/140.0", "no-codec"], ["Gecko/20100101 Firefox/128.0", "fetching-codec"]]) {
    test(`${agent}, whose offer has no H.264, uses no link up, and says why`, async (t) => {
        const all = await made(t);
        all.session.leave();
        navigator.userAgent = agent;
        FakeConnection.prototype.createOffer = async () => ({type: "offer", sdp: sdpOf(OWN).replace("H264", "VP8")});
        t.after(() => { FakeConnection.prototype.createOffer = createOffer; });
        const endings = [], sent = [];
        let socket;
        WebSocket = class extends FakeSocket {
            constructor() {
                super();
                socket = this;
            }
            send(text) { sent.push(text); }
        };
        new Session(() => new LocalSignalling("ws://host"), {name: "me"}, {ending() {}, ended: (ending) => endings.push(ending)});
        await settle();
        await socket.onopen();
        assert.deepEqual(endings, [{kind}]);
        assert.deepEqual(sent, []);
    });
}

test("pictures that come and are not decoded are told from none at all", async () => {
    const of = (report) => ({getStats: async () => new Map([["I", {type: "inbound-rtp", kind: "video", ...report}]])});
    assert.equal(await hasUndecodedPicture(of({framesReceived: 9, framesDecoded: 0})), true);
    assert.equal(await hasUndecodedPicture(of({framesReceived: 9, framesDecoded: 3})), false);
    assert.equal(await hasUndecodedPicture(of({framesReceived: 0})), false);
    assert.equal(await hasUndecodedPicture({getStats: async () => { throw new Error("no"); }}), false);
    assert.equal(await hasUndecodedPicture(undefined), false);
});

/** Receives this many bytes in each second, without an answer to a ping. */
async function hear({connection, pass}, seconds, bytes) {
    for (let i = 0; i < seconds * 4; i++) {
        pass(250);
        connection.bytes += bytes / 4;
        await settle();
    }
}

test("a picture that goes on is a sign of life, whatever becomes of answers; when all is silent, it ends", async (t) => {
    const all = await watching(t);
    await hear(all, 20, 4000);
    assert.deepEqual(all.endings(), []);
    assert.ok(all.channel.control.sent.length >= 20, "it goes on to ask");
    await hear(all, 6, 0);
    assert.deepEqual(all.endings(), [{kind: "lost"}]);
});

test("a path that the browser calls disconnected is there while anything comes by it", async (t) => {
    const all = await watching(t);
    all.connection.change("disconnected");
    await hear(all, 10, 4000);
    assert.deepEqual(all.endings(), []);
    await hear(all, 6, 0);
    assert.deepEqual(all.endings(), [{kind: "lost"}]);
});

test("a WebSocket that ends is no ending while the picture goes on", async (t) => {
    const all = await watching(t);
    all.socket.onclose();
    await hear(all, 10, 4000);
    assert.deepEqual(all.endings(), []);
});

test("a host that greets nobody, or lets in and is not reached, is given up", async (t) => {
    const {pass, endings, log} = await made(t);
    pass(10_000);
    assert.deepEqual(endings(), [{kind: "unreachable"}]);
    assert.equal(log.some(([name]) => name === "entered"), false);
});

test("let in, and no way through", async (t) => {
    const all = await made(t);
    letIn(all);
    await settle();
    all.pass(20_000);
    assert.deepEqual(all.endings(), [{kind: "no-path"}]);
});

test("what the host did not take is why it hangs up", async (t) => {
    const {socket, endings} = await made(t);
    socket.tell({type: "error", message: "too fast"});
    socket.onclose();
    assert.deepEqual(endings(), [{kind: "declined", what: "too fast"}]);
});

test("a path that comes back is no ending", async (t) => {
    const {connection, channel, log, endings, pass} = await watching(t);
    connection.change("disconnected");
    pass(2000);
    connection.change("connected");
    channel.control.tell({type: "pong", id: channel.control.sent.findLast(({type}) => type === "ping").id});
    pass(900);
    assert.deepEqual(endings(), []);
    assert.deepEqual(log.filter(([name]) => name === "interrupted"), [["interrupted", true], ["interrupted", false]]);
});

test("a browser without WebRTC says so, once there is somebody to tell", (t) => {
    const {pass} = browser(t);
    const endings = [];
    new Session(() => new LocalSignalling("ws://host"), {name: "me"}, {ending() {}, ended: (ending) => endings.push(ending)});
    assert.deepEqual(endings, []);
    pass(1);
    assert.deepEqual(endings, [{kind: "no-webrtc"}]);
});

test("a page that stood still for seconds sees first what came meanwhile", async (t) => {
    const all = await watching(t);
    const {connection, channel, pass, sleep} = all;
    pass(1500);
    channel.control.tell({type: "pong", id: channel.control.sent.at(-1).id});
    connection.bytes += 4000;
    // Meanwhile no timer runs and no message is received; the timers run first.
    sleep(20_000);
    pass(1);
    await settle();
    assert.deepEqual(all.endings(), []);
    await hear(all, 10, 4000);
    assert.deepEqual(all.endings(), []);
    sleep(20_000);
    await hear(all, 8, 0);
    assert.deepEqual(all.endings(), [{kind: "lost"}], "a host that went meanwhile is gone");
});

test("what is to stand before the receiver of pictures is told of it in the task that makes it", async (t) => {
    const log = [];
    let ready, isOffered = false;
    t.mock.method(FakeConnection.prototype, "createOffer", function() {
        isOffered = true;
        return createOffer.call(this);
    });
    const waiting = made(t, undefined, {
        pictureReady: () => new Promise((tell) => { ready = tell; }),
        pictureAsked: ({receiver}) => {
            // A posted task is too late for browsers, and so is a change after the offer.
            log.push(receiver.jitterBufferTarget, isOffered);
        },
    });
    await settle();
    assert.deepEqual(log, []);
    ready();
    const {session, socket, connection} = await waiting;
    assert.deepEqual([log, isOffered], [[null, false], true]);
    assert.equal(connection.channels.length, 3);
    assert.ok(socket.sent.some(({type}) => type === "hello"));
    session.leave();
});

test("a session that ends while the receiver waits makes none", async (t) => {
    let ready;
    const waiting = made(t, undefined, {
        pictureReady: () => new Promise((tell) => { ready = tell; }), pictureAsked: () => assert.fail("it has ended"),
    });
    await settle();
    t.mock.timers.tick(10_000);
    ready();
    const {endings, connection} = await waiting;
    assert.deepEqual(endings().map(({kind}) => kind), ["unreachable"]);
    assert.equal(connection.channels.length, 0);
});

test("another session is asked for where this one's picture is gone", async (t) => {
    const {session, endings} = await watching(t);
    session.renew();
    session.renew();
    assert.deepEqual(endings(), [{kind: "lost"}]);
});

test("the dependency descriptor is asked for where browsers know it", () => {
    const asked = [], known = ["urn:ietf:params:rtp-hdrext:sdes:mid",
        "https://aomediacodec.github.io/av1-rtp-spec/#dependency-descriptor-rtp-header-extension"];
    const transceiver = (uris) => ({
        getHeaderExtensionsToNegotiate: () => uris.map((uri, i) => ({uri, direction: i ? "stopped" : "sendrecv"})),
        setHeaderExtensionsToNegotiate: (list) => asked.push(list),
    });
    askForDependencies(transceiver(known));
    assert.deepEqual(asked.splice(0), [known.map((uri) => ({uri, direction: "sendrecv"}))]);
    askForDependencies(transceiver(known.slice(0, 1)));
    askForDependencies({});
    askForDependencies({...transceiver(known), setHeaderExtensionsToNegotiate: () => { throw new Error("no"); }});
    assert.deepEqual(asked, []);
});

test("the TURN servers that a rendezvous lends are used beside the host's, and its words say why nothing came", async (t) => {
    const all = await made(t);
    const configured = [];
    Object.assign(all.connection, {
        getConfiguration: () => ({bundlePolicy: "max-bundle"}), setConfiguration: (each) => configured.push(each),
    });
    const lent = [{urls: ["turn:t.example"], username: "1:a", credential: "c"}];
    all.signalling.iceServers = lent;
    letIn(all);
    await settle();
    assert.deepEqual(configured, [{bundlePolicy: "max-bundle", iceServers: lent}]);
    all.signalling.onclose({kind: "offline"});
    assert.deepEqual(all.endings(), [{kind: "offline"}]);
});

test("a running session outlives its signalling, whatever ended that", async (t) => {
    const all = await watching(t);
    all.signalling.onclose({kind: "offline"});
    assert.deepEqual(all.endings(), []);
    const pings = all.channel.control.sent.filter(({type}) => type === "ping").length;
    all.pass(1);
    const last = all.channel.control.sent.filter(({type}) => type === "ping");
    assert.equal(last.length, pings + 1, "it asks the host at once");
    all.channel.control.tell({type: "pong", id: last.at(-1).id});
    all.pass(1000);
    assert.deepEqual(all.endings(), []);
});
