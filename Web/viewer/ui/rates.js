// Figures for the statistics panel, from two reports of getStats one after the other. No DOM.

/**
 * @typedef {object} Figures  `null` where the browser does not say
 * @property {number | null} fps pictures shown a second
 * @property {number | null} bitrate Mbit/s received
 * @property {number | null} roundTrip ms
 * @property {number | null} buffered ms that a picture waited for the rest of itself and those before it
 * @property {number | null} decode ms a picture
 * @property {number | null} dropped pictures a second that were decoded or received for nothing
 * @property {number | null} lost packets a second
 */

/**
 * @param {Pick<RTCStatsReport, "forEach" | "get">} report of getStats
 * @returns {{inbound: any, sound: any, pair: any, local: any, remote: any, codec: any, soundCodec: any}} those that
 *     matter
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
        // Firefox has no transport: there it is the one that is nominated and goes on.
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
 * @param {any} now the newest
 * @param {any} pair the candidate pair of the newest
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
 * @param {any} before the inbound-rtp entry of sound in the last report
 * @param {any} now the newest
 * @returns {{soundBuffered: number | null, concealed: number | null}} ms that sound waited to be even, and the share of
 *     it, in percent, that was made up in place of what was late or lost
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
 * How much a counter has grown; `null` where it is not told.
 * @param {any} before
 * @param {any} now
 */
function counter(before, now) {
    return (/** @type {string} */ name) => {
        if (secondsBetween(before, now) <= 0 || now[name] === undefined || before[name] === undefined) return null;
        // Counters begin anew with a new connection.
        return Math.max(0, now[name] - before[name]);
    };
}
