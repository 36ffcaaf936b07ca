// Limits and time-outs of one end of a file exchange, its counters, and the progress of a batch.

/** The same limits as HelioTransfer's FileSettings; times in milliseconds. */
export const SETTINGS = Object.freeze({
    /** The maximum number of queued outgoing batches, including the batch in progress. */
    batches: 8,
    /** The maximum number of files and folders, and the maximum number of bytes, of a batch that is accepted. */
    mostFiles: 50_000,
    mostBytes: Number.MAX_SAFE_INTEGER,
    /** The maximum number of bytes in flight that have not been written. */
    window: 2 * 1024 * 1024,
    /** The maximum number of bytes in the channel. Input, and the clipboard, may have to wait behind them. */
    queue: 32 * 1024,
    /** The maximum number of refusals and verdicts that wait for the channel. */
    answers: 64,
    /** The time for the receiving user to answer, and the sender's time-out for that answer. */
    questionPatience: 120_000,
    offerPatience: 150_000,
    /** The time-outs for the other end's other answers, and for hashing the part of a file that already exists. */
    patience: 120_000,
    longPatience: 900_000,
    /** The time-out for one disk operation. */
    diskPatience: 60_000,
    /** The time for which an interrupted batch waits for a new channel. */
    absence: 3_600_000,
    /**
     * The minimum interval between questions to the user, which doubles with each question that is not accepted, and its
     * maximum.
     */
    questionInterval: 2000,
    longestQuestionInterval: 600_000,
    progressInterval: 250,
});

/** Counters of files, without any names. `drops` maps a reason to a count. */
export class FileCounts {
    filesSent = 0;
    filesReceived = 0;
    filesFailed = 0;
    bytesSent = 0;
    bytesReceived = 0;
    /** @type {Map<string, number>} */
    drops = new Map();

    /** @param {string} name */
    drop(name) { this.drops.set(name, (this.drops.get(name) ?? 0) + 1); }
}

/** The averaging period of a rate, and the minimum time between two samples, in milliseconds. */
const SPAN = 5000, DISTANCE = 250;

/** Measures the rate of a growing total over the last seconds. */
export class RateMeter {
    /** @type {{at: number, total: number}[]} */
    #samples = [];

    reset() { this.#samples = []; }

    /** @param {number} total @param {number} now */
    note(total, now) {
        const last = this.#samples.at(-1);
        if (last && total < last.total) this.reset();
        else if (last && now - last.at < DISTANCE) return;
        this.#samples.push({at: now, total});
        // Keep the last sample before the period, because the period begins there.
        while (this.#samples.length > 2 && now - this.#samples[1].at >= SPAN) this.#samples.shift();
    }

    /** The rate per second. */
    get rate() {
        const first = this.#samples[0], last = this.#samples.at(-1);
        return last && last.at > first.at ? (last.total - first.total) * 1000 / (last.at - first.at) : 0;
    }
}

/**
 * The progress of a batch.
 * @typedef {object} FileProgress
 * @property {bigint} batch
 * @property {"sending" | "receiving"} direction
 * @property {number} index of the current file or folder, from 1
 * @property {number} count
 * @property {number} bytes the bytes of the batch that were sent, or received
 * @property {number} totalBytes
 * @property {number} rate in bytes per second; 0 while interrupted
 * @property {number | null} timeLeft in seconds; `null` if unknown
 * @property {boolean} isInterrupted true while there is no channel; the batch resumes on the next channel
 */

/**
 * @param {Omit<FileProgress, "timeLeft">} progress with the measured `rate`
 * @returns {FileProgress}
 */
export function progressOf({rate: measured, ...progress}) {
    const rate = progress.isInterrupted ? 0 : measured;
    const seconds = Math.ceil((progress.totalBytes - Math.min(progress.bytes, progress.totalBytes)) / Math.max(1, rate));
    return {...progress, rate, timeLeft: rate > 0 && seconds < 1e9 ? seconds : null};
}
