// Computes the figures of the statistics panel from two consecutive reports of getStats. No DOM.

/**
 * @typedef {object} Figures `null` if the browser does not report a value
 * @property {number | null} fps pictures shown per second
 * @property {number | null} bitrate the received bitrate in Mbit/s
 * @property {number | null} roundTrip in ms
 * @property {number | null} buffered the time in ms that a picture waited until it and the pictures before it were complete
 * @property {number | null} decode the decoding time per picture in ms
 * @property {number | null} dropped pictures per second that were received or decoded, but not shown
 * @property {number | null} lost lost packets per second
 */

/**
 * @param {Pick<RTCStatsReport, "forEach" | "get">} report the result of getStats
 * @returns {{inbound: any, sound: any, pair: any, local: any, remote: any, codec: any, soundCodec: any}} the relevant entries
 */
export function entriesOf(report) {
    /** @type {any} */
    let inbound;
    /** @type {any} */
    let sound;
    /** @type {any} */
    let transport;
    /** @type {any} */
    let nominated;
    report.forEach((entry) => {
        if (entry.type === "inbound-rtp" && entry.kind === "video") inbound = entry;
        else if (entry.type === "inbound-rtp" && entry.kind === "audio") sound ??= entry;
        else if (entry.type === "transport") transport = entry;
        // Firefox has no transport entry, so use the nominated pair that succeeded.
        else if (entry.type === "candidate-pair" && entry.nominated && entry.state === "succeeded") nominated = entry;
    });
    const pair = report.get(transport?.selectedCandidatePairId) ?? nominated;
    return {
        inbound, sound, pair, local: report.get(pair?.localCandidateId), remote: report.get(pair?.remoteCandidateId),
        codec: report.get(inbound?.codecId), soundCodec: report.get(sound?.codecId),
    };
}

/**
 * @param {any} before the inbound-rtp entry of the last report
 * @param {any} now the newest inbound-rtp entry
 * @param {any} pair the newest candidate pair
 * @returns {Figures}
 */
export function figuresOf(before, now, pair) {
    const seconds = secondsBetween(before, now), since = counter(before, now);
    /** @param {string} name @param {number} factor */
    const rate = (name, factor = 1) => {
        const grown = since(name);
        return grown === null ? null : grown / seconds * factor;
    };
    /** @param {string} sum @param {string} count */
    const mean = (sum, count) => {
        const grown = since(sum), times = since(count);
        return grown === null || !times ? null : grown / times * 1000;
    };
    return {
        fps: rate("framesDecoded"),
        bitrate: rate("bytesReceived", 8 / 1e6),
        roundTrip: pair?.currentRoundTripTime === undefined ? null : pair.currentRoundTripTime * 1000,
        buffered: mean("jitterBufferDelay", "jitterBufferEmittedCount"),
        decode: mean("totalDecodeTime", "framesDecoded"),
        dropped: rate("framesDropped"),
        lost: rate("packetsLost"),
    };
}

/**
 * @param {any} before the sound's inbound-rtp entry in the last report
 * @param {any} now the sound's newest inbound-rtp entry
 * @returns {{soundBuffered: number | null, concealed: number | null}} the delay of the jitter buffer in ms, and the concealed
 *   share of the sound in percent
 */
export function soundFiguresOf(before, now) {
    const since = counter(before, now);
    const emitted = since("jitterBufferEmittedCount"), played = since("totalSamplesReceived");
    const madeUp = since("concealedSamples"), silence = since("silentConcealedSamples") ?? 0;
    return {
        soundBuffered: emitted ? (since("jitterBufferDelay") ?? 0) / emitted * 1000 : null,
        concealed: played && madeUp !== null ? Math.max(0, madeUp - silence) / played * 100 : null,
    };
}

/** @param {any} before @param {any} now */
function secondsBetween(before, now) { return before && now ? (now.timestamp - before.timestamp) / 1000 : 0; }

/**
 * Returns the growth of a counter; `null` if it is not reported.
 * @param {any} before
 * @param {any} now
 */
function counter(before, now) {
    return (/** @type {string} */ name) => {
        if (secondsBetween(before, now) <= 0 || now[name] === undefined || before[name] === undefined) return null;
        // Counters restart with a new connection.
        return Math.max(0, now[name] - before[name]);
    };
}
