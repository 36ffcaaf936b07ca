// The host's sound: asked for once the picture is there, and heard as soon as the browser allows it.

/**
 * What there is to hear: `none`: the host has no sound, or gives none; `muted`: the person wants none; `blocked`: the
 * browser plays nothing before the person has touched the page; `on`.
 * @typedef {"none" | "muted" | "blocked" | "on"} SoundState
 *
 * @typedef {object} Wish  what the person wants, which is remembered
 * @property {boolean} isOn
 * @property {number} volume 0 to 1
 * @property {boolean} isInStep whether the picture waits for the sound that belongs to it
 *
 * @typedef {Pick<HTMLAudioElement, "volume" | "muted" | "srcObject" | "pause"> & {play: () => Promise<unknown>,
 *   figures?: Figures | null}} Player an element, or as much of one as is used here, and what it counts itself
 *
 * @typedef {{soundBuffered: number | null, concealed: number | null}} Figures as `soundFiguresOf` has them
 *
 * @typedef {object} Ways
 * @property {(count: number, isInStep: boolean) => void} ask for so many tracks
 * @property {(message: object) => void} tell the host
 * @property {(track: MediaStreamTrack, receiver: RTCRtpReceiver) => Player} player makes what plays a track, when told to
 * @property {() => void} changed `state` is another
 */
export class Sound {
    #ways;
    #wish;
    #count = 0;
    #hasPicture = false;
    /**
     * What was asked for: `null` before that, and where the host refused.
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

    /** Another session, or none: what the last one had is gone. */
    end() {
        for (const track of [...this.#players.keys()]) this.#drop(track);
        this.#forget();
        this.#ways.changed();
    }

    #forget() {
        this.#count = 0;
        this.#hasPicture = false;
        this.#asked = null;
        // What a host takes for granted.
        this.#told = {enabled: true, level: 1};
    }

    /**
     * The host says what sound it has.
     * @param {any} message
     */
    offered({system, microphone}) {
        this.#count = Number(system === true) + Number(microphone === true);
        this.#ask();
        this.#ways.changed();
    }

    /** The first picture is there: from now on nothing can delay it. */
    pictured() {
        this.#hasPicture = true;
        this.#ask();
    }

    /** The host gives none after all. */
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
     * What is counted of what is played; `null` where it is the browser that counts.
     * @returns {Figures | null}
     */
    get figures() {
        for (const {figures} of this.#players.values()) if (figures) return figures;
        return null;
    }

    /**
     * A track of the host's has come.
     * @param {MediaStreamTrack} track @param {RTCRtpReceiver} receiver of it
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

    /** The person has touched the page: what was blocked may be heard now. */
    touched() { return this.#isBlocked && this.#wish.isOn ? this.#play() : undefined; }

    /** @param {Partial<Wish>} wish @param {boolean} isFinal false while a slider still moves */
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
        // A browser may begin to play only once there is something to play.
        this.#isBlocked = false;
        this.#report();
        // A player that was taken away while it began fails too, but not so.
        this.#isBlocked = (await attempts).some((each) =>
            each.status === "rejected" && each.reason?.name === "NotAllowedError");
        this.#report();
        if (this.#isBlocked !== wasBlocked) this.#ways.changed();
    }

    /** What is not heard is not sent. */
    #report() {
        if (!this.#asked) return;
        const enabled = this.#wish.isOn && !this.#isBlocked, level = this.#wish.volume;
        if (enabled !== this.#told.enabled) this.#ways.tell({type: "audioEnabled", enabled});
        if (level !== this.#told.level) this.#ways.tell({type: "audioVolume", level});
        this.#told = {enabled, level};
    }
}

/**
 * What was stored of a wish, as far as it can be one.
 * @param {{sound?: unknown, volume?: unknown, inStep?: unknown}} stored
 * @returns {Wish}
 */
export function wishOf({sound, volume, inStep}) {
    return {
        isOn: sound !== false, isInStep: inStep === true,
        volume: typeof volume === "number" && volume >= 0 && volume <= 1 ? volume : 1,
    };
}
