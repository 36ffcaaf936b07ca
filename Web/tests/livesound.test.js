// Sound through the page's own buffer: when it starts, and all the cases in which the browser plays it instead.

import assert from "node:assert/strict";
import test from "node:test";
import {canPlayLive, LiveSound, SoundDecoder} from "../viewer/sound/livesound.js";

/** The parts of an `<audio>` element that are used. */
class Element {
    volume = 1;
    muted = false;
    paused = true;
    srcObject = {};
    isAllowed = true;

    async play() {
        if (!this.isAllowed && !this.muted) throw Object.assign(new Error("no"), {name: "NotAllowedError"});
        this.paused = false;
    }

    pause() { this.paused = true; }
}

/** A browser with all required features, unless the test removes some. */
function browser({hasPackets = true, isSupported = true, isBroken = false, fails = "", codecs = ["audio/opus", "audio/red"]} = {}) {
    const made = {workers: [], contexts: [], nodes: [], transforms: []};
    class Port {
        sent = [];
        postMessage(message) { this.sent.push(message); }
    }
    class Worker extends Port {
        isTerminated = false;
        constructor(path, options) {
            super();
            Object.assign(this, {path, options});
            made.workers.push(this);
            this.tell = () => (isBroken ? this.onerror({}) : this.onmessage({data: {isReady: isSupported}}));
        }
        terminate() { this.isTerminated = true; }
    }
    class AudioContext {
        state = "suspended";
        baseLatency = 128 / 48000;
        destination = {};
        audioWorklet = {addModule: async () => { if (fails === "worklet") throw new Error("no"); }};
        constructor(options) {
            if (fails === "context") throw new Error("no");
            this.options = options;
            made.contexts.push(this);
        }
        createGain() { return this.gain = {gain: {value: 1}, connect() {}}; }
        async resume() { this.state = "running"; }
        async suspend() { this.state = "suspended"; }
        async close() { this.state = "closed"; }
    }
    class AudioWorkletNode {
        port = new Port();
        constructor(context, name, options) {
            Object.assign(this, {name, options});
            made.nodes.push(this);
        }
        connect(next) { return next; }
    }
    class RTCRtpScriptTransform {
        constructor(worker) { made.transforms.push(worker); }
    }
    class AudioDecoder {}
    const scope = {Worker, AudioContext, AudioWorkletNode, RTCRtpScriptTransform, AudioDecoder, MessageChannel: class {
        port1 = "packets out";
        port2 = "packets in";
    }};
    const receiver = {transform: null, getParameters: () =>
        ({codecs: codecs.map((mimeType, i) => ({mimeType, payloadType: 100 + i}))})};
    const element = new Element(), decoder = new SoundDecoder(scope);
    decoder.stand(receiver);
    const sound = new LiveSound(element, receiver, decoder, scope);
    if (hasPackets) made.workers[0].onmessage({data: {isThere: true}});
    return {made, scope, receiver, element, decoder, sound};
}

const settle = () => new Promise((tell) => setTimeout(tell, 5));

async function live(options) {
    const all = browser(options);
    await all.sound.play();
    await settle();
    return all;
}

test("it is done where all pieces are, and not where one is missing", () => {
    const {scope} = browser();
    assert.ok(canPlayLive(scope));
    for (const piece of ["Worker", "AudioContext", "AudioWorkletNode", "RTCRtpScriptTransform", "AudioDecoder"]) {
        assert.ok(!canPlayLive({...scope, [piece]: undefined}), piece);
    }
});

test("the element plays until the rest stands, then the rest alone", async () => {
    const {made, receiver, element, sound} = browser();
    const played = sound.play();
    assert.equal(element.paused, false);
    await played;
    await settle();
    assert.ok(sound.isLive && element.paused && !sound.paused);
    assert.deepEqual(made.contexts[0].options, {latencyHint: 0, sampleRate: 48000});
    assert.deepEqual(made.workers[0].sent, [{packets: "packets out"}, {live: {opus: [100], red: [101]}}]);
    assert.deepEqual(made.nodes[0].port.sent, [{packets: "packets in"}]);
    assert.equal(made.transforms[0], made.workers[0]);
    assert.ok(receiver.transform);
});

test("where one piece does not work, the element goes on, and nothing of it is left", async () => {
    for (const options of [
        {codecs: ["audio/PCMU"]}, {fails: "worklet"}, {fails: "context"},
    ]) {
        const {made, element, sound} = await live(options);
        const name = JSON.stringify(options);
        assert.ok(!sound.isLive && !element.paused, name);
        assert.ok(made.workers.every(({isTerminated, sent}) => !isTerminated && !sent.at(-1).live), name);
        assert.ok(made.contexts.every(({state}) => state === "closed"), name);
        assert.equal(sound.figures, null);
    }
});

test("before the browser lets it play, or while it is mute, nothing is begun", async () => {
    const {made, element, sound} = browser();
    element.isAllowed = false;
    await assert.rejects(sound.play(), {name: "NotAllowedError"});
    sound.muted = true;
    await sound.play();
    await settle();
    assert.equal(made.contexts.length, 0);
    element.isAllowed = true;
    sound.muted = false;
    await sound.play();
    await settle();
    assert.ok(sound.isLive);
});

test("until a packet has come nothing is begun, and then at once", async () => {
    const {made, sound} = await live({hasPackets: false});
    assert.equal(made.contexts.length, 0);
    made.workers[0].onmessage({data: {isThere: true}});
    await settle();
    assert.ok(sound.isLive);
    const other = browser({hasPackets: false});
    other.made.workers[0].onmessage({data: {isThere: true}});
    await settle();
    assert.equal(other.made.contexts.length, 0, "it was not told to play");
});

test("volume and mute are the gain's and the element's, whichever plays", async () => {
    const {made, element, sound} = browser();
    sound.volume = 0.5;
    await sound.play();
    await settle();
    const [context] = made.contexts;
    assert.equal(context.gain.gain.value, 0.5);
    sound.volume = 0.25;
    assert.deepEqual([context.gain.gain.value, element.volume, sound.volume], [0.25, 0.25, 0.25]);
    sound.muted = true;
    assert.equal(context.gain.gain.value, 0);
    assert.ok(context.state === "suspended" && sound.paused && element.muted);
    sound.muted = false;
    await sound.play();
    assert.ok(context.state === "running" && context.gain.gain.value === 0.25 && element.paused);
});

const second = (changes) => ({played: 48000, madeUp: 0, level: 37500, pulls: 375, dropped: 0, slipped: 0, stalls: 0, ...changes});

test("what is counted is the page's while it plays", async () => {
    const {made, sound} = await live();
    const tell = (report) => made.nodes[0].port.onmessage({data: report});
    assert.equal(sound.figures, null);
    tell(second({level: 375 * 480, madeUp: 480}));
    assert.deepEqual(sound.figures, {soundBuffered: 10, concealed: 1});
    tell(second({played: 0, pulls: 0, level: 0}));
    assert.deepEqual(sound.figures, {soundBuffered: null, concealed: null});
});

test("a path on which much is missing is the browser's for a while; one bad second is not", async (t) => {
    t.mock.timers.enable({apis: ["setTimeout"]});
    const settle = () => new Promise(setImmediate);
    for (const bad of [{madeUp: 2000}, {stalls: 3}]) {
        const {made, element, sound} = browser();
        await sound.play();
        await settle();
        const tell = (report) => made.nodes[0].port.onmessage({data: report});
        // Rarely enough.
        for (let i = 0; i < 100; i++) tell(second(i % 6 ? {} : bad));
        assert.ok(sound.isLive);
        for (let i = 0; i < 5; i++) tell(second(bad));
        assert.ok(!sound.isLive && !element.paused);
        assert.deepEqual(made.workers[0].sent.at(-1), {live: false});
        assert.ok(!made.workers[0].isTerminated, "it lets packets through");
        assert.equal(made.contexts[0].state, "closed");
        await sound.play();
        await settle();
        assert.equal(made.contexts.length, 1);
        for (const [round, wait] of [[2, 60_000], [3, 120_000]]) {
            t.mock.timers.tick(wait - 1);
            assert.ok(!sound.isLive);
            t.mock.timers.tick(1);
            await settle();
            assert.ok(sound.isLive && element.paused && made.contexts.length === round);
            for (let i = 0; i < 5; i++) made.nodes.at(-1).port.onmessage({data: second(bad)});
            assert.ok(!sound.isLive && !element.paused);
        }
        sound.pause();
        t.mock.timers.tick(1e7);
        await settle();
        assert.equal(made.contexts.length, 3, "it is over");
    }
});

test("silence is no bad path", async () => {
    const {made, sound} = await live();
    for (let i = 0; i < 100; i++) made.nodes[0].port.onmessage({data: second({played: 0, madeUp: 0, pulls: 0, level: 0})});
    assert.ok(sound.isLive);
});

test("a decoder or a worklet that fails hands over to the element, unless it is mute", async () => {
    for (const fail of [
        ({workers}) => workers[0].onmessage({data: {failed: "no"}}), ({nodes}) => nodes[0].onprocessorerror(),
        ({workers}) => workers[0].onerror({}),
        ({contexts: [context]}) => {
            context.state = "suspended";
            context.onstatechange();
        },
    ]) {
        for (const isMuted of [false, true]) {
            const {made, element, sound} = await live();
            sound.muted = isMuted;
            fail(made);
            await settle();
            // A muted page's context is suspended anyway.
            if (!(isMuted && made.contexts[0].state === "suspended")) assert.equal(sound.isLive, false);
            if (sound.isLive) continue;
            assert.equal(element.paused, isMuted);
            sound.muted = false;
            await sound.play();
            assert.ok(!element.paused);
        }
    }
});

test("who lets go of it while it begins is not played to", async () => {
    const {made, element, sound} = browser();
    await sound.play();
    sound.pause();
    sound.srcObject = null;
    await settle();
    assert.ok(!sound.isLive && element.paused && element.srcObject === null);
    assert.ok(made.workers.every(({isTerminated}) => isTerminated));
    assert.ok(made.contexts.every(({state}) => state === "closed"));
});

test("a decoder is of use once it says so; none that says nothing is waited for long", async (t) => {
    t.mock.timers.enable({apis: ["setTimeout"]});
    for (const [options, isReady] of [[{}, true], [{isSupported: false}, false], [{isBroken: true}, false]]) {
        const {made, scope} = browser(options), decoder = new SoundDecoder(scope);
        assert.equal(decoder.isReady, false);
        made.workers.at(-1).tell();
        assert.equal(await decoder.ready, isReady);
        assert.equal(decoder.isReady, isReady);
    }
    const {decoder} = browser();
    t.mock.timers.tick(1000);
    assert.equal(await decoder.ready, false);
    const {scope} = browser();
    const none = new SoundDecoder({...scope, Worker: class { constructor() { throw new Error("no"); } }});
    assert.equal(await none.ready, false);
});

/** A sound that the picture is kept in step with. */
async function stepped({isTimed = true, isDrawn = true, ...options} = {}) {
    const all = browser(options), state = {isTimed, isDrawn, changes: 0}, heard = [];
    const sound = new LiveSound(all.element, all.receiver, all.decoder, all.scope, {
        isTimed: () => state.isTimed, isDrawn: () => state.isDrawn,
        heard: (position, time) => heard.push([position, time]), changed: () => state.changes++,
    });
    all.made.workers[0].onmessage({data: {isThere: true}});
    await sound.play();
    await settle();
    return {...all, sound, state, heard};
}

test("in step: it begins once its times are known and the page draws; until they are, it is the browser's", async () => {
    const {made, element, sound, state} = await stepped({isTimed: false, isDrawn: false});
    assert.ok(!element.paused && !made.contexts.length);
    assert.ok(sound.isBrowsers);
    state.isTimed = true;
    sound.follow();
    await settle();
    assert.ok(!sound.isBrowsers && !made.contexts.length, "the page may begin to draw");
    state.isDrawn = true;
    sound.follow();
    await settle();
    assert.ok(sound.isLive && element.paused && !sound.isBrowsers);
    assert.deepEqual(made.nodes[0].port.sent[0], {isTimed: true});
});

test("in step: what is heard is told with its time, and silence when it is mute or the browser's", async () => {
    const {made, sound, state, heard} = await stepped(), [context] = made.contexts;
    Object.assign(context, {currentTime: 3, outputLatency: 0.02});
    const tell = (position) => made.nodes[0].port.onmessage({data: {heard: position, time: 3.01}});
    const before = performance.now();
    tell(480);
    tell(null);
    const [[position, time], [silence]] = heard.splice(0);
    assert.deepEqual([position, silence], [480, null]);
    assert.ok(time >= before + 29.9 && time <= performance.now() + 30.1);
    sound.muted = true;
    assert.equal(heard.splice(0).at(-1)[0], null);
    tell(960);
    assert.deepEqual(heard, []);
    assert.ok(!sound.isBrowsers);
    sound.muted = false;
    await sound.play();
    assert.equal(sound.figures, null, "a time is no report");
    state.isDrawn = false;
    const {changes} = state;
    sound.follow();
    assert.ok(!sound.isLive && sound.isBrowsers && state.changes > changes);
    assert.equal(heard.at(-1)[0], null);
    sound.pause();
    assert.ok(!sound.isBrowsers);
});
