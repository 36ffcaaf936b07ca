// A worker between the network and the browser's own buffer for sound: while it is live it decodes each packet as it
// comes and gives it to the worklet; otherwise packets go on to the browser as if it were not there.

import {PacketOrder} from "./packetorder.js";

const CONFIGURATION = {codec: "opus", sampleRate: 48000, numberOfChannels: 2};

let packets, decoder = null, order;

function decoded(sound) {
    const channels = [0, 1].map((planeIndex) => {
        const samples = new Float32Array(sound.numberOfFrames);
        sound.copyTo(samples, {planeIndex, format: "f32-planar"});
        return samples;
    });
    const timestamp = order.timestampAt(sound.timestamp);
    sound.close();
    packets.postMessage([timestamp, ...channels], channels.map(({buffer}) => buffer));
}

/** From now on packets go to the browser. */
function stop(error) {
    if (!decoder) return;
    if (decoder.state !== "closed") decoder.close();
    decoder = null;
    if (error) postMessage({failed: String(error)});
}

function take(frame) {
    const {rtpTimestamp = frame.timestamp, payloadType} = frame.getMetadata();
    const taken = order.take(payloadType, rtpTimestamp, new Uint8Array(frame.data));
    if (!taken) return void stop("a packet of another kind");
    for (const {time, bytes} of taken) {
        decoder.decode(new EncodedAudioChunk({type: "key", timestamp: time, data: bytes}));
    }
}

self.onrtctransform = async ({transformer: {readable, writable}}) => {
    const reader = readable.getReader(), writer = writable.getWriter();
    for (;;) {
        const {done, value} = await reader.read();
        if (done) return;
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
    decoder = new AudioDecoder({output: decoded, error: stop});
    decoder.configure(CONFIGURATION);
};

AudioDecoder.isConfigSupported(CONFIGURATION)
    .then(({supported}) => postMessage({isReady: supported}), () => postMessage({isReady: false}));
