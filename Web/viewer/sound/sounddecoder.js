// A worker between the network and the browser's own buffer for sound: while it is live it decodes each packet as it
// comes and gives it to the worklet; otherwise packets go on to the browser as if it were not there.

import {PacketOrder} from "./packetorder.js";

/** Packets that may be decoded at once: more are of a decoder that does not keep up. */
const MOST = 100;
const CONFIGURATION = {codec: "opus", sampleRate: 48000, numberOfChannels: 2};

/** @type {MessagePort} */
let packets;
/** @type {AudioDecoder | null} */
let decoder = null;
/** @type {PacketOrder} */
let order;
/**
 * RTP's times of the packets that are being decoded: decoders tell time as if nothing had ever been missing.
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
 * From now on packets go to the browser.
 * @param {any} [error]
 */
function stop(error) {
    if (!decoder) return;
    if (decoder.state !== "closed") decoder.close();
    decoder = null;
    if (error) postMessage({failed: String(error)});
}

/**
 * Decodes what is in a packet, and does not any more where it can't.
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
