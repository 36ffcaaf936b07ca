// Keeps pictures from waiting for each other at the display. No DOM but the video element's.
//
// Chromium shows one picture at each refresh of the display. One that finds no other waiting is shown at once; but where
// two come between two refreshes, the second waits for the next one, and so does each after it, up to a whole refresh:
// until a refresh has none. What the browser tells of a picture does not say for certain whether it waited. So where
// every refresh has had a picture for a while, the host is asked to leave one out: one picture of sixty, for half a
// refresh less of delay in all the others.

/** Pictures without a gap after which one is to be left out. */
const PATIENCE = 60;
/** Milliseconds: pictures further apart than that are no motion. */
const REST = 500;
/** How many refreshes are timed to know how often the display has one. */
const TIMED = 15;

export class DisplayQueue {
    #last = null;
    #count = 0;
    #unbroken = 0;

    /** Milliseconds from one refresh of the display to the next; `null`: it is not known yet. @type {number | null} */
    period = null;

    /**
     * The browser has taken a picture for a refresh.
     * @param {number} refresh when that is, in milliseconds: pictures that come just before one are too late for it
     * @param {number} count pictures that the browser has taken up to now
     * @returns {boolean} whether the next picture should be left out
     */
    taken(refresh, count) {
        const since = refresh - this.#last, came = count - this.#count, isFirst = this.#last === null;
        this.#last = refresh;
        this.#count = count;
        const isMotion = !isFirst && this.period !== null && Math.abs(since) < REST && came > 0;
        const hasGap = !isMotion || came < Math.round(since / this.period);
        this.#unbroken = hasGap ? 0 : this.#unbroken + came;
        if (this.#unbroken < PATIENCE) return false;
        this.#unbroken = 0;
        return true;
    }
}

/**
 * Watches what a video element shows.
 * @param {HTMLVideoElement} video
 * @param {() => void} skip asks for the next picture to be left out
 */
export function watchDisplay(video, skip) {
    // Others show the newest picture at a refresh, and none waits.
    if (!/\bChrom(e|ium)\//.test(navigator.userAgent) || !video.requestVideoFrameCallback) return;
    let queue = new DisplayQueue();
    const look = (_, {expectedDisplayTime, presentedFrames}) => {
        video.requestVideoFrameCallback(look);
        if (queue.taken(expectedDisplayTime, presentedFrames)) skip();
    };
    const time = () => timeRefreshes((period) => { queue.period = period; });
    video.addEventListener("loadstart", () => {
        // Another stream counts from nothing.
        queue = new DisplayQueue();
        time();
    });
    // The window may be on another display.
    addEventListener("resize", time);
    video.requestVideoFrameCallback(look);
}

/** @param {(period: number) => void} done is told the milliseconds from one refresh to the next, once it is known */
function timeRefreshes(done) {
    const times = [];
    const time = (now) => {
        if (times.push(now) <= TIMED) return void requestAnimationFrame(time);
        const between = times.slice(1).map((at, index) => at - times[index]).sort((a, b) => a - b);
        done(between[between.length >> 1]);
    };
    requestAnimationFrame(time);
}
