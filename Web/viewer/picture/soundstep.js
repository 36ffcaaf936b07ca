// Holds decoded pictures until the sound of the same instant is heard. Uses no DOM and no clock: the time is an argument, in
// milliseconds.

/**
 * The maximum time in milliseconds for which a picture is held, and the time from which on the sound's times must be wrong, so
 * that none is held.
 */
const MOST_TIME = 60, TOO_FAR = 1000;
/** The maximum number of held pictures: as many as decoders can spare, and as 60 a second have in `MOST_TIME`. */
const MOST_HELD = 4;
/** The time in milliseconds after which the last time of the sound is too old, because the sound may have ended. */
const STALE = 400;

/** @template P */
export class SoundStep {
    #drop;
    /**
     * The RTP timestamp of a picture, at 90 kHz, whose sound is heard at `time`; `told` is when this became known. `null` while
     * no sound is heard.
     * @type {{at: number, time: number, told: number} | null}
     */
    #sound = null;
    /** @type {{picture: P, since: number, due: number}[]} */
    #held = [];

    /** @param {(picture: P, reason: "skipped" | "crowded") => void} drop called with each picture that is not shown */
    constructor(drop) { this.#drop = drop; }

    /** The number of held pictures. */
    get count() { return this.#held.length; }
    /** The time of the next necessary call of `take`; `null` for none. */
    get deadline() { return this.#held.length ? Math.min(...this.#held.map(({due}) => due)) : null; }

    /**
     * Handles a new time of the sound.
     * @param {{at: number, time: number} | null} sound `at`: the RTP timestamp of a picture whose sound is heard at `time`;
     *   `null`: no sound is heard, so that no picture is held
     * @param {number} now
     */
    hear(sound, now) {
        this.#sound = sound && {...sound, told: now};
        if (!sound) for (const held of this.#held) held.due = now;
    }

    /**
     * Returns the time for which a picture has to wait for its sound.
     * @param {number} at its RTP timestamp @param {number} now
     */
    wait(at, now) {
        const sound = this.#sound;
        if (!sound || now - sound.told > STALE) return 0;
        const time = sound.time + (at - sound.at | 0) / 90 - now;
        return time > 0 && time < TOO_FAR ? Math.min(time, MOST_TIME) : 0;
    }

    /**
     * Returns by how much a picture that is shown now is later than its sound; negative if it is sooner, and `null` without
     * sound.
     * @param {number} at its RTP timestamp @param {number} now
     */
    skew(at, now) {
        const sound = this.#sound;
        return sound && now - sound.told <= STALE ? now - sound.time - (at - sound.at | 0) / 90 : null;
    }

    /**
     * Adds a decoded picture.
     * @param {P} picture @param {number} at its RTP timestamp @param {number} now
     */
    add(picture, at, now) {
        this.#held.push({picture, since: now, due: now + this.wait(at, now)});
        const excess = this.#held.length - MOST_HELD;
        if (excess > 0) for (const held of this.#held.splice(0, excess)) this.#drop(held.picture, "crowded");
    }

    /**
     * Returns the newest picture that is due, and drops the pictures before it; `null` if none is due.
     * @param {number} now
     * @returns {{picture: P, waited: number} | null} `waited`: the time for which it was held
     */
    take(now) {
        const last = this.#held.reduce((found, {due}, i) => (due <= now ? i : found), -1);
        if (last < 0) return null;
        const [{picture, since}] = this.#held.splice(last, 1);
        for (const held of this.#held.splice(0, last)) this.#drop(held.picture, "skipped");
        return {picture, waited: now - since};
    }

    /** Drops all held pictures, because the picture is shown by other means. */
    clear() {
        this.#sound = null;
        for (const held of this.#held.splice(0)) this.#drop(held.picture, "skipped");
    }
}
