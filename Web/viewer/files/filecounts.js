// The bounds and times of one end of an exchange of files, what is counted, and how far a batch has come.

/** As HelioTransfer's FileSettings; times in milliseconds. */
export const SETTINGS = Object.freeze({
    /** The batches that may wait to be sent, the one under way among them. */
    batches: 8,
    /** The most files and folders, and the most bytes, of one batch that is taken. */
    mostFiles: 50_000,
    mostBytes: Number.MAX_SAFE_INTEGER,
    /** The bytes that may be on their way without being written. */
    window: 2 * 1024 * 1024,
    /** The bytes that may be in the channel. Input has to wait behind as much, and so has the clipboard. */
    queue: 32 * 1024,
    /** The refusals and verdicts that wait for the channel. */
    answers: 64,
    /** How long the receiving person may take to answer, and the sender waits for that. */
    questionPatience: 120_000,
    offerPatience: 150_000,
    /** How long the other end may take for anything else, and to read what there already is of a file. */
    patience: 120_000,
    longPatience: 900_000,
    /** How long the disk may take for one step. */
    diskPatience: 60_000,
    /** How long a batch waits for a new channel. */
    absence: 3_600_000,
    /** The time from a question to the next, which doubles, up to the second, with each that is not answered by yes. */
    questionInterval: 2000,
    longestQuestionInterval: 600_000,
    progressInterval: 250,
});

/** Counts of files; never names. `drops` by their names. */
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

/** The milliseconds that a rate is the mean of, and those between two samples. */
const SPAN = 5000, DISTANCE = 250;

/** The rate of something that grows: the mean of the last seconds. */
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
        // The one before the span stays: it is where the span begins.
        while (this.#samples.length > 2 && now - this.#samples[1].at >= SPAN) this.#samples.shift();
    }

    /** In units a second. */
    get rate() {
        const first = this.#samples[0], last = this.#samples.at(-1);
        return last && last.at > first.at ? (last.total - first.total) * 1000 / (last.at - first.at) : 0;
    }
}

/**
 * How far a batch has come.
 * @typedef {object} FileProgress
 * @property {bigint} batch
 * @property {"sending" | "receiving"} direction
 * @property {number} index of the current file or folder, from 1
 * @property {number} count
 * @property {number} bytes of the whole batch that are sent, or written here
 * @property {number} totalBytes
 * @property {number} rate in bytes a second; 0 where nothing goes on
 * @property {number | null} timeLeft in seconds; `null`: it can't be told
 * @property {boolean} isInterrupted there is no channel: it goes on with the next one
 */

/**
 * @param {Omit<FileProgress, "timeLeft">} progress its `rate` as it is measured
 * @returns {FileProgress}
 */
export function progressOf({rate: measured, ...progress}) {
    const rate = progress.isInterrupted ? 0 : measured;
    const seconds = Math.ceil((progress.totalBytes - Math.min(progress.bytes, progress.totalBytes)) / Math.max(1, rate));
    return {...progress, rate, timeLeft: rate > 0 && seconds < 1e9 ? seconds : null};
}
