"""Scripts for a page, which measure when it shows flashes and how far its sound is from them."""

# Before it, for a page that keeps picture and sound together.
IN_STEP = """
if (location.host) localStorage["heliograph.settings"] = JSON.stringify({inStep: true});
"""

MEET = """
globalThis.nodes = [];
{
    const Node = AudioWorkletNode;
    globalThis.AudioWorkletNode = class extends Node {
        constructor(...all) { super(...all); nodes.push(this); }
    };
    const Connection = RTCPeerConnection;
    globalThis.connections = [];
    globalThis.RTCPeerConnection = class extends Connection {
        constructor(...all) { super(...all); connections.push(this); }
    };
}
// When flashes were seen, in milliseconds since 1970. box: parts of the picture.
globalThis.see = (box, seconds) => new Promise((tell) => {
    const [left, top, width, height] = box, end = performance.now() + seconds * 1000, flashes = [];
    let isSeen = true;
    const eye = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
    const look = () => {
        const one = [...document.querySelectorAll("#drawn, #picture")]
            .find((one) => !one.hidden && (one.videoWidth ?? one.width) > 1);
        const [wide, high] = [one.videoWidth ?? one.width, one.videoHeight ?? one.height];
        eye.drawImage(one, left * wide, top * high, width * wide, height * high, 0, 0, 1, 1);
        const seen = eye.getImageData(0, 0, 1, 1).data[1] > 128;
        if (seen && !isSeen) flashes.push(performance.timeOrigin + performance.now());
        isSeen = seen;
        if (performance.now() < end) requestAnimationFrame(look);
        else tell(flashes);
    };
    requestAnimationFrame(look);
});
// met: milliseconds by which the sound of each flash comes later than the flash.
globalThis.meet = async (box, seconds) => {
    const pass = (time) => new Promise((tell) => setTimeout(tell, time));
    let node;
    for (let i = 0; i < 60 && !(node = nodes.find(({context}) => context.state === "running")); i++) await pass(50);
    let context = node?.context, source = node;
    if (!node) {
        const track = connections.at(-1).getReceivers().map(({track}) => track).find(({kind}) => kind === "audio");
        context = new AudioContext();
        source = context.createMediaStreamSource(new MediaStream([track]));
    }
    const ear = context.createAnalyser();
    ear.fftSize = 256;
    source.connect(ear);
    const samples = new Float32Array(ear.fftSize), tones = [];
    let isHeard = true;
    const listen = setInterval(() => {
        ear.getFloatTimeDomainData(samples);
        const heard = samples.reduce((most, each) => Math.max(most, Math.abs(each)), 0) > 0.05;
        if (heard && !isHeard) tones.push(performance.now());
        isHeard = heard;
    }, 4);
    const flashes = (await see(box, seconds)).map((at) => at - performance.timeOrigin);
    clearInterval(listen);
    const met = flashes.map((flash) => tones.map((tone) => tone - flash).find((late) => Math.abs(late) < 400));
    return {met: met.filter((late) => late !== undefined), flashes: flashes.length, tones: tones.length, ownNode: !!node};
};
"""
