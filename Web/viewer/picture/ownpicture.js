// The page's own decoder: a worker takes the encoded pictures from the receiver, decodes them, and draws them on a canvas. This
// file decides when the worker starts, when it works alone, and when the browser's own decoder takes over again, and reports
// this to the host.

/** The maximum time in milliseconds that a session waits for the worker. */
const LOADING_LIMIT = 1000;
/** The maximum time in milliseconds for which both decoders run in parallel before the worker's is given up. */
const TRIAL_LIMIT = 4000;
/**
 * The interval in milliseconds between checks of the worker's reports, and the time without a report after which it counts as
 * dead.
 */
const WATCH_INTERVAL = 1000, SILENCE_LIMIT = 3500;
/** The maximum number of pictures in a decoder that outputs each picture at once. */
const MOST_HELD = 1;
/** One of this number of loss reports is sent on the reliable channel. */
const SURE = 3;
/** The number of sessions with a failure after which the worker is not used any more. */
const MOST_FAILURES = 2;

/**
 * Returns true if the browser supports everything that is needed, and permits it to this page's origin.
 * @param {any} scope the object with the browser's types
 */
export function canDrawOwn(scope = globalThis) {
    const {RTCRtpScriptTransform, VideoDecoder, OffscreenCanvas, Worker} = scope;
    return [RTCRtpScriptTransform, VideoDecoder, OffscreenCanvas, Worker].every((piece) => typeof piece === "function");
}

/**
 * "none": packets are passed to the browser only; "video": they pass through the worker to the browser; "both": the worker
 * draws them as well; "own": only the worker draws them, and the browser receives placeholders.
 * @typedef {"none" | "video" | "both" | "own"} Mode
 *
 * @typedef {object} Ways
 * @property {(width: number, height: number) => void} drawn called when the canvas has a picture of this session with a new
 *   size
 * @property {(mode: Mode) => void} turned called when the mode has changed
 * @property {() => void} died called when the worker has died, so that this session receives no more pictures
 * @property {(channel: "control" | "moves", message: object) => boolean} tell sends a message to the host; returns false if it
 *   could not be sent
 * @property {() => number | null} roundTrip the round trip in milliseconds
 * @property {() => {width: number, height: number} | null} video the size of the picture that the browser shows; `null` if
 *   there is none
 * @property {import("./picturechoice.js").PictureChoice | null} [choice] determines whether the worker is fast enough; without
 *   it, the worker is used even if it is slower
 */
export class OwnPicture {
    #on;
    #scope;
    #canvas;
    #choice;
    /** @type {Worker | undefined} */
    #worker;
    #isReady = false;
    #isGone = false;
    #isWanted = true;
    #session = 0;
    /** @type {Mode} */
    #mode = "none";
    // True after a failure in this session; below, the number of sessions with a failure.
    #hasFailed = false;
    #failures = 0;
    // `#isTaken`: true if the host supports these messages; `#isTold`: true if the host knows that this page decodes;
    // `#losses`: the number of losses reported to it.
    #isTaken = false;
    #isTold = false;
    #losses = 0;
    // True if pictures have the dependency descriptor, so that the browser passes repair pictures on.
    #isOrdered = false;
    // True if the worker was last told a time of the sound.
    #isHeard = false;
    /** @type {number | null} */
    #roundTrip = null;
    /** @type {{width: number, height: number} | null} */
    #drawn = null;
    #begunAt = 0;
    #heardAt = 0;
    #watchedAt = 0;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    #watch;
    /**
     * Resolves when the worker has reported whether it can be used, or has timed out.
     * @type {Promise<unknown>}
     */
    ready;
    /**
     * The worker's report of the last second.
     * @type {any}
     */
    statistics = null;

    /**
     * @param {HTMLCanvasElement} canvas the canvas, which is transferred to the worker
     * @param {Ways} on
     * @param {any} scope the object with the browser's types
     */
    constructor(canvas, on, scope = globalThis) {
        this.#on = on;
        this.#scope = scope;
        this.#canvas = canvas;
        const choice = this.#choice = on.choice ?? null;
        this.ready = new Promise((tell) => {
            try {
                const worker = this.#worker = new scope.Worker("picture/pictureworker.js", {type: "module"});
                worker.onmessage = (/** @type {MessageEvent} */ {data}) => {
                    if (data.type === "ready") {
                        this.#isReady = data.isReady === true;
                        if (data.isSlow) this.#refuse();
                        tell(null);
                    } else if (data.session === this.#session) this.#heard(data);
                };
                worker.onerror = () => {
                    tell(null);
                    this.#die();
                };
                const offscreen = canvas.transferControlToOffscreen();
                const test = choice && !choice.isLikely ? {isTested: true} : {};
                worker.postMessage({type: "canvas", canvas: offscreen, ...test}, [offscreen]);
                setTimeout(() => tell(null), LOADING_LIMIT);
            } catch {
                this.#isGone = true;
                tell(null);
            }
        });
    }

    get mode() { return this.#mode; }

    /**
     * What a session has to wait for before it begins; `null` if the worker is first tested, because most machines fail the
     * test. Then a worker that is ready too late serves only later sessions.
     * @returns {Promise<unknown> | null}
     */
    get awaited() { return this.#choice && !this.#choice.isLikely ? null : this.ready; }

    /**
     * The figures of the last second, in the format of `figuresOf`; `null` if the browser shows the picture and has its own
     * figures.
     * @returns {Record<string, any> | null}
     */
    get figures() {
        if (this.#mode !== "own" || !this.statistics) return null;
        const {drawn, order, decode, draw, shown, skipped, reference, late, keys, repairs, acceleration} = this.statistics;
        const dropped = skipped + reference + late + (this.statistics.crowded ?? 0);
        return {
            fps: drawn, buffered: order, decode, draw, shown, dropped, repairs: keys + repairs,
            decoder: acceleration === "no-preference" ? "WebCodecs" : `WebCodecs, ${acceleration}`,
        };
    }
    /** A text for the statistics panel: what shows the picture, in the words of the page's address, and the compared delays. */
    get facts() {
        const way = this.#mode === "none" ? "video" : this.#mode, medians = this.#choice?.medians;
        if (!medians) return `picture=${way}`;
        return `picture=${way} (own ${medians.own.toFixed(1)} ms, video ${medians.video.toFixed(1)} ms)`;
    }
    /** The worker, for tests. */
    get worker() { return this.#worker; }

    /**
     * True if the worker can be expected to draw without a comparison of its delays with the browser's, which would be unfair
     * while the browser keeps the picture in step with sound, and shows it later than it could.
     */
    get isProven() {
        if (this.#isGone || this.#hasFailed || this.#failures >= MOST_FAILURES) return false;
        return !this.#choice || this.#choice.isLikely && !this.#choice.isRefused;
    }

    /** True while the worker draws. */
    get isDrawn() { return this.#mode === "both" || this.#mode === "own"; }

    /**
     * Keeps the picture in step with its sound.
     * @param {{at: number, time: number} | null} sound `at`: the RTP timestamp of a picture whose sound is heard at `time`, in
     *   milliseconds; `null`: no sound is heard, so that each picture is drawn at once
     */
    hear(sound) {
        if (!sound && !this.#isHeard) return;
        this.#isHeard = sound !== null;
        const told = sound && {at: sound.at, time: sound.time + performance.timeOrigin};
        this.#worker?.postMessage({type: "sound", session: this.#session, sound: told});
    }

    /** True if the worker may draw; false to let the browser show the picture, for example in sync with its sound. */
    get isWanted() { return this.#isWanted; }
    set isWanted(isWanted) {
        if (this.#isWanted === isWanted) return;
        this.#isWanted = isWanted;
        const isPossible = !this.#hasFailed && !this.#choice?.isRefused;
        if (isWanted && this.#mode === "video" && isPossible) this.#turn("both");
        else if (!isWanted && this.#mode !== "none") this.#turn("video");
    }

    /** @param {boolean} isVisible true if the page is visible */
    set isVisible(isVisible) {
        // Reset the time-outs, because browsers throttle the timers of a hidden page.
        this.#heardAt = this.#watchedAt = performance.now();
        if (this.#drawn) this.#begunAt = this.#heardAt;
        this.#choice?.restart();
        this.#worker?.postMessage({type: "visible", isVisible});
    }

    /**
     * Passes everything that a transceiver receives through the worker from now on. Browsers accept a transform only in the
     * task in which the receiver is made.
     * @param {RTCRtpTransceiver} transceiver a transceiver that was made in the current task, and has not been offered yet
     */
    stand(transceiver) {
        this.end();
        if (!this.#isReady || this.#isGone || this.#failures >= MOST_FAILURES || this.#choice?.isRefused) return;
        const mode = this.#isWanted ? "both" : "video", session = ++this.#session;
        try {
            transceiver.receiver.transform = new this.#scope.RTCRtpScriptTransform(this.#worker, {session, mode});
        } catch {
            return;
        }
        this.#hasFailed = false;
        this.#begin();
        this.#set(mode);
        this.#watch = setInterval(() => this.#look(), WATCH_INTERVAL);
    }

    /** Handles that the host of this session supports `ownPicture`. */
    taken() {
        this.#isTaken = true;
        if (this.#mode === "own") this.#post("own");
    }

    /** Ends the session. The canvas keeps its picture. */
    end() {
        clearInterval(this.#watch);
        this.#choice?.end();
        this.#isTaken = this.#isTold = this.#isOrdered = false;
        this.#losses = 0;
        this.#roundTrip = null;
        if (this.#mode === "none") return;
        this.#post("video");
        this.#session++;
        this.#mode = "none";
        this.#show();
    }

    /** Removes the picture from the canvas. */
    clear() { this.#worker?.postMessage({type: "clear"}); }

    #begin() {
        this.#drawn = this.statistics = null;
        this.#begunAt = -1;
        this.#heardAt = this.#watchedAt = performance.now();
    }

    /** @param {Mode} mode */
    #turn(mode) {
        if (mode === this.#mode) return;
        if (mode === "both") this.#begin();
        this.#heardAt = performance.now();
        this.#post(mode);
        this.#set(mode);
    }

    /**
     * Sends the mode to the host first, and then to the worker.
     * @param {Mode} mode
     */
    #post(mode) {
        this.#introduce(mode === "own");
        if (mode !== "video") this.#measure();
        this.#worker?.postMessage({type: "mode", mode, session: this.#session, isHeard: this.#isTold});
    }

    /**
     * Notifies the host whether this page decodes. Reports a loss when it stops, so that the browser starts with a keyframe.
     * @param {boolean} enabled
     */
    #introduce(enabled) {
        if (!this.#isTaken || enabled === this.#isTold) return;
        if (!enabled) this.#report(null);
        const repairs = enabled && this.#isOrdered;
        this.#isTold = this.#on.tell("control", {type: "ownPicture", enabled, repairs}) && enabled;
    }

    /**
     * Reports to the host that nothing after a picture can be shown.
     * @param {number | null} whole its RTP timestamp; `null` if a keyframe is needed
     */
    #report(whole) {
        if (!this.#isTold) return;
        const n = ++this.#losses, isSure = whole === null || n % SURE === 0;
        this.#on.tell(isSure ? "control" : "moves", {type: "pictureLost", ...whole === null ? {} : {whole}, n});
    }

    /** Sends the round trip to the worker, which determines how long it waits for missing pictures. */
    #measure() {
        const roundTrip = this.#on.roundTrip();
        if (roundTrip === null || roundTrip === this.#roundTrip) return;
        this.#roundTrip = roundTrip;
        this.#worker?.postMessage({type: "roundTrip", time: roundTrip});
    }

    /** @param {Mode} mode */
    #set(mode) {
        this.#mode = mode;
        if (mode === "both") this.#choice?.begin();
        else this.#choice?.end();
        this.#show();
        this.#on.turned(mode);
    }

    /** Shows the mode for tests and for the browser's developer tools. */
    #show() { this.#canvas.dataset.mode = this.#mode; }

    /** @param {any} message the worker's message about this session */
    #heard(message) {
        this.#heardAt = performance.now();
        if ("isOrdered" in message) this.#isOrdered = message.isOrdered;
        switch (message.type) {
        case "lost": this.#report(message.whole); break;
        case "seen":
            if (this.#isTold) this.#on.tell("moves", {type: "pictureSeen", at: message.at, ms: message.ms});
            break;
        case "drawn":
            // The message may have been in flight when the browser's own decoder took over.
            if (this.#mode !== "both" && this.#mode !== "own") return;
            if (!this.#drawn) this.#begunAt = performance.now();
            this.#drawn = {width: message.width, height: message.height};
            this.#canvas.dataset.size = `${message.width}x${message.height}`;
            this.#on.drawn(message.width, message.height);
            break;
        case "tried": this.#judge(message); break;
        case "statistics":
            this.statistics = message;
            this.#judge(message);
            break;
        case "failed": this.#fail(); break;
        }
    }

    /**
     * Switches to the worker alone once it is as good as the browser: it outputs each picture at once, and in the same size;
     * with a choice, it also has to be faster. Leaves it if it is slower.
     * @param {{held: number, trial?: {pictures: number, shown: number | null}}} message the worker's message
     */
    #judge({held, trial}) {
        if (this.#mode !== "both" || !this.#drawn) return;
        const video = this.#on.video(), {width, height} = this.#drawn;
        const isAlike = !video || video.width === width && video.height === height;
        const time = performance.now() - this.#begunAt;
        if (!isAlike || held > MOST_HELD) {
            if (time > TRIAL_LIMIT) this.#fail();
            return;
        }
        const isFaster = this.#choice ? this.#choice.judge(trial, time) : true;
        if (isFaster !== null) this.#turn(isFaster ? "own" : "video");
    }

    #fail() {
        if (this.#mode !== "both" && this.#mode !== "own") return;
        this.#hasFailed = true;
        if (++this.#failures >= MOST_FAILURES) this.#choice?.refuse();
        this.#turn("video");
    }

    /** Ends the worker, because this machine draws too slowly. */
    #refuse() {
        this.#choice?.refuse();
        this.#isGone = true;
        this.#worker?.terminate();
    }

    /** Checks whether the worker still reports. A dead worker takes the session's pictures with it, without an error. */
    #look() {
        const now = performance.now();
        // The page itself was suspended, and the worker's reports are still queued.
        if (now - this.#watchedAt > 2 * WATCH_INTERVAL) this.#heardAt = now;
        this.#watchedAt = now;
        this.#measure();
        const isReporting = this.#mode === "both" || this.#mode === "own";
        if (!isReporting || document.hidden) this.#heardAt = now;
        else if (now - this.#heardAt > SILENCE_LIMIT) this.#die();
    }

    #die() {
        if (this.#isGone) return;
        this.#isGone = true;
        this.#isReady = false;
        const wasThere = this.#mode !== "none";
        this.#worker?.terminate();
        this.end();
        if (!wasThere) return;
        // The next page must not lose a session, too.
        this.#choice?.refuse();
        this.#on.died();
    }
}
