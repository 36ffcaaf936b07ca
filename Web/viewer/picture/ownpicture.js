// The picture by this page's own decoder: a worker takes it from the receiver, decodes it and draws it on a canvas. When that
// begins, when it is enough by itself, when the browser's own way is taken up again, and what the host hears of it.

/** Milliseconds that a session may wait for the worker. */
const LOADING_LIMIT = 1000;
/** Milliseconds that both ways may go side by side before the worker's is given up. */
const TRIAL_LIMIT = 4000;
/** Milliseconds between two looks whether the worker reports, and without a report before it counts as gone. */
const WATCH_INTERVAL = 1000, SILENCE_LIMIT = 3500;
/** The most pictures that may be in a decoder which gives each at once. */
const MOST_HELD = 1;
/** The number of reports of a loss of which one goes by the channel that loses nothing. */
const SURE = 3;
/** Sessions in which it failed, after which it is not tried again. */
const MOST_FAILURES = 2;

/**
 * Returns true if an address asks for the page's own decoder: `?picture=own`.
 * @param {string} search of the page's address
 */
export function wantsOwnPicture(search) { return new URLSearchParams(search).get("picture") === "own"; }

/**
 * Returns true if the browser has all that is needed, and allows it to this page's origin.
 * @param {any} scope where the browser's types are
 */
export function canDrawOwn(scope = globalThis) {
    const {RTCRtpScriptTransform, VideoDecoder, OffscreenCanvas, Worker} = scope;
    return [RTCRtpScriptTransform, VideoDecoder, OffscreenCanvas, Worker].every((piece) => typeof piece === "function");
}

/**
 * "none": packets go to the browser and nowhere else; "video": they go through the worker to the browser; "both": it draws
 * them as well; "own": it draws them, and the browser has nothing to show.
 * @typedef {"none" | "video" | "both" | "own"} Mode
 *
 * @typedef {object} Ways
 * @property {(width: number, height: number) => void} drawn the canvas has a picture of this session, of another size
 * @property {(mode: Mode) => void} turned the mode is another
 * @property {() => void} died the worker is gone, and the pictures of this session with it
 * @property {(channel: "control" | "moves", message: object) => boolean} tell the host; whether it goes
 * @property {() => number | null} roundTrip milliseconds
 * @property {() => {width: number, height: number} | null} video size of what the browser shows; `null` where that is
 *     nothing
 */
export class OwnPicture {
    #on;
    #scope;
    #canvas;
    /** @type {Worker | undefined} */
    #worker;
    #isReady = false;
    #isGone = false;
    #isWanted = true;
    #session = 0;
    /** @type {Mode} */
    #mode = "none";
    // The state of this session: its failure, and the results of the trial.
    #hasFailed = false;
    #failures = 0;
    // `#isTaken`: the host takes the page's messages; `#isTold`: it knows that this page decodes; `#losses`: the number of losses
    // that it was told of.
    #isTaken = false;
    #isTold = false;
    #losses = 0;
    // True if pictures come with the dependency descriptor: then repair pictures get through.
    #isOrdered = false;
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
     * Resolves when it is known whether the worker is of use, or has taken too long.
     * @type {Promise<unknown>}
     */
    ready;
    /**
     * The worker's report of the last second.
     * @type {any}
     */
    statistics = null;

    /**
     * @param {HTMLCanvasElement} canvas which the worker has from now on
     * @param {Ways} on
     * @param {any} scope where the browser's types are
     */
    constructor(canvas, on, scope = globalThis) {
        this.#on = on;
        this.#scope = scope;
        this.#canvas = canvas;
        this.ready = new Promise((tell) => {
            try {
                const worker = this.#worker = new scope.Worker("picture/pictureworker.js", {type: "module"});
                worker.onmessage = (/** @type {MessageEvent} */ {data}) => {
                    if (data.type === "ready") {
                        this.#isReady = data.isReady === true;
                        tell(null);
                    } else if (data.session === this.#session) this.#heard(data);
                };
                worker.onerror = () => {
                    tell(null);
                    this.#die();
                };
                const offscreen = canvas.transferControlToOffscreen();
                worker.postMessage({type: "canvas", canvas: offscreen}, [offscreen]);
                setTimeout(() => tell(null), LOADING_LIMIT);
            } catch {
                this.#isGone = true;
                tell(null);
            }
        });
    }

    get mode() { return this.#mode; }

    /**
     * As `figuresOf` has them, of the last second; `null` where the browser shows the picture and counts itself.
     * @returns {Record<string, any> | null}
     */
    get figures() {
        if (this.#mode !== "own" || !this.statistics) return null;
        const {drawn, order, decode, draw, shown, skipped, reference, late, keys, repairs, acceleration} = this.statistics;
        return {
            fps: drawn, buffered: order, decode, draw, shown, dropped: skipped + reference + late, repairs: keys + repairs,
            decoder: acceleration === "no-preference" ? "WebCodecs" : `WebCodecs, ${acceleration}`,
        };
    }
    /** The worker: tests reach it by this. */
    get worker() { return this.#worker; }

    /** True if the worker may draw; otherwise the browser shows the picture, as where the picture waits for its sound. */
    get isWanted() { return this.#isWanted; }
    set isWanted(isWanted) {
        if (this.#isWanted === isWanted) return;
        this.#isWanted = isWanted;
        if (isWanted && this.#mode === "video" && !this.#hasFailed) this.#turn("both");
        else if (!isWanted && this.#mode !== "none") this.#turn("video");
    }

    /** @param {boolean} isVisible whether the page is seen */
    set isVisible(isVisible) {
        // Browsers stop the timers of a page that is not seen.
        this.#heardAt = this.#watchedAt = performance.now();
        this.#worker?.postMessage({type: "visible", isVisible});
    }

    /**
     * Sends all that a transceiver receives through the worker from now on. Browsers accept a transform only in the task in which
     * the receiver is made.
     * @param {RTCRtpTransceiver} transceiver that was made in this very task, and is not offered yet
     */
    stand(transceiver) {
        this.end();
        if (!this.#isReady || this.#isGone || this.#failures >= MOST_FAILURES) return;
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

    /** The host of this session takes `ownPicture`. */
    taken() {
        this.#isTaken = true;
        if (this.#mode === "own") this.#post("own");
    }

    /** The session has ended. The canvas keeps its picture. */
    end() {
        clearInterval(this.#watch);
        this.#isTaken = this.#isTold = this.#isOrdered = false;
        this.#losses = 0;
        this.#roundTrip = null;
        if (this.#mode === "none") return;
        this.#post("video");
        this.#session++;
        this.#mode = "none";
        this.#show();
    }

    /** Nothing of the picture stays on the canvas. */
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
     * Tells the worker, and the host, which is to know first.
     * @param {Mode} mode
     */
    #post(mode) {
        this.#introduce(mode === "own");
        if (mode !== "video") this.#measure();
        this.#worker?.postMessage({type: "mode", mode, session: this.#session, isHeard: this.#isTold});
    }

    /**
     * The host is told whether this page decodes. Whatever the browser decodes again begins with a keyframe.
     * @param {boolean} enabled
     */
    #introduce(enabled) {
        if (!this.#isTaken || enabled === this.#isTold) return;
        if (!enabled) this.#report(null);
        const repairs = enabled && this.#isOrdered;
        this.#isTold = this.#on.tell("control", {type: "ownPicture", enabled, repairs}) && enabled;
    }

    /**
     * The host is told that nothing after a picture can be shown.
     * @param {number | null} whole its RTP timestamp; `null` where only a keyframe is of use
     */
    #report(whole) {
        if (!this.#isTold) return;
        const n = ++this.#losses, isSure = whole === null || n % SURE === 0;
        this.#on.tell(isSure ? "control" : "moves", {type: "pictureLost", ...whole === null ? {} : {whole}, n});
    }

    /** The worker waits for what is missing as long as the path takes. */
    #measure() {
        const roundTrip = this.#on.roundTrip();
        if (roundTrip === null || roundTrip === this.#roundTrip) return;
        this.#roundTrip = roundTrip;
        this.#worker?.postMessage({type: "roundTrip", time: roundTrip});
    }

    /** @param {Mode} mode */
    #set(mode) {
        this.#mode = mode;
        this.#show();
        this.#on.turned(mode);
    }

    /** For tests, and for a browser's developer tools. */
    #show() { this.#canvas.dataset.mode = this.#mode; }

    /** @param {any} message of the worker, about this session */
    #heard(message) {
        this.#heardAt = performance.now();
        if ("isOrdered" in message) this.#isOrdered = message.isOrdered;
        switch (message.type) {
        case "lost": this.#report(message.whole); break;
        case "seen":
            if (this.#isTold) this.#on.tell("moves", {type: "pictureSeen", at: message.at, ms: message.ms});
            break;
        case "drawn":
            // The message may have been on its way when the browser's own decoder took over.
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
     * Goes on without the browser's way once this one is as good: it gives each picture at once, and in the same size.
     * @param {{held: number}} message of the worker
     */
    #judge({held}) {
        if (this.#mode !== "both" || !this.#drawn) return;
        const video = this.#on.video(), {width, height} = this.#drawn;
        const isAlike = !video || video.width === width && video.height === height;
        if (isAlike && held <= MOST_HELD) this.#turn("own");
        else if (performance.now() - this.#begunAt > TRIAL_LIMIT) this.#fail();
    }

    #fail() {
        if (this.#mode !== "both" && this.#mode !== "own") return;
        this.#hasFailed = true;
        this.#failures++;
        this.#turn("video");
    }

    /** A worker that is gone takes what comes with it; it says nothing any more. */
    #look() {
        const now = performance.now();
        // The page itself stood still, and what was said meanwhile is still to be heard.
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
        if (wasThere) this.#on.died();
    }
}
