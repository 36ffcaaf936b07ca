// The buffer between sound packets and the loudspeakers, on virtual time.

import assert from "node:assert/strict";
import test from "node:test";
import {Playout} from "../viewer/sound/playout.js";

const PACKET = 240, QUANTUM = 128, BURST = 512;

/** A seeded generator of pseudo-random numbers. */
function generator(seed) {
    let state = seed >>> 0;
    return () => {
        state = Math.imul(state, 1664525) + 1013904223 >>> 0;
        return state / 2 ** 32;
    };
}

/** A host that plays a tone, a path, and loudspeakers that request `BURST` frames at a time. */
class World {
    out = [];
    reports = {played: 0, madeUp: 0, level: 0, pulls: 0, dropped: 0, slipped: 0, stalls: 0};
    #pending = [];

    /**
     * @param {object} way
     * @param {(index: number) => number | null} way.delay the delay of a packet in frames; `null` if it is lost
     * @param {(index: number) => boolean} way.isSilent whether the host has nothing to send
     * @param {number} way.drift the relative excess of the host's clock rate
     */
    constructor({delay = () => 0, isSilent = () => false, drift = 0, first = 1000, hz = 500, packet = PACKET} = {}) {
        Object.assign(this, {delay, isSilent, drift, first, hz, packet});
        this.playout = new Playout(BURST);
        this.now = 0;
        this.index = 0;
    }

    sample(place) { return 0.5 * Math.sin(2 * Math.PI * this.hz * place / 48000); }

    run(seconds) {
        const end = this.now + seconds * 48000;
        for (; this.now < end; this.now += BURST) {
            // All packets that were complete before now.
            while ((this.index + 1) * this.packet / (1 + this.drift) <= this.now) {
                const delay = this.isSilent(this.index) ? null : this.delay(this.index);
                if (delay !== null) {
                    this.#pending.push([(this.index + 1) * this.packet / (1 + this.drift) + delay, this.index]);
                }
                this.index++;
            }
            this.#pending.sort(([a, i], [b, j]) => a - b || i - j);
            while (this.#pending[0]?.[0] <= this.now) {
                const [, index] = this.#pending.shift();
                const samples = Float32Array.from({length: this.packet}, (_, i) => this.sample(index * this.packet + i));
                this.playout.push(this.first + index * this.packet >>> 0, [samples, samples.map((value) => -value)]);
            }
            for (let i = 0; i < BURST; i += QUANTUM) {
                const channels = [new Float32Array(QUANTUM), new Float32Array(QUANTUM)];
                this.playout.pull(channels);
                for (let j = 0; j < QUANTUM; j++) assert.ok(Math.abs(channels[0][j] + channels[1][j]) < 1e-6);
                this.out.push(...channels[0]);
            }
            // The frames from a sample's capture to its output.
            if (this.playout.isPlaying) {
                this.delayOfSound = this.now + BURST - (this.playout.at - this.first) / (1 + this.drift);
            }
        }
        const report = this.playout.report();
        for (const name of Object.keys(report)) this.reports[name] += report[name];
        return report;
    }


    /** The largest step between two adjacent samples. */
    static step(samples) {
        let most = 0;
        for (let i = 1; i < samples.length; i++) most = Math.max(most, Math.abs(samples[i] - samples[i - 1]));
        return most;
    }
}

// The tone's own largest step, and half as much again.
const STEP = 0.5 * 2 * Math.PI * 500 / 48000 * 1.5;

test("on an even path nothing is made up, and no more waits than a burst and a packet", () => {
    const world = new World();
    world.run(3);
    const {madeUp, stalls, dropped, played, level, pulls} = world.run(10);
    assert.deepEqual({madeUp, stalls, dropped}, {madeUp: 0, stalls: 0, dropped: 0});
    assert.ok(Math.abs(played - 480_000) <= BURST);
    assert.ok(level / pulls < BURST + PACKET, `${level / pulls}`);
    assert.ok(world.delayOfSound < BURST + PACKET + 200, `${world.delayOfSound}`);
    assert.ok(World.step(world.out) < STEP, "no click, from the beginning");
});

test("what is played is what came, sample for sample, once it is settled", () => {
    const world = new World();
    world.run(20);
    world.out = [];
    const from = world.playout.at - world.first;
    assert.equal(world.run(2).slipped, 0);
    world.out.forEach((value, i) => assert.ok(Math.abs(value - world.sample(from + i)) < 1e-6));
});

test("a clock that is faster or slower is followed without a gap, and the delay stays", () => {
    for (const drift of [200e-6, -200e-6]) {
        const world = new World({drift, first: 0xffff_f000});
        world.run(5);
        const before = world.delayOfSound;
        const {madeUp, stalls, dropped} = world.run(120);
        assert.deepEqual({madeUp, stalls, dropped}, {madeUp: 0, stalls: 0, dropped: 0}, `${drift}`);
        assert.ok(Math.abs(world.delayOfSound - before) < 480, `${drift}: ${before} to ${world.delayOfSound}`);
        assert.ok(World.step(world.out) < STEP);
    }
});

test("a lost packet is made up for, without a click and without more delay", () => {
    const world = new World({delay: (index) => (index % 200 === 150 ? null : 0)});
    world.run(3);
    const before = world.delayOfSound;
    const {madeUp, stalls} = world.run(10);
    assert.equal(stalls, 0);
    assert.ok(madeUp >= 9 * PACKET && madeUp <= 12 * PACKET, `${madeUp}`);
    assert.ok(Math.abs(world.delayOfSound - before) < 240);
    assert.ok(World.step(world.out) < STEP * 2, `${World.step(world.out)}`);
});

test("one packet in twenty that is lost, at any moment, is all that is missing", () => {
    const random = generator(11);
    let lost = 0;
    const world = new World({delay: (index) => (index > 800 && random() < 0.05 ? (lost++, null) : 0)});
    world.run(4);
    const before = world.delayOfSound;
    world.run(60);
    assert.equal(world.reports.stalls, 0);
    assert.ok(world.reports.madeUp <= (lost + 2) * PACKET, `${world.reports.madeUp} for ${lost}`);
    assert.ok(world.delayOfSound < before + 240, `${before} to ${world.delayOfSound}`);
    assert.ok(World.step(world.out) < STEP * 2.5, `${World.step(world.out)}`);
});

test("jitter makes the buffer grow until nothing is missing, and calm lets it shrink", () => {
    const random = generator(7);
    const world = new World({delay: (index) => (index < 8000 ? Math.floor(random() * 960) : 0)});
    world.run(15);
    const jittery = world.run(20);
    assert.ok(jittery.madeUp < jittery.played * 0.005, `${jittery.madeUp} of ${jittery.played}`);
    const late = world.delayOfSound;
    assert.ok(late < 960 + BURST + PACKET + 960, `${late}`);
    world.run(30);
    assert.ok(world.delayOfSound < late - 480, `${late} to ${world.delayOfSound}`);
    assert.ok(World.step(world.out) < STEP * 2);
});

test("a path that stands still costs what it took, and then the delay goes back", () => {
    // For 150 ms no packet arrives, then all of them at once.
    const world = new World({delay: (index) => Math.max(0, 48000 * 4 + 7200 - (index + 1) * PACKET)
        * (index * PACKET > 48000 * 4 ? 1 : 0)});
    world.run(3);
    const before = world.delayOfSound;
    const {stalls, madeUp} = world.run(2);
    assert.equal(stalls, 1);
    assert.ok(madeUp > 4800 && madeUp < 9600, `${madeUp}`);
    world.run(15);
    assert.ok(world.delayOfSound < before + 4000, `${before} to ${world.delayOfSound}`);
    world.run(180);
    assert.ok(world.delayOfSound < before + 480, `${before} to ${world.delayOfSound}`);
    assert.ok(World.step(world.out) < STEP * 2, `${World.step(world.out)}`);
});

test("never does more wait than a quarter of a second", () => {
    const world = new World({delay: (index) => (index > 800 && index < 1000 ? (1000 - index) * PACKET : 0)});
    world.run(10);
    assert.ok(world.playout.level <= 12_000);
    assert.ok(world.reports.dropped > 0);
    world.run(180);
    assert.ok(world.delayOfSound < 2400, `${world.delayOfSound}`);
});

test("a pause of the host's is not made up, and takes the delay with it to the other side", () => {
    const world = new World({isSilent: (index) => index > 1000 && index < 1800});
    world.run(4);
    const before = world.delayOfSound;
    world.run(8);
    assert.equal(world.reports.stalls, 0);
    assert.ok(world.reports.madeUp < PACKET, `${world.reports.madeUp}`);
    assert.ok(Math.abs(world.delayOfSound - before) < 480, `${before} to ${world.delayOfSound}`);
});

test("sound that comes and goes has the same delay each time, and none of it is made up", () => {
    const world = new World({isSilent: (index) => index % 150 > 12});
    world.run(5);
    const before = world.delayOfSound;
    world.run(60);
    assert.deepEqual([world.reports.stalls, world.reports.madeUp, world.reports.dropped], [0, 0, 0]);
    assert.ok(Math.abs(world.delayOfSound - before) < 240, `${before} to ${world.delayOfSound}`);
    assert.ok(world.delayOfSound < BURST + PACKET + 144, `${world.delayOfSound}`);
});

test("a path that stands still again and again makes little missing", () => {
    // 150 ms in every four seconds.
    const world = new World({delay: (index) => Math.max(0, 7200 - index * PACKET % 192_000)});
    world.run(20);
    const {stalls, madeUp, played} = world.run(40);
    assert.ok(stalls <= 5 && madeUp < played * 0.01, `${stalls}, ${madeUp} of ${played}`);
});

test("packets in another order, twice, or far too late do no harm", () => {
    const random = generator(3);
    const world = new World({delay: () => (random() < 0.1 ? 600 : 0)});
    world.run(5);
    const old = new Float32Array(PACKET).fill(1);
    world.playout.push(world.first, [old, old]);
    world.run(5);
    assert.ok(world.reports.dropped >= PACKET);
    assert.ok(world.out.every((value) => Math.abs(value) < 0.51));
});

test("on every path that is mad enough, samples stay samples and the buffer within bounds", () => {
    for (let seed = 1; seed < 20; seed++) {
        const random = generator(seed);
        const world = new World({
            delay: () => (random() < 0.1 ? null : random() < 0.02 ? random() * 40_000 : random() * 3000 * (seed % 3)),
            isSilent: (index) => index % (100 + seed * 7) > 60 + seed, drift: (random() - 0.5) * 0.002,
            first: random() * 2 ** 32 >>> 0,
        });
        world.run(15);
        assert.ok(world.out.every((value) => Math.abs(value) < 0.7), `seed ${seed}`);
        assert.ok(world.playout.level <= 12_000);
        const {played, madeUp} = world.reports;
        assert.ok(madeUp >= 0 && played > 0 && madeUp <= world.out.length, `seed ${seed}: ${madeUp} of ${played}`);
    }
});

test("another clock begins anew", () => {
    const playout = new Playout(BURST), silence = new Float32Array(PACKET);
    for (const base of [5, 0x8000_0000, 0xffff_ff00, 77]) {
        for (let i = 0; i < 40; i++) {
            playout.push(base + i * PACKET >>> 0, [silence, silence]);
            if (i > 4) playout.pull([new Float32Array(PACKET), new Float32Array(PACKET)]);
            assert.ok(playout.level <= 12_000 && playout.level >= 0, `${base}: ${playout.level}`);
        }
    }
});
