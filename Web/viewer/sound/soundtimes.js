// Relates the sound that is heard to the pictures of the same instant, by the RTP timestamps that the host reports for both.
// Uses no DOM and no clock.

/** The RTP clock rates of sound and picture in kHz have this relation: 48 to 90. */
const SOUND_STEP = 8, PICTURE_STEP = 15;
/** The maximum difference in seconds between a position of the output and the present; more is an error of the browser. */
const MOST_APART = 2;

/** @param {unknown} value */
const isTimestamp = (value) => typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 0xffffffff;

export class SoundTimes {
    /**
     * The RTP timestamps of sound and picture of one instant.
     * @type {{at: number, picture: number} | null}
     */
    #known = null;
    /** The number of messages of the host that were ignored, because they have no timestamps. */
    malformed = 0;

    get isKnown() { return this.#known !== null; }

    /**
     * Handles the host's message about one instant.
     * @param {any} message
     */
    told({at, picture}) {
        if (isTimestamp(at) && isTimestamp(picture)) this.#known = {at, picture};
        else this.malformed++;
    }

    /** Forgets the times, because the session has ended. */
    forget() { this.#known = null; }

    /**
     * Returns the RTP timestamp of a picture of the same instant as a position of the sound; `null` if it is not known.
     * @param {number} position a position on the sound's RTP clock, with or without wraparound
     */
    pictureAt(position) {
        if (!this.#known) return null;
        // Advance by whole steps of both clocks, so that the difference never wraps around.
        const steps = Math.trunc((position - this.#known.at | 0) / SOUND_STEP);
        const at = this.#known.at + steps * SOUND_STEP >>> 0, picture = this.#known.picture + steps * PICTURE_STEP >>> 0;
        this.#known = {at, picture};
        return picture + Math.round((position - at | 0) * PICTURE_STEP / SOUND_STEP) >>> 0;
    }
}

/**
 * Returns the time in milliseconds, as by `performance.now`, when the output at a time of an audio context is heard.
 * @param {number} time the context's time in seconds
 * @param {Pick<AudioContext, "currentTime" | "baseLatency"> & {outputLatency?: number, getOutputTimestamp?: () =>
 *   {contextTime?: number, performanceTime?: number}}} context
 * @param {number} now
 */
export function timeHeard(time, context, now) {
    const {contextTime = 0, performanceTime = 0} = context.getOutputTimestamp?.() ?? {};
    if (contextTime > 0 && performanceTime > 0 && Math.abs(time - contextTime) < MOST_APART) {
        return performanceTime + (time - contextTime) * 1000;
    }
    // Some browsers report no position of the output, but its latency.
    return now + (time - context.currentTime + (context.outputLatency || context.baseLatency || 0)) * 1000;
}
