// Adds sound to an established connection by another offer, which is sent on the data channel. There, only the two ends can
// read or change it; it needs no WebSocket, and does not delay the picture.

import {withStereo, withoutCandidates} from "./sdp.js";

/** The time-out of an offer in milliseconds. */
const PATIENCE = 10_000;

/**
 * @typedef {object} Ways
 * @property {(message: object) => boolean} send sends a message to the host
 * @property {(sdp: string) => boolean} isHosts returns true if a session description contains the proven certificate
 * @property {() => void} impostor called if it does not
 * @property {(receiver: RTCRtpReceiver, isInStep: boolean) => void} receives called with the receiver of a requested track
 * @property {() => void} refused called if the host sends no sound, or did not answer; the picture continues
 */
export class SoundOffer {
    #connection;
    #ways;
    /** @type {RTCRtpTransceiver[]} */
    #transceivers = [];
    /**
     * The requested sound, the last offered sound, and whether that offer is pending.
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
     * Requests sound from the host.
     * @param {number} count the number of tracks
     * @param {boolean} isInStep true to synchronise the picture with its sound
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
            // The synchronisation of a track can't be changed, so make new tracks.
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
     * Handles the host's answer.
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

    /** Rolls the offer back, because the host did not accept it. */
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
        // The request has changed meanwhile.
        if (!this.#isOver && this.#wanted !== this.#offered) this.#offer();
    }

    /** Ends the negotiation, because the connection is closed. */
    end() {
        this.#isOver = true;
        clearTimeout(this.#timer);
    }
}
