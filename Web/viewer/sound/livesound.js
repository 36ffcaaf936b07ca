// Plays a sound track with less delay than browsers do by themselves: its packets are decoded when they arrive, and played from
// the page's own buffer. Until that buffer runs, if the browser lacks a required API, and if the path is too bad, the browser's
// own player is used.

import {timeHeard} from "./soundtimes.js";

/** The minimum number of frames at 48 kHz that the loudspeakers take at once; browsers report less than they use. */
const BURST = 640;
/** The maximum time in milliseconds to wait for the decoder before sound is requested. */
const LOADING_LIMIT = 1000;
/** The number of concealed frames, a fiftieth of a second, or of stalls, from which on a second counts as bad. */
const MOST_MADE_UP = 960, MOST_STALLS = 3;
/** The number of bad seconds among the remembered ones after which the browser takes over. */
const BAD_SECONDS = 5, REMEMBERED = 20;
/** The time in milliseconds after which live playback is tried again, doubled each time. */
const REST = 60_000;

/**
 * Returns true if the browser supports everything that is needed, and permits it to this page's origin.
 * @param {any} scope the object with the browser's types
 */
export function canPlayLive(scope = globalThis) {
    const {RTCRtpScriptTransform, AudioDecoder, AudioContext, AudioWorkletNode, Worker} = scope;
    return [RTCRtpScriptTransform, AudioDecoder, AudioContext, AudioWorkletNode, Worker]
        .every((piece) => typeof piece === "function");
}

/** A worker that decodes sound. It is made before the track, because a worker that fails to load would block all packets. */
export class SoundDecoder {
    #scope;
    /** @type {Worker | undefined} */
    #worker;
    #isReady = false;
    #isThere = false;
    /**
     * Resolves when it is known whether the worker can be used.
     * @type {Promise<boolean>}
     */
    ready;

    /** @param {any} scope the object with the browser's types */
    constructor(scope = globalThis) {
        this.#scope = scope;
        this.ready = new Promise((tell) => {
            /** @param {boolean} isReady */
            const settle = (isReady) => {
                this.#isReady = isReady;
                tell(isReady);
            };
            try {
                const worker = this.#worker = new scope.Worker("sound/sounddecoder.js", {type: "module"});
                worker.onmessage = (/** @type {MessageEvent} */ {data}) => {
                    if (data.isThere) this.#isThere = true;
                    else settle(data.isReady === true);
                };
                worker.onerror = () => settle(false);
                setTimeout(() => tell(this.#isReady), LOADING_LIMIT);
            } catch {
                settle(false);
            }
        });
    }

    get isReady() { return this.#isReady; }
    /** True once a packet has arrived. */
    get isThere() { return this.#isThere; }

    /** The worker, if it is ready. */
    get worker() { return this.#worker; }

    /**
     * Passes a receiver's packets through the worker from now on. Browsers support this only when the receiver is made, so the
     * worker passes all packets on until live playback starts.
     * @param {RTCRtpReceiver} receiver
     */
    stand(receiver) { receiver.transform = new this.#scope.RTCRtpScriptTransform(this.#worker, {}); }
}

/**
 * What a player needs whose sound the picture is kept in step with.
 * @typedef {object} Step
 * @property {() => boolean} isTimed returns true if the sound's times are known
 * @property {() => boolean} isDrawn returns true if the page draws the picture itself
 * @property {(position: number | null, time: number) => void} heard called with the position on the sound's RTP clock that is
 *   heard at a time in milliseconds; `null` if no sound is heard
 * @property {() => void} changed called when `isBrowsers` may have changed
 */

/** Implements the part of `HTMLAudioElement` that Sound uses. */
export class LiveSound {
    #element;
    #receiver;
    #scope;
    /** "waiting" for permission to play and for a packet, "starting", "live", or "over", when the element plays. */
    #state = "waiting";
    /** @type {any} */
    #context;
    /** @type {any} */
    #gain;
    /** @type {any} */
    #node;
    /** @type {any} */
    #worker;
    #volume = 1;
    #isMuted = false;
    // True once a packet has arrived.
    #isThere = false;
    /** @type {ReturnType<import("./playout.js").Playout["report"]> | null} */
    #report = null;
    /** @type {boolean[]} */
    #seconds = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #pause = REST;
    #step;
    #isEnded = false;

    /**
     * @param {HTMLAudioElement} element the element that plays the track
     * @param {RTCRtpReceiver} receiver the receiver of the new track
     * @param {SoundDecoder} decoder the decoder in the receiver's path
     * @param {any} scope the object with the browser's types
     * @param {Step | null} step set if the picture is to be kept in step with this sound
     */
    constructor(element, receiver, decoder, scope = globalThis, step = null) {
        this.#step = step;
        this.#element = element;
        this.#receiver = receiver;
        this.#scope = scope;
        this.#isThere = decoder.isThere;
        const worker = this.#worker = /** @type {Worker} */ (decoder.worker);
        worker.onmessage = (/** @type {MessageEvent} */ {data}) => {
            if (!data.isThere) return this.#fallBack();
            this.#isThere = true;
            if (!element.paused) this.#startWhenDue();
            step?.changed();
        };
        worker.onerror = () => this.#fallBack();
    }

    get isLive() { return this.#state === "live"; }

    /** True if the browser plays the sound, and only the browser can keep the picture in step with it. */
    get isBrowsers() {
        if (this.#isEnded || this.#isMuted) return false;
        return this.#state === "over" || this.#state === "waiting" && this.#isThere && !this.#step?.isTimed();
    }

    /** Handles that the sound's times are known, or that the page has begun or ceased to draw the picture. */
    follow() {
        if (!this.#element.paused) this.#startWhenDue();
        const isBegun = this.#state === "live" || this.#state === "starting";
        if (isBegun && this.#step && !this.#step.isDrawn()) this.#fallBack();
    }

    /**
     * The figures of the last second, in the format of `soundFiguresOf`; `null` if the browser plays and has its own figures.
     */
    get figures() {
        if (!this.isLive || !this.#report) return null;
        const {played, madeUp, level, pulls} = this.#report;
        return {
            soundBuffered: pulls ? level / pulls / 48 : null,
            concealed: played ? Math.min(1, madeUp / played) * 100 : null,
        };
    }

    get volume() { return this.#volume; }
    set volume(volume) {
        this.#volume = this.#element.volume = volume;
        this.#apply();
    }

    get muted() { return this.#isMuted; }
    set muted(isMuted) {
        this.#isMuted = this.#element.muted = isMuted;
        this.#apply();
    }

    get srcObject() { return this.#element.srcObject; }
    set srcObject(source) { this.#element.srcObject = source; }

    get paused() { return this.isLive ? this.#context.state !== "running" : this.#element.paused; }

    async play() {
        if (this.isLive) return void await this.#resumed();
        await this.#element.play();
        this.#startWhenDue();
    }

    /**
     * Starts once a packet has arrived, and unless muted: browsers let muted elements play without permission. In step with the
     * picture, it also has to be possible to draw the picture when its sound is heard.
     */
    #startWhenDue() {
        const step = this.#step, isPossible = !step || step.isTimed() && step.isDrawn();
        if (this.#state === "waiting" && this.#isThere && !this.#isMuted && isPossible) this.#start();
    }

    pause() {
        this.#end();
        this.#element.pause();
    }

    #apply() {
        if (this.#gain) this.#gain.gain.value = this.#isMuted ? 0 : this.#volume;
        // Suspend the output, because it is muted.
        if (this.isLive && this.#isMuted) {
            this.#context.suspend().catch(() => {});
            this.#step?.heard(null, 0);
        }
    }

    async #resumed() {
        try {
            await this.#context.resume();
        } catch {
            this.#fallBack();
        }
    }

    async #start() {
        this.#state = "starting";
        this.#seconds = [];
        this.#report = null;
        try {
            const {AudioContext, AudioWorkletNode} = this.#scope, worker = this.#worker;
            const context = this.#context = new AudioContext({latencyHint: 0, sampleRate: 48000});
            await context.audioWorklet.addModule("sound/soundworklet.js");
            const types = this.#payloadTypes();
            if (!types.opus.length || this.#state !== "starting") throw new Error("not any more");
            const burst = Math.max(BURST, Math.ceil(context.baseLatency * 48000) || 0);
            const node = this.#node = new AudioWorkletNode(context, "sound", {
                numberOfInputs: 0, outputChannelCount: [2], processorOptions: {burst},
            });
            node.onprocessorerror = () => this.#fallBack();
            node.port.onmessage = (/** @type {MessageEvent} */ {data}) => {
                if ("heard" in data) this.#heard(data);
                else this.#reported(data);
            };
            this.#gain = context.createGain();
            node.connect(this.#gain).connect(context.destination);
            this.#apply();
            const {port1, port2} = new this.#scope.MessageChannel();
            if (this.#step) node.port.postMessage({isTimed: true});
            worker.postMessage({packets: port1}, [port1]);
            node.port.postMessage({packets: port2}, [port2]);
            await context.resume();
            if (this.#state !== "starting") return;
            worker.postMessage({live: types});
            this.#state = "live";
            // Another program has taken the audio device.
            context.onstatechange = () => {
                if (this.isLive && !this.#isMuted && context.state !== "running") this.#fallBack();
            };
            this.#apply();
            this.#element.pause();
        } catch {
            this.#fallBack();
        }
    }

    #payloadTypes() {
        const {codecs} = this.#receiver.getParameters();
        /** @param {string} name */
        const types = (name) => codecs.filter(({mimeType}) => mimeType.toLowerCase() === `audio/${name}`)
            .map(({payloadType}) => payloadType);
        return {opus: types("opus"), red: types("red")};
    }

    /**
     * Handles which position of the sound is output at a time of the context, in seconds.
     * @param {{heard: number | null, time: number}} report
     */
    #heard({heard, time}) {
        if (!this.isLive || this.#isMuted) return;
        this.#step?.heard(heard, timeHeard(time, this.#context, performance.now()));
    }

    /**
     * Handles the report of a second.
     * @param {ReturnType<import("./playout.js").Playout["report"]>} report
     */
    #reported(report) {
        if (!this.isLive) return;
        this.#report = report;
        this.#seconds.push(report.madeUp > MOST_MADE_UP || report.stalls >= MOST_STALLS);
        if (this.#seconds.length > REMEMBERED) this.#seconds.shift();
        if (this.#seconds.filter(Boolean).length >= BAD_SECONDS) this.#rest();
    }

    /** Lets the browser play for a while. */
    #rest() {
        this.#fallBack();
        this.#timer = setTimeout(() => {
            this.#state = "waiting";
            this.#step?.changed();
            if (!this.#element.paused) this.#startWhenDue();
        }, this.#pause);
        this.#pause *= 2;
    }

    /** Lets the browser play from now on. */
    #fallBack() {
        clearTimeout(this.#timer);
        if (this.#state === "over") return;
        const wasLive = this.isLive;
        this.#state = "over";
        // The worker has to stay and pass packets on, because ending it would end the track.
        this.#worker.postMessage({live: false});
        if (wasLive && !this.#isMuted) this.#element.play().catch(() => {});
        this.#close();
        this.#step?.heard(null, 0);
        this.#step?.changed();
    }

    #end() {
        clearTimeout(this.#timer);
        this.#state = "over";
        this.#isEnded = true;
        this.#worker.terminate();
        this.#close();
        this.#step?.heard(null, 0);
        this.#step?.changed();
    }

    #close() {
        this.#node?.port.postMessage({});
        if (this.#context?.state !== "closed") this.#context?.close().catch(() => {});
    }
}
