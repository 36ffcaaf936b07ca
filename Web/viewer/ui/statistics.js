// The statistics panel: updated once per second while it is open, without any cost otherwise.

import {words} from "../language/language.js";
import {Chart} from "./chart.js";
import {entriesOf, figuresOf, soundFiguresOf} from "./rates.js";

const INTERVAL = 1000;
/** The rows: the key in `words.statistics`, the format, and the minimum upper end of the chart's scale. */
const ROWS = /** @type {[string, (value: number) => string, number][]} */ ([
    ["fps", (value) => `${value.toFixed(0)} fps`, 60],
    ["bitrate", bitrate, 0.5],
    ["roundTrip", (value) => `${value.toFixed(1)} ms`, 10],
    ["buffered", (value) => `${value.toFixed(1)} ms`, 20],
    ["decode", (value) => `${value.toFixed(1)} ms`, 10],
    ["draw", (value) => `${value.toFixed(1)} ms`, 5],
    ["shown", (value) => `${value.toFixed(1)} ms`, 20],
    ["dropped", (value) => `${value.toFixed(0)} /s`, 5],
    ["lost", (value) => `${value.toFixed(0)} /s`, 5],
    ["repairs", (value) => `${value.toFixed(0)} /s`, 5],
    ["soundBuffered", (value) => `${value.toFixed(0)} ms`, 40],
    ["concealed", (value) => `${value.toFixed(1)} %`, 2],
]);

export class Statistics {
    #panel;
    #facts;
    #surface;
    #session;
    #seen;
    #heard;
    #more;
    #rows = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    /** @type {number | null} */
    #watch = null;
    /** @type {any} */
    #before;
    /** @type {any} */
    #soundBefore;
    /** @type {number[]} */
    #delays = [];

    /**
     * @param {HTMLElement} panel @param {HTMLElement} list @param {HTMLElement} facts
     * @param {import("../picture/surface.js").Surface} surface
     * @param {() => import("../session/session.js").Session | null} session
     * @param {() => Record<string, any> | null} seen returns the figures of a picture that this page draws itself, in the
     *   format of `figuresOf`, with its `decoder` as text
     * @param {() => object | null} heard returns the figures of sound that this page plays itself, in the format of
     *   `soundFiguresOf`
     * @param {() => string} more returns further text
     */
    constructor(panel, list, facts, surface, session, seen, heard, more) {
        this.#panel = panel;
        this.#facts = facts;
        this.#surface = surface;
        this.#session = session;
        this.#seen = seen;
        this.#heard = heard;
        this.#more = more;
        for (const [key, , least] of ROWS) {
            const [term, value] = ["dt", "dd"].map((tag) => document.createElement(tag));
            const canvas = document.createElement("canvas");
            term.textContent = /** @type {Record<string, string>} */ (words.statistics)[key];
            value.textContent = "–";
            canvas.setAttribute("aria-hidden", "true");
            list.append(term, canvas, value);
            this.#rows.set(key, {chart: new Chart(canvas, least), value});
        }
    }

    get isShown() { return !this.#panel.hidden; }

    toggle() {
        this.#panel.hidden = !this.#panel.hidden;
        clearInterval(this.#timer);
        // Cancel the callback; otherwise it would run in addition to the next one.
        if (this.#watch !== null) this.#surface.video.cancelVideoFrameCallback(this.#watch);
        this.#watch = null;
        this.#delays = [];
        this.#before = this.#soundBefore = undefined;
        if (this.#panel.hidden) return;
        this.#timer = setInterval(() => this.#sample(), INTERVAL);
        this.#sample();
        this.#watchFrames();
    }

    /** Records the time from each picture's last packet to the screen, as measured by the browser. */
    #watchFrames() {
        const {video} = this.#surface;
        if (!video.requestVideoFrameCallback) return;
        this.#watch = video.requestVideoFrameCallback((now, {receiveTime, expectedDisplayTime}) => {
            // Chromium sometimes reports a reception after the display.
            if (receiveTime && receiveTime <= expectedDisplayTime) this.#delays.push(expectedDisplayTime - receiveTime);
            this.#watchFrames();
        });
    }

    async #sample() {
        const session = this.#session();
        const report = await session?.connection?.getStats().catch(() => null);
        if (!report || this.#panel.hidden) return;
        const {inbound, sound, pair, local, remote, codec, soundCodec} = entriesOf(report);
        // The counters of another session start at 0.
        const figures = figuresOf(this.#before?.id === inbound?.id ? this.#before : undefined, inbound, pair);
        const seen = this.#seen(), own = this.#heard();
        const heard = own
            ?? soundFiguresOf(this.#soundBefore?.id === sound?.id ? this.#soundBefore : undefined, sound);
        this.#before = inbound;
        this.#soundBefore = sound;
        const delays = this.#delays.splice(0);
        const shown = delays.length ? delays.reduce((sum, delay) => sum + delay, 0) / delays.length : null;
        /** @type {Record<string, number | null>} */
        const all = {...figures, ...heard, roundTrip: session?.roundTrip ?? figures.roundTrip, shown, ...seen};
        for (const [key, text] of ROWS) {
            const {chart, value} = this.#rows.get(key);
            const figure = all[key] ?? null;
            chart.add(figure);
            value.textContent = figure === null ? "–" : text(figure);
        }
        this.#facts.textContent = [
            // While this page draws the picture, the browser decodes only echoes, so its figures are not the picture's.
            seen ? `${this.#surface.width} × ${this.#surface.height}`
                : inbound?.frameWidth && `${inbound.frameWidth} × ${inbound.frameHeight}`,
            codec?.mimeType?.replace("video/", ""), profileOf(codec?.sdpFmtpLine),
            seen ? seen.decoder : inbound?.decoderImplementation,
            // The browser has no codec entry for sound that it has not decoded.
            soundCodec?.mimeType?.replace("audio/", "") ?? (own && "opus"),
            local && remote && `${local.protocol} ${local.candidateType}–${remote.candidateType}`,
            this.#more(),
        ].filter(Boolean).join(" · ");
    }
}

/** @param {number} value */
function bitrate(value) {
    return value < 1 ? `${(value * 1000).toFixed(0)} kbit/s` : `${value.toFixed(1)} Mbit/s`;
}

/** Returns the H.264 profile, from the first two bytes of `profile-level-id`. */
function profileOf(parameters = "") {
    const [, profile, constraints] = /profile-level-id=(..)(..)/i.exec(parameters) ?? [];
    if (profile === "42") return parseInt(constraints, 16) & 0x40 ? "constrained baseline" : "baseline";
    return {"4d": "main", "64": "high", "f4": "high 4:4:4"}[profile?.toLowerCase()];
}
