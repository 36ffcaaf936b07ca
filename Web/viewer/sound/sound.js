// The host's sound: requests it after the first picture, and plays it as soon as the browser permits.

/**
 * The state of the sound: `none`: the host has no sound, or sends none; `muted`: the user has turned it off; `blocked`: the
 * browser plays nothing before the user touches the page; `on`.
 * @typedef {"none" | "muted" | "blocked" | "on"} SoundState
 *
 * @typedef {object} Wish the user's settings, which are stored
 * @property {boolean} isOn
 * @property {number} volume 0 to 1
 * @property {boolean} isInStep true to synchronise the picture with its sound
 *
 * @typedef {Pick<HTMLAudioElement, "volume" | "muted" | "srcObject" | "pause"> & {play: () => Promise<unknown>,
 *   figures?: Figures | null}} Player an element, or an object with the part of its interface that is used here, and with its
 *   own figures
 *
 * @typedef {{soundBuffered: number | null, concealed: number | null}} Figures in the format of `soundFiguresOf`
 *
 * @typedef {object} Ways
 * @property {(count: number, isInStep: boolean) => void} ask requests tracks
 * @property {(message: object) => void} tell sends a message to the host
 * @property {(track: MediaStreamTrack, receiver: RTCRtpReceiver) => Player} player makes a player for a track
 * @property {() => void} changed called when `state` may have changed
 */
export class Sound {
    #ways;
    #wish;
    #count = 0;
    #hasPicture = false;
    /**
     * The last request; `null` before the first one, and after the host has refused.
     * @type {{count: number, isInStep: boolean} | null}
     */
    #asked = null;
    #isBlocked = false;
    /** @type {Map<MediaStreamTrack, Player>} */
    #players = new Map();
    /** @type {{enabled: boolean, level: number}} */
    #told;

    /** @param {Wish} wish @param {Ways} ways */
    constructor(wish, ways) {
        this.#wish = {...wish};
        this.#ways = ways;
        this.#forget();
    }

    /** @returns {SoundState} */
    get state() {
        if (!this.#count) return "none";
        if (!this.#wish.isOn) return "muted";
        return this.#isBlocked ? "blocked" : "on";
    }

    get wish() { return this.#wish; }

    /** Ends the session, and discards its tracks. */
    end() {
        for (const track of [...this.#players.keys()]) this.#drop(track);
        this.#forget();
        this.#ways.changed();
    }

    #forget() {
        this.#count = 0;
        this.#hasPicture = false;
        this.#asked = null;
        // The host's initial assumption.
        this.#told = {enabled: true, level: 1};
    }

    /**
     * Handles the host's message about its sound sources.
     * @param {any} message
     */
    offered({system, microphone}) {
        this.#count = Number(system === true) + Number(microphone === true);
        this.#ask();
        this.#ways.changed();
    }

    /** Requests the sound after the first picture, which it can no longer delay. */
    pictured() {
        this.#hasPicture = true;
        this.#ask();
    }

    /** Handles that the host sends no sound. */
    refused() {
        if (this.#players.size) return;
        this.#count = 0;
        this.#ways.changed();
    }

    #ask() {
        if (!this.#count || !this.#hasPicture || !this.#wish.isOn) return;
        const {isInStep} = this.#wish, count = this.#count;
        if (this.#asked?.count === count && this.#asked.isInStep === isInStep) return;
        this.#asked = {count, isInStep};
        this.#ways.ask(count, isInStep);
    }

    /**
     * The player's own figures; `null` if the browser has them.
     * @returns {Figures | null}
     */
    get figures() {
        for (const {figures} of this.#players.values()) if (figures) return figures;
        return null;
    }

    /**
     * Handles a new track of the host.
     * @param {MediaStreamTrack} track @param {RTCRtpReceiver} receiver the track's receiver
     */
    heard(track, receiver) {
        for (const old of [...this.#players.keys()]) if (old.readyState === "ended") this.#drop(old);
        const player = this.#ways.player(track, receiver);
        this.#players.set(track, player);
        track.onended = () => this.#drop(track);
        this.#apply();
        return this.#play();
    }

    /** @param {MediaStreamTrack} track */
    #drop(track) {
        const player = this.#players.get(track);
        this.#players.delete(track);
        if (!player) return;
        player.pause();
        player.srcObject = null;
    }

    /** Plays blocked sound, because the user has touched the page. */
    touched() { return this.#isBlocked && this.#wish.isOn ? this.#play() : undefined; }

    /** @param {Partial<Wish>} wish @param {boolean} isFinal false while a slider is being moved */
    want(wish, isFinal = true) {
        Object.assign(this.#wish, wish);
        this.#apply();
        if (!isFinal) return undefined;
        this.#ask();
        const played = wish.isOn ? this.#play() : undefined;
        this.#report();
        this.#ways.changed();
        return played;
    }

    #apply() {
        for (const player of this.#players.values()) {
            player.volume = this.#wish.volume;
            player.muted = !this.#wish.isOn;
        }
    }

    async #play() {
        const wasBlocked = this.#isBlocked;
        const attempts = Promise.allSettled([...this.#players.values()].map((player) => player.play()));
        // Request the sound first, because a browser may start to play only when sound arrives.
        this.#isBlocked = false;
        this.#report();
        // Ignore other errors, such as those of a player that was removed meanwhile.
        this.#isBlocked = (await attempts).some((each) =>
            each.status === "rejected" && each.reason?.name === "NotAllowedError");
        this.#report();
        if (this.#isBlocked !== wasBlocked) this.#ways.changed();
    }

    /** Reports to the host whether sound is heard, and its volume, so that the host does not send sound in vain. */
    #report() {
        if (!this.#asked) return;
        const enabled = this.#wish.isOn && !this.#isBlocked, level = this.#wish.volume;
        if (enabled !== this.#told.enabled) this.#ways.tell({type: "audioEnabled", enabled});
        if (level !== this.#told.level) this.#ways.tell({type: "audioVolume", level});
        this.#told = {enabled, level};
    }
}

/**
 * Converts stored values to valid settings.
 * @param {{sound?: unknown, volume?: unknown, inStep?: unknown}} stored
 * @returns {Wish}
 */
export function wishOf({sound, volume, inStep}) {
    return {
        isOn: sound !== false, isInStep: inStep === true,
        volume: typeof volume === "number" && volume >= 0 && volume <= 1 ? volume : 1,
    };
}
