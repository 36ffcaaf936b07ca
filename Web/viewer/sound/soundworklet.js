// Runs where the browser takes samples for the loudspeakers: plays what the decoder gives.

import {Playout} from "./playout.js";

const REPORT = 48000;

class SoundProcessor extends AudioWorkletProcessor {
    #playout;
    #frames = 0;
    #isOver = false;

    constructor({processorOptions: {burst}}) {
        super();
        this.#playout = new Playout(burst);
        this.port.onmessage = ({data}) => {
            if (!data.packets) this.#isOver = true;
            else data.packets.onmessage = ({data: [timestamp, ...channels]}) => this.#playout.push(timestamp, channels);
        };
    }

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
