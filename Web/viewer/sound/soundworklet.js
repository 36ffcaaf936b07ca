// Runs in the browser's audio thread, and plays the decoder's sound.

import {Playout} from "./playout.js";

/** The number of frames between reports, and between times of the sound that is heard. */
const REPORT = 48000, TIMES = 2400;

class SoundProcessor extends AudioWorkletProcessor {
    #playout;
    #frames = 0;
    // The number of frames since the last time was reported; `null` if nobody needs the times.
    /** @type {number | null} */
    #sinceTime = null;
    #wasPlaying = false;
    #isOver = false;

    /** @param {{processorOptions: {burst: number}}} options */
    constructor({processorOptions: {burst}}) {
        super();
        this.#playout = new Playout(burst);
        this.port.onmessage = ({data}) => {
            if (data.isTimed) this.#sinceTime = TIMES;
            else if (!data.packets) this.#isOver = true;
            else data.packets.onmessage = (/** @type {MessageEvent} */ event) => this.#take(event.data);
        };
    }

    /** @param {[number, ...Float32Array[]]} packet */
    #take([timestamp, ...channels]) { this.#playout.push(timestamp, channels); }

    /**
     * Reports which position of the sound is output after this block, at regular intervals, and when playback begins or stops.
     * @param {number} count the number of frames of the block
     */
    #time(count) {
        if (this.#sinceTime === null) return;
        const {isPlaying, at} = this.#playout;
        this.#sinceTime += count;
        if (isPlaying === this.#wasPlaying && (!isPlaying || this.#sinceTime < TIMES)) return;
        this.#sinceTime = 0;
        this.#wasPlaying = isPlaying;
        this.port.postMessage({heard: isPlaying ? at : null, time: currentTime + count / sampleRate});
    }

    /** @param {Float32Array[][]} _ @param {Float32Array[][]} outputs */
    process(_, [channels]) {
        this.#playout.pull(channels);
        this.#time(channels[0].length);
        this.#frames += channels[0].length;
        if (this.#frames >= REPORT) {
            this.#frames = 0;
            this.port.postMessage(this.#playout.report());
        }
        return !this.#isOver;
    }
}

registerProcessor("sound", SoundProcessor);
