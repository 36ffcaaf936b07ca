// A worker between the network and the browser's own jitter buffer for sound: while it is live, it decodes each packet when it
// arrives, and passes the sound to the worklet; otherwise it passes packets on to the browser.

import {PacketOrder} from "./packetorder.js";

/** The maximum number of packets in the decoder; more mean that it is too slow. */
const MOST = 100;
const CONFIGURATION = {codec: "opus", sampleRate: 48000, numberOfChannels: 2};

/** @type {MessagePort} */
let packets;
/** @type {AudioDecoder | null} */
let decoder = null;
/** @type {PacketOrder} */
let order;
/**
 * The RTP timestamps of the packets in the decoder. The decoder's own timestamps are not used, because they ignore lost
 * packets.
 * @type {number[]}
 */
let timestamps;

/** @param {DecodedSound} sound */
function decoded(sound) {
    const channels = [0, 1].map((planeIndex) => {
        const samples = new Float32Array(sound.numberOfFrames);
        sound.copyTo(samples, {planeIndex, format: "f32-planar"});
        return samples;
    });
    sound.close();
    const timestamp = timestamps.shift();
    if (timestamp === undefined) return;
    packets.postMessage([timestamp, ...channels], channels.map(({buffer}) => buffer));
}

/**
 * Stops decoding, and passes packets on to the browser.
 * @param {any} [error]
 */
function stop(error) {
    if (!decoder) return;
    if (decoder.state !== "closed") decoder.close();
    decoder = null;
    if (error) postMessage({failed: String(error)});
}

/**
 * Decodes a packet; stops decoding if that fails.
 * @param {EncodedFrame} frame
 */
function take(frame) {
    const {rtpTimestamp = frame.timestamp, payloadType} = frame.getMetadata();
    const taken = order.take(payloadType, rtpTimestamp, new Uint8Array(frame.data));
    if (!taken) return void stop("a packet of another kind");
    for (const {timestamp, bytes} of taken) {
        if (timestamps.push(timestamp) > MOST) return void stop("a decoder that does not keep up");
        decoder?.decode(new EncodedAudioChunk({type: "key", timestamp: 0, data: bytes}));
    }
}

self.onrtctransform = async ({transformer: {readable, writable}}) => {
    const reader = readable.getReader(), writer = writable.getWriter();
    for (let count = 0;; count++) {
        const {done, value} = await reader.read();
        if (done) return;
        if (!count) postMessage({isThere: true});
        try {
            if (decoder) take(value);
        } catch (error) {
            stop(error);
        }
        if (!decoder) writer.write(value).catch(() => {});
    }
};

self.onmessage = async ({data}) => {
    if (data.packets) packets = data.packets;
    if (data.live === false) stop();
    if (!data.live) return;
    order = new PacketOrder(data.live);
    timestamps = [];
    decoder = new AudioDecoder({output: decoded, error: stop});
    decoder.configure(CONFIGURATION);
};

AudioDecoder.isConfigSupported(CONFIGURATION)
    .then(({supported}) => postMessage({isReady: supported}), () => postMessage({isReady: false}));
