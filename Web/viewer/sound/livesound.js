// Plays a track of sound with less delay than browsers do by themselves: its packets are decoded as they come and played
// from a buffer of this page's own. Until that stands, where a piece of it is missing, and where the path is too bad for
// it, the browser's own way plays.

/** Frames of 48 kHz that loudspeakers take at once, at least: what browsers say of it is less than what they do. */
const BURST = 640;
/** Milliseconds that sound is not asked for, so that its decoder can come. */
const LOADING_LIMIT = 1000;
/** A second is bad with more frames made up, a fiftieth of it, or with as many stalls. */
const MOST_MADE_UP = 960, MOST_STALLS = 3;
/** Bad seconds among the last ones that are enough. */
const BAD_SECONDS = 5, REMEMBERED = 20;
/** Milliseconds after which it is tried again on such a path, at first; each time twice as many. */
const REST = 60_000;

/**
 * Whether a browser, or this page's origin, has all that is needed.
 * @param {any} scope where the browser's types are
 */
export function canPlayLive(scope = globalThis) {
    const {RTCRtpScriptTransform, AudioDecoder, AudioContext, AudioWorkletNode, Worker} = scope;
    return [RTCRtpScriptTransform, AudioDecoder, AudioContext, AudioWorkletNode, Worker]
        .every((piece) => typeof piece === "function");
}

/**
 * A worker that will decode, made before the track is there: one that does not come would let nothing through.
 */
export class SoundDecoder {
    #scope;
    /** @type {Worker | undefined} */
    #worker;
    #isReady = false;
    #isThere = false;
    /**
     * Resolves when it is known whether it is of use.
     * @type {Promise<boolean>}
     */
    ready;

    /** @param {any} scope where the browser's types are */
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
    /** Whether a packet has come. */
    get isThere() { return this.#isThere; }

    /** The worker, where it is ready. */
    get worker() { return this.#worker; }

    /**
     * Packets of a receiver go through it from now on. Browsers give them away only to what stands there when the
     * receiver is made: until they are wanted, all pass.
     * @param {RTCRtpReceiver} receiver
     */
    stand(receiver) { receiver.transform = new this.#scope.RTCRtpScriptTransform(this.#worker, {}); }
}

/** As much of an `HTMLAudioElement` as Sound needs. */
export class LiveSound {
    #element;
    #receiver;
    #scope;
    /** "waiting" for leave to play and for a packet, "starting", "live", or "over": from then on the element plays. */
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
    // Whether a packet has come.
    #isThere = false;
    /** @type {ReturnType<import("./playout.js").Playout["report"]> | null} */
    #report = null;
    /** @type {boolean[]} */
    #seconds = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #pause = REST;

    /**
     * @param {HTMLAudioElement} element that plays the track
     * @param {RTCRtpReceiver} receiver of the track, which has just come
     * @param {SoundDecoder} decoder that stands there
     * @param {any} scope where the browser's types are
     */
    constructor(element, receiver, decoder, scope = globalThis) {
        this.#element = element;
        this.#receiver = receiver;
        this.#scope = scope;
        this.#isThere = decoder.isThere;
        const worker = this.#worker = /** @type {Worker} */ (decoder.worker);
        worker.onmessage = (/** @type {MessageEvent} */ {data}) => {
            if (!data.isThere) return this.#fallBack();
            this.#isThere = true;
            if (!element.paused) this.#startWhenDue();
        };
        worker.onerror = () => this.#fallBack();
    }

    get isLive() { return this.#state === "live"; }

    /** Of the last second, as `soundFiguresOf` has them; `null` where the browser plays and counts itself. */
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

    /** Not before there is something to play; and what is muted may play where nothing else may. */
    #startWhenDue() {
        if (this.#state === "waiting" && this.#isThere && !this.#isMuted) this.#start();
    }

    pause() {
        this.#end();
        this.#element.pause();
    }

    #apply() {
        if (this.#gain) this.#gain.gain.value = this.#isMuted ? 0 : this.#volume;
        // Nothing is to be heard, and nothing comes.
        if (this.isLive && this.#isMuted) this.#context.suspend().catch(() => {});
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
            node.port.onmessage = (/** @type {MessageEvent} */ {data}) => this.#reported(data);
            this.#gain = context.createGain();
            node.connect(this.#gain).connect(context.destination);
            this.#apply();
            const {port1, port2} = new this.#scope.MessageChannel();
            worker.postMessage({packets: port1}, [port1]);
            node.port.postMessage({packets: port2}, [port2]);
            await context.resume();
            if (this.#state !== "starting") return;
            worker.postMessage({live: types});
            this.#state = "live";
            // Something else has taken the loudspeakers.
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
     * A second was played.
     * @param {ReturnType<import("./playout.js").Playout["report"]>} report
     */
    #reported(report) {
        if (!this.isLive) return;
        this.#report = report;
        this.#seconds.push(report.madeUp > MOST_MADE_UP || report.stalls >= MOST_STALLS);
        if (this.#seconds.length > REMEMBERED) this.#seconds.shift();
        if (this.#seconds.filter(Boolean).length >= BAD_SECONDS) this.#rest();
    }

    /** The browser plays it for a while. */
    #rest() {
        this.#fallBack();
        this.#timer = setTimeout(() => {
            this.#state = "waiting";
            if (!this.#element.paused) this.#startWhenDue();
        }, this.#pause);
        this.#pause *= 2;
    }

    /** From now on the browser plays it. */
    #fallBack() {
        clearTimeout(this.#timer);
        if (this.#state === "over") return;
        const wasLive = this.isLive;
        this.#state = "over";
        // A worker that goes would take what comes with it: it stays, and lets packets through.
        this.#worker.postMessage({live: false});
        if (wasLive && !this.#isMuted) this.#element.play().catch(() => {});
        this.#close();
    }

    #end() {
        clearTimeout(this.#timer);
        this.#state = "over";
        this.#worker.terminate();
        this.#close();
    }

    #close() {
        this.#node?.port.postMessage({});
        if (this.#context?.state !== "closed") this.#context?.close().catch(() => {});
    }
}
