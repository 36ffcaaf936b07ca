// Numbered inputs over a lossy channel: each is executed once, in order, and soon.

import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import test from "node:test";
import {Input} from "../viewer/input/input.js";
import {FIRST_REPEAT, MOST_BEFORE_TURN, MOST_BYTES, MOST_INPUTS, NumberedInputs, PATIENCE} from "../viewer/input/numbered.js";
import {browser} from "./fakes.js";
import {InputHost} from "./inputhost.js";

const key = (n) => ({type: "keyPress", keyCode: n % 10, modifiers: []});
const text = (n) => ({type: "text", characters: String(n)});

/** Numbered inputs on a virtual clock, with the messages they sent. */
function made(t, {isOn = true} = {}) {
    const clock = browser(t), sent = [], shut = new Set();
    const inputs = new NumberedInputs((channel, message) => {
        if (shut.has(channel)) return false;
        sent.push([channel, message]);
        return true;
    });
    if (isOn) inputs.begin();
    const told = () => sent.splice(0).map(([channel, {type, first, list}]) =>
        type === "inputs" ? `${channel} ${first}+${list.length}` : `${channel} ${type}`);
    return {...clock, inputs, sent, told, shut};
}

test("a host that takes no numbers is sent none", (t) => {
    const {inputs, sent, pass, told} = made(t, {isOn: false});
    assert.equal(inputs.send("control", key(1)), true);
    assert.deepEqual(sent, [["control", key(1)]]);
    pass(10_000);
    assert.deepEqual(told(), ["control keyPress"]);
    inputs.begin();
    inputs.send("control", key(2));
    inputs.end();
    told();
    inputs.send("control", key(3));
    pass(10_000);
    assert.deepEqual(told(), ["control keyPress"], "nor is the host of the session after that");
});

test("moves have no number, nor has what only says that this end lives, which goes both ways", (t) => {
    const {inputs, told} = made(t);
    inputs.send("moves", {type: "mouseTo", x: 0, y: 0, n: 1});
    inputs.send("control", {type: "alive"});
    inputs.send("control", key(1));
    assert.deepEqual(told(), ["moves mouseTo", "control alive", "moves alive", "moves 0+1"]);
});

test("an input goes at once, and again until it is acknowledged, ever more seldom", (t) => {
    const {inputs, told, pass, now} = made(t);
    inputs.send("control", key(1));
    assert.deepEqual(told(), ["moves 0+1"]);
    const times = [];
    for (let at = 1; at <= 480; at++) {
        pass(1);
        for (const _ of told()) times.push(at);
    }
    assert.deepEqual(times, [1, 3, 7, 15].map((turns) => turns * FIRST_REPEAT));
    inputs.done({next: 1, at: now()});
    pass(60_000);
    assert.deepEqual(told(), []);
    assert.equal(inputs.count, 0);
});

test("the next one takes along what is not acknowledged, and only that", (t) => {
    const {inputs, sent, told, pass, now} = made(t);
    inputs.send("control", key(1));
    pass(5);
    inputs.send("control", key(2));
    assert.deepEqual(sent.at(-1)[1].list, [key(1), key(2)]);
    assert.deepEqual(told(), ["moves 0+1", "moves 0+2"]);
    inputs.done({next: 1, at: now() - 3});
    inputs.send("control", key(3));
    assert.deepEqual(told(), ["moves 1+2"]);
    inputs.done({next: 3, at: now()});
    inputs.send("control", key(4));
    assert.deepEqual(told(), ["moves 3+1"]);
});

test("on a short way it is sent again sooner", (t) => {
    const {inputs, told, pass, now} = made(t);
    for (let n = 0; n < 20; n++) {
        inputs.send("control", key(n));
        inputs.done({next: n + 1, at: now() - 1});
    }
    told();
    inputs.send("control", key(20));
    pass(9);
    assert.deepEqual(told(), ["moves 20+1"]);
    pass(1);
    assert.deepEqual(told(), ["moves 20+1"]);
});

test("a message has so many bytes and inputs at most; the others wait for room, and the wheel's become one", (t) => {
    const {inputs, sent, told, now} = made(t);
    const long = {type: "text", characters: "é".repeat(200)};
    for (let n = 0; n < 4; n++) inputs.send("control", long);
    assert.deepEqual(told(), ["moves 0+1", "moves 0+2"]);
    for (const [, {list}] of sent) assert.ok(JSON.stringify(list).length < MOST_BYTES);
    inputs.done({next: 1, at: now()});
    assert.deepEqual(told(), ["moves 1+2"]);
    for (let n = 0; n < 9; n++) inputs.send("control", {type: "scroll", dx: 1, dy: -120});
    assert.equal(inputs.count, 4);
    inputs.done({next: 3, at: now()});
    assert.deepEqual(sent.splice(0).at(-1)[1].list, [long, {type: "scroll", dx: 9, dy: -1080}]);
    // An input that was already sent stays unchanged.
    inputs.send("control", {type: "scroll", dx: 0, dy: 1});
    assert.equal(inputs.count, 3);
    inputs.done({next: 6, at: now()});
    sent.length = 0;
    for (let n = 0; n < 50; n++) inputs.send("control", {type: "x"});
    assert.equal(Math.max(...sent.map(([, {list}]) => list.length)), MOST_INPUTS);
});

test("a wheel that turns fast over a long way makes no message of each turn, and none is lost", (t) => {
    const {inputs, sent, pass} = made(t);
    const host = new InputHost(), answers = [];
    let messages = 0, longest = 0, wait = 0;
    for (let n = 0; n < 500; n++) {
        inputs.send("control", {type: "scroll", dx: 0, dy: 120});
        for (let ms = 0; ms < 4; ms++) {
            for (const [, message] of sent.splice(0)) {
                messages += 1;
                longest = Math.max(longest, message.list.length);
                answers.push([wait + 200, host.take(message)]);
            }
            while (answers[0]?.[0] <= wait) inputs.done(answers.shift()[1]);
            pass(1);
            wait += 1;
        }
    }
    pass(20);
    for (const [, message] of sent) host.take(message);
    assert.equal(host.done.reduce((sum, {dy}) => sum + dy, 0), 500 * 120);
    assert.ok(messages < 250, `${messages} messages`);
    assert.ok(longest > MOST_BEFORE_TURN, "all that is on its way is repeated");
});

test("a turn of the wheel does not become larger than a message takes", (t) => {
    const {inputs, sent, now} = made(t);
    inputs.send("control", {type: "text", characters: "x".repeat(950)});
    for (let n = 0; n < 3; n++) inputs.send("control", {type: "scroll", dx: 0, dy: 32_000});
    inputs.done({next: 1, at: now()});
    assert.deepEqual(sent.at(-1)[1].list.map(({dy}) => dy), [32_000, 32_000, 32_000]);
});

test("after so long the reliable channel has them too, each once, until the host has caught up", (t) => {
    const {inputs, told, pass, now} = made(t);
    inputs.send("control", key(1));
    inputs.send("control", key(2));
    pass(PATIENCE - 1);
    assert.ok(told().every((each) => each.startsWith("moves")));
    pass(250);
    assert.deepEqual(told().filter((each) => each.startsWith("control")), ["control 0+2"]);
    inputs.send("control", key(3));
    assert.deepEqual(told(), ["moves 0+3", "control 2+1"]);
    pass(10_000);
    assert.ok(told().every((each) => each === "moves 0+3"));
    inputs.done({next: 3, at: now()});
    inputs.send("control", key(4));
    assert.deepEqual(told(), ["moves 3+1"]);
});

test("where the channel that loses takes nothing, the other does at once", (t) => {
    const {inputs, told, shut} = made(t);
    shut.add("moves");
    assert.equal(inputs.send("control", key(1)), true);
    assert.deepEqual(told(), ["control 0+1"]);
    shut.add("control");
    assert.equal(inputs.send("control", key(2)), false, "there is no session");
    shut.clear();
    inputs.send("control", key(3));
    assert.deepEqual(told(), ["moves 0+2", "control 1+1"]);
});

test("what is too long for a message goes by the reliable channel, and so does what comes behind it", (t) => {
    const {inputs, told, now} = made(t);
    inputs.send("control", key(1));
    inputs.send("control", {type: "text", characters: "x".repeat(4000)});
    inputs.send("control", key(2));
    assert.deepEqual(told(), ["moves 0+1", "control 0+1", "control 1+1", "control 2+1"]);
    inputs.done({next: 3, at: now()});
    inputs.send("control", key(3));
    assert.deepEqual(told(), ["moves 3+1"]);
});

test("that nothing is down any more goes both ways at once: a page that is left has slow timers", (t) => {
    const {inputs, told} = made(t);
    inputs.send("control", {type: "keyDown", keyCode: 1, modifiers: []});
    inputs.send("control", {type: "releaseAll"});
    assert.deepEqual(told(), ["moves 0+1", "moves 0+2", "control 0+2"]);
});

test("what is kept is bounded", (t) => {
    const {inputs, told, pass, sent} = made(t);
    const host = new InputHost();
    for (let n = 0; n < 5000; n++) {
        inputs.send("control", text(n));
        if (n % 10 === 0) pass(1);
        assert.ok(inputs.count <= 256);
    }
    for (const [channel, message] of sent) if (channel === "control") host.take(message);
    assert.deepEqual(host.done.map(({characters}) => Number(characters)), Array.from({length: host.next}, (_, n) => n));
    assert.equal(host.next, 5000);
    told();
});

test("acknowledgements of what was never sent, old ones and junk change nothing", (t) => {
    const {inputs, told, now} = made(t);
    inputs.send("control", key(1));
    inputs.send("control", key(2));
    for (const next of [3, -1, 0, NaN, "1", null, undefined, 0.5, 1e300]) inputs.done({next, at: now()});
    assert.equal(inputs.count, 2);
    inputs.done({next: 2, at: "x"});
    inputs.done({next: 1, at: now()});
    inputs.send("control", key(3));
    assert.equal(told().at(-1), "moves 2+1");
});

test("a new session begins with number 0, and is sent nothing of the one before", (t) => {
    const {inputs, told, pass} = made(t);
    inputs.send("control", key(1));
    inputs.end();
    told();
    pass(1000);
    assert.deepEqual(told(), []);
    inputs.begin();
    inputs.send("control", key(2));
    assert.deepEqual(told(), ["moves 0+1"]);
});

test("a click where the pointer is has the last move before it, under numbers as well", (t) => {
    const {inputs, sent} = made(t);
    const input = new Input((channel, message) => inputs.send(channel, message), () => {});
    input.state = "yours";
    input.moveTo(0.5, 0.5);
    sent.length = 0;
    input.act({type: "click", button: "left", count: 1});
    assert.deepEqual(sent.at(-1)[1].list.map(({type, n}) => [type, n]), [["mouseTo", 1], ["click", undefined]]);
    assert.equal(input.isHolding, false);
    input.press("mouseDown", "left", {x: 0, y: 0});
    assert.equal(input.isHolding, true);
});

const {cases} = JSON.parse(readFileSync(new URL("../../Testing/Vectors/inputs.json", import.meta.url), "utf8"));

for (const {name, steps} of cases) {
    test(`the model of a host: ${name}`, () => {
        const host = new InputHost();
        for (const {first, count, unreadable = [], done, next} of steps) {
            const list = Array.from({length: count}, (_, index) =>
                unreadable.includes(first + index) ? null : text(first + index));
            host.done = [];
            assert.deepEqual(host.take({first, list, at: 7}), {type: "inputsDone", next, at: 7});
            assert.deepEqual(host.done.map(({characters}) => Number(characters)), done);
        }
    });
}

/** A seeded generator of numbers from 0 to 1 (mulberry32). */
function seeded(seed) {
    return () => {
        seed = seed + 0x6D2B79F5 | 0;
        let mixed = Math.imul(seed ^ seed >>> 15, seed | 1);
        mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
        return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
    };
}

/**
 * Sends presses over a path that loses a share `loss` of the messages in each direction and delays each by half the round trip
 * and up to `jitter`.
 * @returns {number[]} milliseconds from each press to when it was done, sorted
 */
function pressed(t, {loss, trip, jitter = 0, presses = 4000, seed, pause, sends = () => 1, reliable = null}) {
    const random = seeded(seed), host = new InputHost(), begun = [], delays = [];
    let messages = 0;
    const {pass, now} = browser(t);
    const way = (arrive) => {
        for (let copies = sends(random); copies > 0; copies--) {
            if (random() >= loss) setTimeout(arrive, trip / 2 + Math.floor(random() * (jitter + 1)));
        }
    };
    const link = new NumberedInputs((channel, message) => {
        const arrive = () => {
            const before = host.done.length, answer = host.take(message);
            for (let n = before; n < host.done.length; n++) delays.push(now() - begun[n]);
            way(() => link.done(answer));
        };
        messages += 1;
        if (channel === "moves") way(arrive);
        else {
            assert.notEqual(reliable, null, "nothing has to wait for the reliable channel");
            setTimeout(arrive, reliable);
        }
        return true;
    });
    link.begin();
    for (let n = 0; n < presses; n++) {
        begun.push(now());
        assert.equal(link.send("control", text(n)), true);
        pass(1 + Math.floor(random() * pause));
    }
    pass(5000);
    assert.equal(link.count, 0);
    assert.deepEqual(host.done.map(({characters}) => Number(characters)), Array.from({length: presses}, (_, n) => n));
    assert.ok(messages < 8 * presses, `${messages} messages for ${presses} presses`);
    return delays.sort((a, b) => a - b);
}

for (const [loss, trip, jitter, pause] of [
    [0.01, 50, 0, 60], [0.05, 50, 0, 60], [0.05, 50, 10, 60], [0.05, 50, 0, 250], [0.01, 4, 0, 60], [0.05, 4, 2, 60],
    [0.05, 200, 20, 60],
]) {
    test(`${loss * 100} % of loss, ${trip} ms there and back: p99 is the round trip and 30 ms at most`, (t) => {
        const delays = pressed(t, {loss, trip, jitter, pause, seed: loss * 1000 + trip + jitter + pause});
        const p99 = delays[Math.ceil(delays.length * 0.99) - 1];
        assert.ok(p99 <= trip + 30, `p99 is ${p99} ms`);
        // Without a repetition this would fail: a lost press waits for at least one.
        assert.ok(delays.at(-1) > trip / 2 + jitter, "nothing was lost");
        t.diagnostic(`p50 ${delays[delays.length >> 1]}, p99 ${p99}, longest ${delays.at(-1)} ms`);
    });
}

test("whatever is lost, doubled or overtaken: each once and in order", (t) => {
    const delays = pressed(t, {
        loss: 0.3, trip: 40, jitter: 60, pause: 40, presses: 2000, seed: 9, reliable: 700,
        sends: (random) => random() < 0.1 ? 2 : 1,
    });
    assert.equal(delays.length, 2000);
});
