// One session with the host, from the WebSocket to the picture: is let in, agrees on WebRTC, and carries messages until
// one end leaves. It never begins again by itself; client.js does that.

import {isEqual, randomBytes} from "../bytes/bytes.js";
import {Admission} from "./admission.js";
import {fingerprintOf} from "./sdp.js";
import {SoundOffer} from "./soundoffer.js";

/** Milliseconds: to reach the host and be greeted, and to reach it by WebRTC once let in. */
const GREETING_LIMIT = 10_000, CONNECTION_LIMIT = 20_000;
/** Milliseconds between pings, and without any sign of the host's before it counts as gone. */
const PING_INTERVAL = 1000, SILENCE_LIMIT = 4000;
/** The most pings that are remembered: a lossy path holds answers back for long, and the host is there all the same. */
const PING_LIMIT = 64;
/** Milliseconds that a path which browsers call disconnected has to come back by itself. */
const INTERRUPTION_LIMIT = 2500;
/** Milliseconds for an answer when the WebSocket of a session that goes on has ended. */
const FAREWELL_LIMIT = 1500;
/** Bytes of moves that may wait to go out: more are stale by the time they arrive. */
const MOVES_LIMIT = 8192;
/** Bytes that may wait there ahead of inputs: behind more, they come sooner by the other channel. */
const INPUTS_LIMIT = 1000;

/**
 * What this page calls itself towards the host where files are concerned, in every session of its life: what was cut off
 * goes on by that.
 */
const FILES = Array.from(randomBytes(16), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The end of the dependency descriptor's URI: by that extension packets name the pictures that theirs refers to. */
const DEPENDENCIES = "/av1-rtp-spec/#dependency-descriptor-rtp-header-extension";

/**
 * Why a session ended. `refused` and `violation` and `impostor` as in admission.js; `bye` with a `reason`;
 * `declined`: the host said `what` and hung up; `unreachable`: no WebSocket; `no-path`: let in, but WebRTC finds no way;
 * `lost`: it was there and is gone; `no-codec`, `no-webrtc`: this browser can't; `fetching-codec`: it can't yet, as
 * Firefox downloads what it decodes by; `left`: this end did.
 * @typedef {{kind: string, reason?: string, what?: string}} Ending
 *
 * @typedef {object} Handlers
 * @property {(host: import("./admission.js").Host) => import("./admission.js").Credential} choose
 * @property {(host: import("./admission.js").Host) => void} ask
 * @property {(code: string) => void} compare
 * @property {(control: boolean) => void} entered let in; WebRTC is on its way
 * @property {() => Promise<unknown> | null} [pictureReady] what the receiver of pictures waits for, if anything
 * @property {(transceiver: RTCRtpTransceiver) => void} [pictureAsked] the transceiver of pictures was made, in this very
 *     task, and is not offered yet
 * @property {(stream: MediaStream, receiver: RTCRtpReceiver) => void} picture
 * @property {(track: MediaStreamTrack, receiver: RTCRtpReceiver) => void} sound
 * @property {(receiver: RTCRtpReceiver, isInStep: boolean) => void} soundAsked a track is asked for, which this will receive
 * @property {() => void} soundRefused the host gives none
 * @property {() => void} opened messages go both ways
 * @property {(channel: RTCDataChannel) => void} transfer the channel of clipboard and files is open: older hosts close it
 * @property {(message: any) => void} message of the host, by either channel
 * @property {(isInterrupted: boolean) => void} interrupted the path is silent, or back
 * @property {() => void} ending the picture is about to go
 * @property {(ending: Ending) => void} ended once, and nothing after it
 */
export class Session {
    #on;
    /** @type {WebSocket} */
    #socket;
    /** @type {RTCPeerConnection} */
    #connection;
    /** @type {RTCRtpReceiver | undefined} */
    #receiver;
    /** @type {Admission} */
    #admission;
    /** @type {Record<string, RTCDataChannel>} */
    #channels = {};
    #isEntered = false;
    #isEnded = false;
    #isOffered = false;
    // What the host said last that it did not take.
    #complaint = "";
    /**
     * Candidates of this end before the offer has gone, and of the host before its answer.
     * @type {object[]}
     */
    #outgoing = [];
    /** @type {RTCIceCandidateInit[]} */
    #incoming = [];
    #timers = new Map();
    #pings = new Map();
    #pingCount = 0;
    /** When the host was heard last: by whatever came. */
    #heardAt = 0;
    /** When the last ping was due. */
    #pingedAt = 0;
    /**
     * How much had come when that was looked at last: bytes, and the path's checks.
     * @type {number | null}
     */
    #received = null;
    /** @type {SoundOffer} */
    #sound;

    /**
     * Milliseconds that the newest ping took to come back.
     * @type {number | null}
     */
    roundTrip = null;

    /**
     * @param {string} url of the WebSocket
     * @param {{name: string, isVisit: boolean, isPhone: boolean}} viewer as `Admission` tells it
     * @param {Handlers} handlers
     */
    constructor(url, viewer, handlers) {
        this.#on = handlers;
        if (typeof RTCPeerConnection !== "function") this.#endSoon({kind: "no-webrtc"});
        else if (!canDecode()) this.#endSoon(withoutCodec());
        else this.#begin(url, viewer);
    }

    /** @param {string} url @param {{name: string, isVisit: boolean, isPhone: boolean}} viewer */
    #begin(url, viewer) {
        this.#after("greeting", GREETING_LIMIT, () => this.#end({kind: "unreachable"}));
        // The certificate takes as long to make as the socket to open: side by side.
        const ready = this.#prepare();
        this.#socket = new WebSocket(url);
        this.#socket.onopen = async () => {
            try {
                const offer = /** @type {string} */ (await ready);
                if (this.#isEnded) return;
                // What a browser says that it can, and what it can before its decoder is there, may be two things.
                if (!/^a=rtpmap:\d+ H264\//im.test(offer)) return this.#end(withoutCodec());
                const fingerprint = /** @type {Uint8Array} */ (fingerprintOf(offer));
                this.#admission = new Admission({
                    fingerprint, ...viewer, choose: this.#on.choose, random: randomBytes,
                });
                this.#perform(this.#admission.begin());
            } catch {
                this.#end({kind: "no-webrtc"});
            }
        };
        this.#socket.onmessage = ({data}) => this.#heard(data);
        this.#socket.onclose = () => this.#socketClosed();
    }

    /** @returns {RTCPeerConnection | undefined} for statistics */
    get connection() { return this.#connection; }
    get credential() { return this.#admission?.credential; }

    /** The person says that the two codes are the same. */
    confirm() { this.#perform(this.#admission.confirm()); }

    /**
     * @param {"control" | "moves"} name the channel
     * @param {{type?: string, list?: any[], [member: string]: any}} message
     * @returns {boolean} whether it goes; by `moves` nothing does where too much still waits
     */
    send(name, message) {
        const channel = this.#channels[name];
        if (channel?.readyState !== "open") return false;
        const limit = message.type === "inputs" ? INPUTS_LIMIT : MOVES_LIMIT;
        if (name === "moves" && channel.bufferedAmount > limit) return false;
        channel.send(JSON.stringify(message));
        if ((message.list?.at(-1) ?? message).type === "mouseDown") this.#letOut();
        return true;
    }

    /**
     * Chromium leaves sending to another thread, which waits for this one where no processor is free; and a press keeps
     * this one busy for half a millisecond, with focus and selection. Asking what only that thread knows lets it go
     * first.
     */
    #letOut() { this.#receiver?.getSynchronizationSources?.(); }

    /**
     * Asks the host for its sound, on the same connection.
     * @param {number} count tracks
     * @param {boolean} isInStep whether the picture is to wait for the sound that belongs to it
     */
    askForSound(count, isInStep) { this.#sound?.ask(count, isInStep); }

    leave() { this.#end({kind: "left"}); }

    /** What this end has of it is of no use any more: another session is to come in its place. */
    renew() { this.#end({kind: "lost"}); }

    // What is made before it is known whether the host lets anybody in: it saves a round of waiting.
    async #prepare() {
        const connection = this.#connection = new RTCPeerConnection({bundlePolicy: "max-bundle"});
        const ready = this.#on.pictureReady?.();
        if (ready) await ready;
        if (this.#isEnded) return "";
        const transceiver = preferH264(connection.addTransceiver("video", {direction: "recvonly"})), {receiver} = transceiver;
        askForDependencies(transceiver);
        this.#on.pictureAsked?.(transceiver);
        hurry(receiver);
        this.#receiver = receiver;
        this.#sound = new SoundOffer(connection, {
            send: (message) => this.send("control", message),
            isHosts: (sdp) => this.#isHosts(sdp),
            impostor: () => this.#end({kind: "impostor"}),
            receives: (receiver, isInStep) => this.#on.soundAsked(receiver, isInStep),
            refused: () => this.#on.soundRefused(),
        });
        this.#open("control", {ordered: true});
        this.#open("moves", {ordered: false, maxRetransmits: 0});
        // Whatever becomes of this one, the session lives.
        const transfer = connection.createDataChannel("transfer", {ordered: true, protocol: FILES});
        transfer.onopen = () => { if (!this.#isEnded) this.#on.transfer(transfer); };
        connection.ontrack = ({track, receiver, streams: [stream]}) => {
            hurry(receiver);
            if (track.kind === "video") this.#on.picture(stream ?? new MediaStream([track]), receiver);
            else this.#on.sound(track, receiver);
        };
        connection.onicecandidate = ({candidate}) => this.#found(candidate);
        connection.onconnectionstatechange = () => this.#changed(connection.connectionState);
        const offer = await connection.createOffer();
        // Addresses are looked for meanwhile; none is told before the host has let this end in.
        await connection.setLocalDescription(offer);
        return offer.sdp;
    }

    /** @param {"control" | "moves" | "transfer"} label @param {RTCDataChannelInit} options */
    #open(label, options) {
        const channel = this.#connection.createDataChannel(label, options);
        this.#channels[label] = channel;
        channel.onopen = () => {
            if (Object.values(this.#channels).some(({readyState}) => readyState !== "open")) return;
            this.#cancel("connection");
            this.#heardAt = this.#pingedAt = performance.now();
            this.#ping();
            this.#on.opened();
        };
        channel.onmessage = ({data}) => {
            this.#heardAt = performance.now();
            const message = parsed(data);
            if (message?.type === "pong") this.#answered(message.id);
            else if (message?.type === "bye") this.#end({kind: "bye", reason: String(message.reason || "ended")});
            else if (message?.type === "audioAnswer") this.#sound.answered(String(message.sdp));
            else if (message?.type === "error" && message.about === "audioOffer") this.#sound.refuse();
            else if (message) this.#on.message(message);
        };
        channel.onclose = () => this.#end({kind: "lost"});
    }

    /** @param {unknown} data */
    #heard(data) {
        const message = parsed(data);
        if (!message) return;
        switch (message.type) {
        case "answer": return void this.#answer(message.sdp);
        case "candidate": return void this.#candidate(message);
        case "bye": return this.#end({kind: "bye", reason: String(message.reason || "ended")});
        case "error":
            this.#complaint = String(message.message ?? "");
            return;
        default: return this.#perform(this.#admission?.receive(message) ?? []);
        }
    }

    /** @param {import("./admission.js").Action[]} actions */
    #perform(actions) {
        for (const action of actions) {
            if (this.#isEnded) return;
            switch (action.do) {
            case "send": this.#tell(action.message); break;
            case "ask":
                this.#cancel("greeting");
                this.#on.ask(action.host);
                break;
            case "compare":
                this.#cancel("greeting");
                this.#on.compare(action.code);
                break;
            case "enter": this.#enter(action); break;
            case "end": this.#end(action.why); break;
            }
        }
    }

    /** @param {import("./admission.js").Action & {do: "enter"}} action */
    async #enter({control, iceServers}) {
        this.#cancel("greeting");
        this.#isEntered = true;
        this.#after("connection", CONNECTION_LIMIT, () => this.#end({kind: "no-path"}));
        this.#on.entered(control);
        const connection = this.#connection;
        try {
            if (iceServers.length) {
                // Where to ask for more addresses is known only now: they are looked for anew.
                connection.setConfiguration({...connection.getConfiguration(), iceServers});
                this.#outgoing = [];
                await connection.setLocalDescription(await connection.createOffer({iceRestart: true}));
            }
            if (this.#isEnded) return;
            this.#tell({type: "offer", sdp: connection.localDescription?.sdp});
            this.#isOffered = true;
            for (const candidate of this.#outgoing.splice(0)) this.#tell(candidate);
        } catch (error) {
            this.#end({kind: "violation", what: `it names servers that can't be used (${messageOf(error)})`});
        }
    }

    /** @param {string} sdp */
    async #answer(sdp) {
        if (!this.#isOffered || !this.#admission?.hostFingerprint) {
            return this.#end({kind: "violation", what: "its answer came out of order"});
        }
        // Whoever carries the messages could name another certificate than the one that was proven.
        if (!this.#isHosts(String(sdp))) return this.#end({kind: "impostor"});
        try {
            await this.#connection.setRemoteDescription({type: "answer", sdp});
            for (const candidate of this.#incoming.splice(0)) await this.#add(candidate);
        } catch (error) {
            this.#end({kind: "violation", what: `its answer can't be used (${messageOf(error)})`});
        }
    }

    /** @param {string} sdp */
    #isHosts(sdp) {
        const expected = this.#admission?.hostFingerprint, shown = fingerprintOf(sdp);
        return Boolean(expected && shown && isEqual(shown, expected));
    }

    /** @param {any} message */
    #candidate({candidate, sdpMid, sdpMLineIndex}) {
        if (typeof candidate !== "string") return;
        const told = {candidate, sdpMid: sdpMid ?? null, sdpMLineIndex: sdpMLineIndex ?? (sdpMid == null ? 0 : null)};
        if (this.#connection?.remoteDescription) this.#add(told);
        else this.#incoming.push(told);
    }

    // One that this browser does not understand is no reason to do without the others.
    /** @param {RTCIceCandidateInit} candidate */
    async #add(candidate) { await this.#connection.addIceCandidate(candidate).catch(() => {}); }

    /** @param {RTCIceCandidate | null} candidate */
    #found(candidate) {
        // An empty one ends a generation, null all of it: the second is told.
        if (candidate?.candidate === "") return;
        const message = {
            type: "candidate", candidate: candidate?.candidate ?? null, sdpMid: candidate?.sdpMid ?? null,
            sdpMLineIndex: candidate?.sdpMLineIndex ?? null,
        };
        if (this.#isOffered) this.#tell(message);
        else this.#outgoing.push(message);
    }

    /** @param {RTCPeerConnectionState} state */
    #changed(state) {
        const wasThere = this.#channels.control.readyState === "open";
        if (state === "failed") return this.#end({kind: wasThere ? "lost" : "no-path"});
        if (state === "closed") return this.#end({kind: "lost"});
        this.#on.interrupted(state === "disconnected");
        if (state === "disconnected") this.#endUnlessHeard("interruption", INTERRUPTION_LIMIT);
        else this.#cancel("interruption");
    }

    /**
     * Ends the session after a while in whose second half nothing at all came of the host; else looks again.
     * @param {string} name
     * @param {number} limit
     */
    #endUnlessHeard(name, limit) {
        this.#after(name, limit / 2, () => {
            this.#hears();
            this.#after(name, limit / 2, () => this.#ifSilent(limit / 2, () => this.#end({kind: "lost"}),
                () => this.#endUnlessHeard(name, limit)));
        });
    }

    // Browsers call a path disconnected when their own checks were lost, and a lost message holds back all answers behind
    // it: while pictures come, or anything else, the host is there.
    async #hears() {
        let received = 0;
        try {
            for (const report of (await this.#connection.getStats()).values()) {
                if (report.type !== "candidate-pair" && report.type !== "inbound-rtp") continue;
                // The checks of a path are no bytes in every browser.
                const {bytesReceived = 0, responsesReceived = 0, requestsReceived = 0} = report;
                received += bytesReceived + responsesReceived + requestsReceived;
            }
        } catch {
            // A browser that has no figures is believed what it says.
            return;
        }
        if (this.#received !== null && received > this.#received) this.#heardAt = performance.now();
        this.#received = received;
    }

    /**
     * Tells whether anything has come in the last so many milliseconds, for which figures may take some.
     * @param {number} time
     * @param {() => void} silent
     * @param {() => void} heard
     */
    async #ifSilent(time, silent, heard) {
        await this.#hears();
        if (!this.#isEnded) (performance.now() - this.#heardAt >= time - 200 ? silent : heard)();
    }

    // A host that was killed says nothing, and browsers take long to notice; nothing comes of it any more. Where the page
    // itself stood still, what came meanwhile is still to be seen: the host has two more pings then.
    #ping() {
        const now = performance.now();
        if (now - this.#pingedAt >= 2 * PING_INTERVAL) {
            this.#heardAt = Math.max(this.#heardAt, now - SILENCE_LIMIT + 2 * PING_INTERVAL);
        }
        this.#pingedAt = now;
        if (now - this.#heardAt >= SILENCE_LIMIT) return this.#end({kind: "lost"});
        // An answer that is late is looked for in all else that comes.
        if (this.#pings.size) this.#hears();
        if (this.#pings.size >= PING_LIMIT) this.#pings.delete(this.#pings.keys().next().value);
        const id = ++this.#pingCount;
        if (this.send("control", {type: "ping", id})) this.#pings.set(id, performance.now());
        this.#after("ping", PING_INTERVAL, () => this.#ping());
    }

    /** @param {number} id */
    #answered(id) {
        const sent = this.#pings.get(id);
        if (sent === undefined) return;
        this.roundTrip = performance.now() - sent;
        // One that comes back says that the host lives: those before it are not waited for.
        for (const older of this.#pings.keys()) if (older <= id) this.#pings.delete(older);
    }

    #socketClosed() {
        const isWatching = this.#channels.control?.readyState === "open";
        // What it did not take is why it hangs up.
        if (!isWatching && this.#complaint) return this.#end({kind: "declined", what: this.#complaint});
        if (!this.#isEntered) return this.#end({kind: "unreachable"});
        // The session does not need it any more, but a host that ended closes it first: ask right away.
        if (!isWatching) return this.#end({kind: "lost"});
        this.#after("ping", 0, () => this.#ping());
        this.#after("silence", FAREWELL_LIMIT / 2, () => {
            this.#hears();
            this.#after("silence", FAREWELL_LIMIT / 2, () => {
                if (this.#pings.size) this.#ifSilent(FAREWELL_LIMIT / 2, () => this.#end({kind: "lost"}), () => {});
            });
        });
    }

    /** @param {object} message */
    #tell(message) {
        if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
    }

    /** @param {string} name @param {number} delay @param {() => void} action */
    #after(name, delay, action) {
        clearTimeout(this.#timers.get(name));
        this.#timers.set(name, setTimeout(action, delay));
    }

    /** @param {string} name */
    #cancel(name) { clearTimeout(this.#timers.get(name)); }
    /** @param {Ending} ending */
    #endSoon(ending) { this.#after("end", 0, () => this.#end(ending)); }

    /** @param {Ending} ending */
    #end(ending) {
        if (this.#isEnded) return;
        this.#isEnded = true;
        for (const timer of this.#timers.values()) clearTimeout(timer);
        this.#sound?.end();
        this.#on.ending();
        this.#socket?.close();
        this.#connection?.close();
        this.#on.ended(ending);
    }
}

/**
 * Nothing but an object with a `type` is a message.
 * @param {unknown} data
 */
function parsed(data) {
    try {
        const message = JSON.parse(String(data));
        return typeof message?.type === "string" ? message : null;
    } catch {
        return null;
    }
}

/**
 * Whether whole pictures have come, and none was decoded.
 * @param {RTCPeerConnection | undefined} connection
 */
export async function hasUndecodedPicture(connection) {
    const reports = await connection?.getStats().catch(() => null);
    return [...reports?.values() ?? []].some(({type, kind, framesReceived, framesDecoded}) =>
        type === "inbound-rtp" && kind === "video" && framesReceived > 0 && !framesDecoded);
}

/** @param {unknown} error */
const messageOf = (error) => /** @type {Error} */ (error).message;

/** Whether this browser says that it decodes what the host sends. Firefox does once its plug-in was downloaded. */
export const canDecode = () => codecs().length > 0;

/** How a session ends that has no decoder: Firefox downloads its own by itself, minutes after it was first started. */
const withoutCodec = () => ({kind: /\bFirefox\//.test(navigator.userAgent) ? "fetching-codec" : "no-codec"});

/** What H.264 this browser can receive, as the host sends it: in packets that may be cut. */
function codecs() {
    const all = RTCRtpReceiver.getCapabilities?.("video")?.codecs;
    // A browser that does not say what it can is asked by the offer itself.
    if (!all) return [null];
    return all.filter(({mimeType, sdpFmtpLine}) =>
        /^video\/h264$/i.test(mimeType) && /packetization-mode=1/.test(sdpFmtpLine ?? ""));
}

/** @param {RTCRtpTransceiver} transceiver */
function preferH264(transceiver) {
    const wanted = codecs().flatMap((each) => (each ? [each] : []));
    if (wanted[0] && transceiver.setCodecPreferences) {
        // Without FlexFEC among these, the host has no parity to send: what is lost is missing for a round trip or more.
        const repair = RTCRtpReceiver.getCapabilities("video")?.codecs.filter(({mimeType}) =>
            /\/(rtx|flexfec-03)$/i.test(mimeType)) ?? [];
        transceiver.setCodecPreferences([...wanted, ...repair]);
    }
    return transceiver;
}

/**
 * A picture is shown as soon as it is there: nothing is held back to even out the network.
 * @param {RTCRtpReceiver} receiver
 */
function hurry(receiver) {
    if ("jitterBufferTarget" in receiver) receiver.jitterBufferTarget = 0;
    if ("playoutDelayHint" in receiver) receiver.playoutDelayHint = 0;
}

/**
 * Asks for the dependency descriptor, which browsers know and don't offer by themselves: with it they show a picture that makes
 * up for lost ones, where they would wait for a keyframe, and give a worker each as soon as it is whole.
 * @param {RTCRtpTransceiver} transceiver
 */
export function askForDependencies(transceiver) {
    try {
        const extensions = transceiver.getHeaderExtensionsToNegotiate?.() ?? [];
        const wanted = extensions.find(({uri}) => uri.endsWith(DEPENDENCIES));
        if (!wanted) return;
        wanted.direction = "sendrecv";
        transceiver.setHeaderExtensionsToNegotiate?.(extensions);
    } catch {
        // The connection works without the descriptor, as in other browsers.
    }
}
