// How sound comes to a connection that stands: by another offer, which goes by the data channel. Nobody but the two ends
// can read or change it there, it needs no WebSocket, and it comes behind the picture.

import {withStereo, withoutCandidates} from "./sdp.js";

/** Milliseconds that an offer may wait for its answer. */
const PATIENCE = 10_000;

/**
 * @typedef {object} Ways
 * @property {(message: object) => boolean} send to the host
 * @property {(sdp: string) => boolean} isHosts whether a description has the certificate that was proven
 * @property {() => void} impostor it has not
 * @property {(receiver: RTCRtpReceiver, isInStep: boolean) => void} receives a track is asked for, which this will receive
 * @property {() => void} refused the host gives no sound, or did not answer; the picture goes on
 */
export class SoundOffer {
    #connection;
    #ways;
    /** @type {RTCRtpTransceiver[]} */
    #transceivers = [];
    /**
     * What is wanted, what was offered last, and whether that waits for its answer.
     * @type {{count: number, isInStep: boolean} | null}
     */
    #wanted = null;
    /** @type {{count: number, isInStep: boolean} | null} */
    #offered = null;
    #isPending = false;
    #isOver = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;

    /** @param {RTCPeerConnection} connection @param {Ways} ways */
    constructor(connection, ways) {
        this.#connection = connection;
        this.#ways = ways;
    }

    /**
     * @param {number} count tracks
     * @param {boolean} isInStep whether the picture is to wait for the sound that belongs to it
     */
    ask(count, isInStep) {
        this.#wanted = {count, isInStep};
        return this.#isPending ? undefined : this.#offer();
    }

    async #offer() {
        const connection = this.#connection, wanted = /** @type {{count: number, isInStep: boolean}} */ (this.#wanted);
        this.#isPending = true;
        this.#timer = setTimeout(() => this.refuse(), PATIENCE);
        try {
            // What belongs together in time is fixed when a track begins.
            if (this.#offered && this.#offered.isInStep !== wanted.isInStep) {
                for (const transceiver of this.#transceivers.splice(0)) transceiver.stop();
            }
            this.#offered = wanted;
            while (this.#transceivers.length < wanted.count) {
                const transceiver = connection.addTransceiver("audio", {direction: "recvonly"});
                this.#transceivers.push(transceiver);
                this.#ways.receives(transceiver.receiver, wanted.isInStep);
            }
            const {sdp} = await connection.createOffer();
            await connection.setLocalDescription({type: "offer", sdp: withStereo(sdp ?? "")});
            if (this.#isOver) return;
            const told = withoutCandidates(connection.localDescription?.sdp ?? "");
            this.#ways.send({type: "audioOffer", sdp: told, ...(wanted.isInStep && {inStep: true})});
        } catch {
            await this.refuse();
        }
    }

    /**
     * The host's answer.
     * @param {string} sdp
     */
    async answered(sdp) {
        if (!this.#isPending || this.#connection.signalingState !== "have-local-offer") return;
        if (!this.#ways.isHosts(sdp)) return void this.#ways.impostor();
        clearTimeout(this.#timer);
        try {
            await this.#connection.setRemoteDescription({type: "answer", sdp});
        } catch {
            return void await this.refuse();
        }
        this.#settled();
    }

    /** The host does not take the offer: all goes on as it was. */
    async refuse() {
        if (!this.#isPending || this.#isOver) return;
        clearTimeout(this.#timer);
        if (this.#connection.signalingState === "have-local-offer") {
            await this.#connection.setLocalDescription({type: "rollback"}).catch(() => {});
        }
        if (this.#isOver) return;
        this.#ways.refused();
        this.#settled();
    }

    #settled() {
        this.#isPending = false;
        // The person has changed their mind meanwhile.
        if (!this.#isOver && this.#wanted !== this.#offered) this.#offer();
    }

    /** The connection is closed. */
    end() {
        this.#isOver = true;
        clearTimeout(this.#timer);
    }
}
