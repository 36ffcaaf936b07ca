// Runs in the browser's audio thread, and plays the decoder's sound.

import {Playout} from "./playout.js";

const REPORT = 48000;

class SoundProcessor extends AudioWorkletProcessor {
    #playout;
    #frames = 0;
    #isOver = false;

    /** @param {{processorOptions: {burst: number}}} options */
    constructor({processorOptions: {burst}}) {
        super();
        this.#playout = new Playout(burst);
        this.port.onmessage = ({data}) => {
            if (!data.packets) this.#isOver = true;
            else data.packets.onmessage = (/** @type {MessageEvent} */ event) => this.#take(event.data);
        };
    }

    /** @param {[number, ...Float32Array[]]} packet */
    #take([timestamp, ...channels]) { this.#playout.push(timestamp, channels); }

    /** @param {Float32Array[][]} _ @param {Float32Array[][]} outputs */
    process(_, [channels]) {
        this.#playout.pull(channels);
        this.#frames += channels[0].length;
        if (this.#frames >= REPORT) {
            this.#frames = 0;
            this.port.postMessage(this.#playout.report());
        }
        return !this.#isOver;
    }
}

registerProcessor("sound", SoundProcessor);
