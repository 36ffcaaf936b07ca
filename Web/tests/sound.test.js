// The host's sound: when it is requested, what is sent, and the effects of the browser's autoplay rules.

import assert from "node:assert/strict";
import test from "node:test";
import {withStereo, withoutCandidates} from "../viewer/session/sdp.js";
import {Sound, wishOf} from "../viewer/sound/sound.js";
import {soundFiguresOf} from "../viewer/ui/rates.js";

class Player {
    volume = 1;
    muted = false;
    isPlaying = false;
    srcObject = {};
    plays = 0;

    constructor(page) { this.page = page; }

    async play() {
        this.plays++;
        if (!this.muted && !this.page.isAllowed) throw Object.assign(new Error("no"), {name: "NotAllowedError"});
        this.isPlaying = true;
    }

    pause() { this.isPlaying = false; }
}

/** A page in a browser that may block playback until it is touched. */
class Page {
    asked = [];
    told = [];
    players = [];
    states = [];
    isAllowed = true;

    constructor(wish = {}) {
        this.sound = new Sound(wishOf(wish), {
            ask: (count, isInStep) => this.asked.push([count, isInStep]),
            tell: (message) => this.told.push(message),
            player: () => {
                this.players.push(new Player(this));
                return this.players.at(-1);
            },
            changed: () => this.states.push(this.sound.state),
        });
    }

    /** Everything up to the first packet. */
    async begin() {
        this.sound.offered({system: true, microphone: false});
        this.sound.pictured();
        await this.sound.heard({readyState: "live"});
    }
}

test("sound is asked for once, and not before the picture is there", () => {
    const page = new Page();
    assert.equal(page.sound.state, "none");
    page.sound.offered({system: true, microphone: false});
    assert.equal(page.sound.state, "on");
    assert.deepEqual(page.asked, []);
    page.sound.pictured();
    page.sound.pictured();
    page.sound.offered({system: true, microphone: false});
    assert.deepEqual(page.asked, [[1, false]]);
    page.sound.offered({system: true, microphone: true});
    assert.deepEqual(page.asked, [[1, false], [2, false]]);
});

test("a host without sound is asked for none, and shows no button", () => {
    for (const sources of [{system: false, microphone: false}, {}, {system: 1, microphone: "yes"}]) {
        const page = new Page();
        page.sound.offered(sources);
        page.sound.pictured();
        assert.equal(page.sound.state, "none");
        assert.deepEqual(page.asked, []);
    }
});

test("where the browser lets it, sound is heard at once and nothing is told", async () => {
    const page = new Page();
    await page.begin();
    assert.equal(page.sound.state, "on");
    assert.ok(page.players[0].isPlaying && !page.players[0].muted);
    assert.deepEqual(page.told, []);
});

test("where it does not, nothing is sent until the page is touched", async () => {
    const page = new Page();
    page.isAllowed = false;
    await page.begin();
    assert.equal(page.sound.state, "blocked");
    assert.equal(page.states.at(-1), "blocked");
    assert.deepEqual(page.told, [{type: "audioEnabled", enabled: false}]);
    page.isAllowed = true;
    await page.sound.touched();
    assert.equal(page.sound.state, "on");
    assert.ok(page.players[0].isPlaying);
    assert.deepEqual(page.told.at(-1), {type: "audioEnabled", enabled: true});
    const {plays} = page.players[0];
    await page.sound.touched();
    assert.equal(page.players[0].plays, plays, "it plays already");
});

test("a touch that the browser does not count leaves it blocked, and nothing is sent", async () => {
    const page = new Page();
    page.isAllowed = false;
    await page.begin();
    await page.sound.touched();
    assert.equal(page.sound.state, "blocked");
    assert.equal(page.told.at(-1).enabled, false);
});

test("mute stops the sending, and unmuting begins it again", async () => {
    const page = new Page();
    await page.begin();
    await page.sound.want({isOn: false});
    assert.equal(page.sound.state, "muted");
    assert.ok(page.players[0].muted);
    await page.sound.want({isOn: true});
    assert.ok(!page.players[0].muted);
    assert.deepEqual(page.told, [{type: "audioEnabled", enabled: false}, {type: "audioEnabled", enabled: true}]);
});

test("who muted it last time is not sent any, until it is wanted", async () => {
    const page = new Page({sound: false});
    page.sound.offered({system: true, microphone: false});
    page.sound.pictured();
    assert.equal(page.sound.state, "muted");
    assert.deepEqual(page.asked, []);
    await page.sound.want({isOn: true});
    assert.deepEqual(page.asked, [[1, false]]);
    assert.deepEqual(page.told, []);
});

test("the volume is heard while the slider moves, and told when it rests", async () => {
    const page = new Page({volume: 0.5});
    await page.begin();
    assert.equal(page.players[0].volume, 0.5);
    assert.deepEqual(page.told, [{type: "audioVolume", level: 0.5}]);
    for (const volume of [0.6, 0.7, 0.8]) page.sound.want({volume}, false);
    assert.equal(page.players[0].volume, 0.8);
    assert.equal(page.told.length, 1);
    await page.sound.want({volume: 0.8});
    assert.deepEqual(page.told.at(-1), {type: "audioVolume", level: 0.8});
});

test("in step, or not any more, is asked for anew, and old tracks are let go of", async () => {
    const page = new Page({inStep: true});
    await page.begin();
    assert.deepEqual(page.asked, [[1, true]]);
    await page.sound.want({isInStep: false});
    assert.deepEqual(page.asked, [[1, true], [1, false]]);
    const first = page.players[0];
    // Its transceiver has stopped by the time that the other arrives.
    const page2 = new Page();
    const old = {readyState: "live"};
    page2.sound.offered({system: true, microphone: false});
    page2.sound.pictured();
    await page2.sound.heard(old);
    old.readyState = "ended";
    await page2.sound.heard({readyState: "live"});
    assert.ok(!page2.players[0].isPlaying && page2.players[0].srcObject === null && page2.players[1].isPlaying);
    assert.ok(first.isPlaying);
});

test("a host that gives none after all has none; one that fails to change what is heard goes on", async () => {
    const page = new Page();
    page.sound.offered({system: true, microphone: false});
    page.sound.pictured();
    page.sound.refused();
    assert.equal(page.sound.state, "none");
    const other = new Page();
    await other.begin();
    other.sound.refused();
    assert.equal(other.sound.state, "on");
});

test("with the session all of it goes, and the next begins anew", async () => {
    const page = new Page();
    await page.begin();
    await page.sound.want({isOn: false});
    page.sound.end();
    assert.equal(page.sound.state, "none");
    assert.ok(!page.players[0].isPlaying && page.players[0].srcObject === null);
    await page.sound.want({isOn: true});
    page.told = [];
    await page.begin();
    assert.deepEqual(page.asked, [[1, false], [1, false]]);
    assert.deepEqual(page.told, [], "the next host takes for granted that it is on");
});

test("what was stored is taken only where it can be a wish", () => {
    assert.deepEqual(wishOf({}), {isOn: true, volume: 1, isInStep: false});
    assert.deepEqual(wishOf({sound: false, volume: 0, inStep: true}), {isOn: false, volume: 0, isInStep: true});
    for (const volume of [-1, 1.01, NaN, "1", null]) assert.equal(wishOf({volume}).volume, 1);
    assert.deepEqual(wishOf({sound: 0, inStep: 1}), {isOn: true, volume: 1, isInStep: false});
});

test("Opus is asked for in stereo, wherever it stands, once", () => {
    const sdp = ["m=audio 9 UDP/TLS/RTP/SAVPF 111 63", "a=rtpmap:111 opus/48000/2",
        "a=fmtp:111 minptime=10;useinbandfec=1", "a=rtpmap:63 red/48000/2", "a=fmtp:63 111/111", ""].join("\r\n");
    const changed = withStereo(sdp);
    assert.ok(changed.includes("a=fmtp:111 minptime=10;useinbandfec=1;stereo=1\r\n"));
    assert.equal(withStereo(changed), changed);
    assert.equal(changed.length, sdp.length + ";stereo=1".length);
    assert.equal(withStereo("a=rtpmap:96 VP8/90000\r\n"), "a=rtpmap:96 VP8/90000\r\n");
});

test("an offer for a connection that stands goes without addresses", () => {
    const sdp = "v=0\r\na=candidate:1 1 udp 1 10.0.0.7 5 typ host\r\na=end-of-candidates\r\na=mid:0\r\n";
    assert.equal(withoutCandidates(sdp), "v=0\r\na=mid:0\r\n");
});

test("figures of sound, from two reports", () => {
    const before = {timestamp: 0, jitterBufferDelay: 0, jitterBufferEmittedCount: 0, totalSamplesReceived: 0,
        concealedSamples: 0, silentConcealedSamples: 0};
    const now = {timestamp: 1000, jitterBufferDelay: 1920, jitterBufferEmittedCount: 48000,
        totalSamplesReceived: 48000, concealedSamples: 960, silentConcealedSamples: 480};
    assert.deepEqual(soundFiguresOf(before, now), {soundBuffered: 40, concealed: 1});
    assert.deepEqual(soundFiguresOf(undefined, now), {soundBuffered: null, concealed: null});
    assert.deepEqual(soundFiguresOf(now, now), {soundBuffered: null, concealed: null});
});
