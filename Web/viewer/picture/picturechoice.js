// Chooses between the browser's own decoder and the page's. Without a choice in the page's address, both run in parallel for a
// moment, and the page's is chosen if it is faster on this machine.

/** The number of pictures of both decoders, or the time in milliseconds since the first, after which they are compared. */
const TRIAL = {pictures: 30, time: 3000};
/** The minimum number of pictures for a comparison. A still screen takes longer than the trial to send them. */
const LEAST = 8;
/**
 * The time in milliseconds by which the page's decoder has to be faster. Less is invisible, and within the error: the page
 * measures from a picture's arrival in the worker, but the browser from its last packet, which may be a millisecond earlier.
 */
const GAIN = 2;

/**
 * Returns what shows the picture according to an address: `?picture=own`, `?picture=video`, or otherwise "auto".
 * @param {string} search the query of the page's address
 * @returns {"own" | "video" | "auto"}
 */
export function pictureWay(search) {
    const way = new URLSearchParams(search).get("picture");
    return way === "own" || way === "video" ? way : "auto";
}

/** The names of renderers in software: SwiftShader, Mesa's llvmpipe and softpipe, Apple's and Windows' own. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;
/** WebGL's RENDERER, and UNMASKED_RENDERER_WEBGL of the extension WEBGL_debug_renderer_info. */
const RENDERER = 0x1f01, UNMASKED_RENDERER = 0x9246;

/**
 * Returns true if the browser draws by a graphics card, as far as it tells without drawing: by its WebGL. Elsewhere nothing of
 * the page's own decoder has to be loaded.
 * @param {any} scope the object with the browser's types
 */
export function hasCard(scope = globalThis) {
    try {
        const context = new scope.OffscreenCanvas(1, 1).getContext("webgl", {failIfMajorPerformanceCaveat: true});
        if (!context) return false;
        const names = [context.getParameter(RENDERER)];
        if (context.getExtension("WEBGL_debug_renderer_info")) names.push(context.getParameter(UNMASKED_RENDERER));
        context.getExtension("WEBGL_lose_context")?.loseContext();
        return !names.some((name) => SOFTWARE.test(name));
    } catch {
        return false;
    }
}

export class PictureChoice {
    #video;
    #memory;
    /** @type {boolean | null} */
    #isFaster = null;
    /** @type {number | null} */
    #watch = null;
    /** The time of the trial's begin, in milliseconds. */
    #since = 0;
    /** The number of pictures that the video has shown, and their delays in milliseconds, where the browser measures them. */
    #seen = 0;
    /** @type {number[]} */
    #delays = [];

    /**
     * The compared delays in milliseconds.
     * @type {{own: number, video: number} | null}
     */
    medians = null;

    /**
     * @param {HTMLVideoElement} video
     * @param {{isOwnFaster: boolean | null}} memory the stored result of this browser; `null` without one
     */
    constructor(video, memory) {
        this.#video = video;
        this.#memory = memory;
    }

    /** True unless the browser can't measure its own decoder, or was faster recently. */
    get isPossible() {
        return typeof this.#video.requestVideoFrameCallback === "function" && this.#memory.isOwnFaster !== false;
    }

    /** True if the page's decoder was faster recently, so that no test picture is needed. */
    get isLikely() { return this.#memory.isOwnFaster === true; }
    /** True if this page keeps the browser's own decoder. */
    get isRefused() { return this.#isFaster === false; }

    /** Keeps the browser's own decoder, because this machine draws too slowly, or the page's decoder has failed. */
    refuse() { this.#isFaster = this.#memory.isOwnFaster = false; }

    /** Measures the video's pictures from now on. */
    begin() {
        if (this.#isFaster !== null) return;
        this.restart();
        if (this.#watch === null) this.#watchNext();
    }

    /** Discards what was measured, for example because the page was hidden. */
    restart() {
        this.#since = performance.now();
        this.#seen = 0;
        this.#delays = [];
    }

    end() {
        if (this.#watch !== null) this.#video.cancelVideoFrameCallback(this.#watch);
        this.#watch = null;
    }

    #watchNext() {
        this.#watch = this.#video.requestVideoFrameCallback((now, {receiveTime, presentationTime}) => {
            this.#watchNext();
            // A picture of a hidden page waits until the page is visible.
            if (document.hidden || receiveTime && receiveTime < this.#since) return;
            this.#seen++;
            // Chromium sometimes reports a reception after the display.
            if (receiveTime && receiveTime <= presentationTime) this.#delays.push(presentationTime - receiveTime);
        });
    }

    /**
     * Returns true if the page's decoder is faster.
     * @param {{pictures: number, shown: number | null} | undefined} trial the number of pictures drawn since the trial's begin,
     *   and the median of their delays in milliseconds
     * @param {number} time the time in milliseconds since the first of them
     * @returns {boolean | null} `null` if it is not known yet
     */
    judge(trial, time) {
        if (this.#isFaster !== null) return this.#isFaster;
        if (!trial || trial.shown === null || trial.pictures < LEAST || document.hidden) return null;
        const {pictures, shown} = trial, count = this.#delays.length;
        if (time < TRIAL.time && Math.min(pictures, count) < TRIAL.pictures) return null;
        const isSeen = this.#seen >= LEAST;
        if (!isSeen && pictures < TRIAL.pictures) return null;
        if (count >= LEAST) this.medians = {own: shown, video: median(this.#delays)};
        this.#isFaster = this.medians !== null && this.medians.own + GAIN <= this.medians.video;
        // A video that has not played, for example without the user's permission, says nothing about the next page.
        if (isSeen) this.#memory.isOwnFaster = this.#isFaster;
        this.end();
        return this.#isFaster;
    }
}

/** @param {number[]} values */
const median = (values) => [...values].sort((one, other) => one - other)[values.length >> 1];
