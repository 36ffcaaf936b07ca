// One session with the host, from the first message to the picture: obtains admission, negotiates WebRTC, and exchanges messages
// until one end leaves. It never reconnects; client.js does.

import {isEqual, randomBytes} from "../bytes/bytes.js";
import {Admission} from "./admission.js";
import {fingerprintOf} from "./sdp.js";
import {SoundOffer} from "./soundoffer.js";

/** The time-outs in milliseconds: until the host's greeting, and from the admission until WebRTC is connected. */
const GREETING_LIMIT = 10_000, CONNECTION_LIMIT = 20_000;
/** The interval in milliseconds between pings, and the time without any sign of the host after which it counts as gone. */
const PING_INTERVAL = 1000, SILENCE_LIMIT = 4000;
/** The maximum number of unanswered pings to remember: on a lossy path, answers may be delayed although the host is alive. */
const PING_LIMIT = 64;
/** The time in milliseconds for a path that the browser reports as disconnected to recover. */
const INTERRUPTION_LIMIT = 2500;
/** The time in milliseconds for a reply after the signalling of a running session has closed. */
const FAREWELL_LIMIT = 1500;
/** The maximum number of queued bytes of moves; more would be outdated when they arrive. */
const MOVES_LIMIT = 8192;
/** The maximum number of queued bytes before inputs; behind more, inputs arrive sooner on the other channel. */
const INPUTS_LIMIT = 1000;

/** This page's identifier for file transfers, the same in all its sessions, so that interrupted transfers can resume. */
const FILES = Array.from(randomBytes(16), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * The end of the URI of the dependency descriptor, the RTP header extension in which packets name the pictures that theirs
 * depends on.
 */
const DEPENDENCIES = "/av1-rtp-spec/#dependency-descriptor-rtp-header-extension";

/**
 * The reason why a session ended. `refused`, `violation` and `impostor` as in admission.js; `bye` with a `reason`; `declined`:
 * the host reported the error `what` and closed the connection; `unreachable`: no answer; `no-path`: admitted, but WebRTC
 * can't connect; `lost`: an established session was lost; `no-codec`, `no-webrtc`: this browser lacks support;
 * `fetching-codec`: it lacks support until Firefox has downloaded its decoder; `left`: this end has left. At a rendezvous also:
 * `offline`: the host is not connected to it; `busy`: the host takes no more calls; `too-fast`: too many attempts; `crowded`,
 * `blocked`: the rendezvous turns this browser away; `no-rendezvous`: it does not answer; `insecure`: the page did not come by
 * HTTPS; `no-link`: the page does not know which host to call.
 * @typedef {{kind: string, reason?: string, what?: string}} Ending
 *
 * @typedef {object} Handlers
 * @property {(host: import("./admission.js").Host) => import("./admission.js").Credential} choose
 * @property {(host: import("./admission.js").Host) => void} ask
 * @property {(code: string) => void} compare
 * @property {(control: boolean) => void} entered called when admitted; WebRTC is connecting
 * @property {() => Promise<unknown> | null} [pictureReady] returns a promise that has to resolve before the receiver of
 *   pictures is made
 * @property {(transceiver: RTCRtpTransceiver) => void} [pictureAsked] called with the transceiver of pictures in the task that
 *   made it, before it is offered
 * @property {(stream: MediaStream, receiver: RTCRtpReceiver) => void} picture
 * @property {(track: MediaStreamTrack, receiver: RTCRtpReceiver) => void} sound
 * @property {(receiver: RTCRtpReceiver, isInStep: boolean) => void} soundAsked called with the receiver of a requested track
 * @property {() => void} soundRefused called if the host sends no sound
 * @property {() => void} opened called when messages can be exchanged
 * @property {(channel: RTCDataChannel) => void} transfer called when the channel of clipboard and files is open; older hosts
 *   close it
 * @property {(message: any) => void} message called with each message of the host, on either channel
 * @property {(isInterrupted: boolean) => void} interrupted called when the network path is interrupted, or works again
 * @property {() => void} ending called before the picture disappears
 * @property {(ending: Ending) => void} ended called once, as the last handler
 */
export class Session {
    #on;
    /** @type {import("./signalling.js").Signalling} */
    #signalling;
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
    // The last error that the host reported.
    #complaint = "";
    /**
     * Candidates that wait: this end's until the offer is sent, the host's until its answer arrives.
     * @type {object[]}
     */
    #outgoing = [];
    /** @type {RTCIceCandidateInit[]} */
    #incoming = [];
    #timers = new Map();
    #pings = new Map();
    #pingCount = 0;
    /** The time when anything was last received from the host. */
    #heardAt = 0;
    /** The time when the last ping was due. */
    #pingedAt = 0;
    /**
     * The amount received at the last check: bytes, and connectivity checks.
     * @type {number | null}
     */
    #received = null;
    /** @type {SoundOffer} */
    #sound;

    /**
     * The round trip of the newest answered ping, in milliseconds.
     * @type {number | null}
     */
    roundTrip = null;

    /**
     * @param {() => import("./signalling.js").Signalling} open opens the way for messages to the host
     * @param {{name: string, isVisit: boolean, isPhone: boolean}} viewer the viewer's properties for `Admission`
     * @param {Handlers} handlers
     */
    constructor(open, viewer, handlers) {
        this.#on = handlers;
        if (typeof RTCPeerConnection !== "function") this.#endSoon({kind: "no-webrtc"});
        else if (!canDecode()) this.#endSoon(withoutCodec());
        else this.#begin(open, viewer);
    }

    /**
     * @param {() => import("./signalling.js").Signalling} open
     * @param {{name: string, isVisit: boolean, isPhone: boolean}} viewer
     */
    #begin(open, viewer) {
        this.#after("greeting", GREETING_LIMIT, () => this.#end({kind: "unreachable"}));
        // Make the certificate while the way opens, because both take some time.
        const ready = this.#prepare();
        const signalling = this.#signalling = open();
        signalling.onopen = async () => {
            try {
                const offer = /** @type {string} */ (await ready);
                if (this.#isEnded) return;
                // Before the decoder is available, a browser's capabilities and its offer may differ.
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
        signalling.onmessage = (text) => this.#heard(text);
        signalling.onclose = (why) => this.#signallingClosed(why);
    }

    /** @returns {RTCPeerConnection | undefined} for statistics */
    get connection() { return this.#connection; }
    get credential() { return this.#admission?.credential; }

    /** Handles the user's confirmation that the codes match. */
    confirm() { this.#perform(this.#admission.confirm()); }

    /**
     * Sends a message.
     * @param {"control" | "moves"} name the channel
     * @param {{type?: string, list?: any[], [member: string]: any}} message
     * @returns {boolean} false if it could not be sent, because the channel is not open, or too many bytes are queued on
     *   `moves`
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
     * Lets Chromium's network thread run, which sends messages, and may wait for this thread if no processor is free; handling
     * a press keeps this thread busy for half a millisecond. A query that only the network thread can answer lets it run first.
     */
    #letOut() { this.#receiver?.getSynchronizationSources?.(); }

    /**
     * Requests the host's sound on the same connection.
     * @param {number} count tracks
     * @param {boolean} isInStep true to synchronise the picture with its sound
     */
    askForSound(count, isInStep) { this.#sound?.ask(count, isInStep); }

    leave() { this.#end({kind: "left"}); }

    /** Ends this session as lost, so that a new one replaces it. */
    renew() { this.#end({kind: "lost"}); }

    // Prepares the connection before it is known whether the host admits this viewer, which saves a round trip.
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
        // The session does not depend on this channel.
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
        // Candidates are gathered meanwhile, but not sent before the host has admitted this viewer.
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

    /** @param {string} text */
    #heard(text) {
        const message = parsed(text);
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
            const servers = [...iceServers, ...this.#signalling.iceServers];
            if (servers.length) {
                // The ICE servers are only known now, so gather the candidates again.
                connection.setConfiguration({...connection.getConfiguration(), iceServers: servers});
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
        // An intermediary could replace the certificate whose fingerprint was proven.
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

    // Ignores a candidate that this browser does not understand.
    /** @param {RTCIceCandidateInit} candidate */
    async #add(candidate) { await this.#connection.addIceCandidate(candidate).catch(() => {}); }

    /** @param {RTCIceCandidate | null} candidate */
    #found(candidate) {
        // An empty candidate ends a generation, `null` ends gathering; only the latter is sent.
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
     * Ends the session if nothing is received from the host in the second half of the time limit; otherwise checks again.
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

    // Checks whether anything was received. Browsers report a path as disconnected when their own checks were lost, and a lost
    // message delays all answers behind it; the host is alive as long as pictures or other packets arrive.
    async #hears() {
        let received = 0;
        try {
            for (const report of (await this.#connection.getStats()).values()) {
                if (report.type !== "candidate-pair" && report.type !== "inbound-rtp") continue;
                // Some browsers do not include connectivity checks in the bytes.
                const {bytesReceived = 0, responsesReceived = 0, requestsReceived = 0} = report;
                received += bytesReceived + responsesReceived + requestsReceived;
            }
        } catch {
            // Without statistics, the browser's state is all that is known.
            return;
        }
        if (this.#received !== null && received > this.#received) this.#heardAt = performance.now();
        this.#received = received;
    }

    /**
     * Calls `silent` or `heard` depending on whether anything was received in the last `time` milliseconds.
     * @param {number} time
     * @param {() => void} silent
     * @param {() => void} heard
     */
    async #ifSilent(time, silent, heard) {
        await this.#hears();
        if (!this.#isEnded) (performance.now() - this.#heardAt >= time - 200 ? silent : heard)();
    }

    // Sends a ping. Detects a host that was killed, which sends nothing, and which browsers notice late. If the page itself was
    // suspended, messages may still be queued, so the host gets two more pings.
    #ping() {
        const now = performance.now();
        if (now - this.#pingedAt >= 2 * PING_INTERVAL) {
            this.#heardAt = Math.max(this.#heardAt, now - SILENCE_LIMIT + 2 * PING_INTERVAL);
        }
        this.#pingedAt = now;
        if (now - this.#heardAt >= SILENCE_LIMIT) return this.#end({kind: "lost"});
        // If an answer is late, check whether anything else was received.
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
        // An answer shows that the host is alive, so older pings are no longer awaited.
        for (const older of this.#pings.keys()) if (older <= id) this.#pings.delete(older);
    }

    /** @param {Ending | null} why */
    #signallingClosed(why) {
        const isWatching = this.#channels.control?.readyState === "open";
        // The host closed the connection because of the error that it reported.
        if (!isWatching && this.#complaint) return this.#end({kind: "declined", what: this.#complaint});
        if (why && !isWatching) return this.#end(why);
        if (!this.#isEntered) return this.#end({kind: "unreachable"});
        // The session no longer needs this way, but a host that ends closes it first: ping at once.
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
        this.#signalling?.send(JSON.stringify(message));
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
        this.#signalling?.close();
        this.#connection?.close();
        this.#on.ended(ending);
    }
}

/**
 * Parses a message: a JSON object with a `type`.
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
 * Returns true if complete pictures were received, but none was decoded.
 * @param {RTCPeerConnection | undefined} connection
 */
export async function hasUndecodedPicture(connection) {
    const reports = await connection?.getStats().catch(() => null);
    return [...reports?.values() ?? []].some(({type, kind, framesReceived, framesDecoded}) =>
        type === "inbound-rtp" && kind === "video" && framesReceived > 0 && !framesDecoded);
}

/** @param {unknown} error */
const messageOf = (error) => /** @type {Error} */ (error).message;

/** Returns true if this browser reports a decoder for the host's stream. Firefox does once its plug-in was downloaded. */
export const canDecode = () => codecs().length > 0;

/** Returns the ending for a missing decoder. Firefox downloads its decoder by itself, minutes after its first start. */
const withoutCodec = () => ({kind: /\bFirefox\//.test(navigator.userAgent) ? "fetching-codec" : "no-codec"});

/**
 * Returns the H.264 formats that this browser can receive with the host's packetization, in which packets may be fragmented.
 */
function codecs() {
    const all = RTCRtpReceiver.getCapabilities?.("video")?.codecs;
    // A browser without this API is tested by the offer itself.
    if (!all) return [null];
    return all.filter(({mimeType, sdpFmtpLine}) =>
        /^video\/h264$/i.test(mimeType) && /packetization-mode=1/.test(sdpFmtpLine ?? ""));
}

/** @param {RTCRtpTransceiver} transceiver */
function preferH264(transceiver) {
    const wanted = codecs().flatMap((each) => (each ? [each] : []));
    if (wanted[0] && transceiver.setCodecPreferences) {
        // Keep RTX and FlexFEC: without FlexFEC, the host can't send parity packets, and a loss takes at least a round trip to
        // repair.
        const repair = RTCRtpReceiver.getCapabilities("video")?.codecs.filter(({mimeType}) =>
            /\/(rtx|flexfec-03)$/i.test(mimeType)) ?? [];
        transceiver.setCodecPreferences([...wanted, ...repair]);
    }
    return transceiver;
}

/**
 * Shows pictures as soon as they are complete, without a delay to smooth the network's jitter.
 * @param {RTCRtpReceiver} receiver
 */
function hurry(receiver) {
    if ("jitterBufferTarget" in receiver) receiver.jitterBufferTarget = 0;
    if ("playoutDelayHint" in receiver) receiver.playoutDelayHint = 0;
}

/**
 * Requests the dependency descriptor, which browsers support but do not offer by default. With it, they show a repair picture,
 * where they would otherwise wait for a keyframe, and pass each picture to a worker as soon as it is complete.
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
