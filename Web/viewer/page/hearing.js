// Sound: chooses the player, and handles the sound button and the volume slider.

import {words} from "../language/language.js";
import {canPlayLive, LiveSound, SoundDecoder} from "../sound/livesound.js";
import {Sound, wishOf} from "../sound/sound.js";
import {SoundTimes} from "../sound/soundtimes.js";
import {click, find, press} from "../ui/elements.js";

/** The time in milliseconds after a key press that starts playback in which pressing the button does not mute the sound. */
const WAKING = 1000;

export class Hearing {
    #settings;
    #session;
    /**
     * Decoders that wait for a track. `#standing` contains those that have a receiver.
     * @type {SoundDecoder[]}
     */
    #decoders = [];
    /** @type {WeakMap<RTCRtpReceiver, SoundDecoder>} */
    #standing = new WeakMap();
    #wokenAt = -Infinity;
    #hasVolume = hasVolume();
    #step;
    #times = new SoundTimes();
    /**
     * The receiver of the sound that the picture is kept in step with, the system's, which is requested first; and its player.
     * @type {RTCRtpReceiver | null}
     */
    #stepped = null;
    /** @type {LiveSound | HTMLAudioElement | null} */
    #player = null;

    /**
     * @param {object} page
     * @param {import("./settings.js").Settings} page.settings
     * @param {() => import("../session/session.js").Session | null} page.session
     * @param {(message: object) => boolean} page.tell sends a message to the host
     * @param {object} page.step keeps the page's own picture in step with the sound
     * @param {() => boolean} page.step.canDraw returns true if the page can be expected to draw the picture
     * @param {() => boolean} page.step.isDrawn returns true if the page draws the picture
     * @param {(sound: {at: number, time: number} | null) => void} page.step.heard called with the RTP timestamp of a picture
     *   whose sound is heard at a time in milliseconds; `null` if no sound is heard
     * @param {(isTied: boolean) => void} page.step.tied called with whether only the browser can keep both in step
     */
    constructor({settings, session, tell, step}) {
        this.#step = step;
        this.#settings = settings;
        this.#session = session;
        this.sound = new Sound(wishOf(settings.values), {
            ask: (count, isInStep) => this.#ask(count, isInStep), tell,
            player: (track, receiver) => this.#makePlayer(track, receiver), changed: () => this.#show(),
        });
        // Any first press permits the browser to play sound; presses of the sound button are handled separately.
        for (const type of ["pointerup", "keydown", "touchend"]) {
            window.addEventListener(type, ({target}) => {
                if (this.sound.state !== "blocked") return;
                if (find("sound-button").contains(/** @type {Node} */ (target))) return;
                this.#wokenAt = performance.now();
                this.sound.touched();
            }, {capture: true, passive: true});
        }
        click("sound-button", () => this.toggle());
        click("more-step", () => {
            const isInStep = !this.sound.wish.isInStep;
            this.#change({inStep: isInStep}, {isInStep});
        });
        const slider = find("volume");
        slider.addEventListener("input", () => this.sound.want({volume: Number(slider.value) / 100}, false));
        slider.addEventListener("change", () => {
            const volume = Number(slider.value) / 100;
            this.#change({volume}, {volume});
        });
    }

    toggle() {
        const {sound} = this, isOn = !sound.wish.isOn;
        if (sound.state === "blocked" || performance.now() - this.#wokenAt < WAKING) sound.touched();
        else if (sound.state !== "none") this.#change({sound: isOn}, {isOn});
    }

    /**
     * @param {Parameters<import("./settings.js").Settings["change"]>[0]} changes
     * @param {Partial<import("../sound/sound.js").Wish>} wish
     */
    #change(changes, wish) {
        this.#settings.change(changes);
        this.sound.want(wish);
        this.follow();
    }

    /** @param {any} message the host's message */
    handle(message) {
        if (message.type === "audioSources") this.sound.offered(message);
        if (message.type !== "soundTime") return;
        this.#times.told(message);
        this.follow();
    }

    /**
     * Requests tracks from the host. In step with a picture that the browser shows, no decoder is needed, because only the
     * browser's own player can do that; in step with the page's own picture, one decoder, for the system's sound.
     * @param {number} count
     * @param {boolean} isInStep
     */
    async #ask(count, isInStep) {
        const session = this.#session();
        const wanted = isInStep ? Number(this.#canStep()) : canPlayLive() ? count : 0;
        this.#stepped = this.#player = null;
        while (this.#decoders.length < wanted) this.#decoders.push(new SoundDecoder());
        await Promise.all(this.#decoders.map(({ready}) => ready));
        session?.askForSound(count, isInStep);
    }

    /**
     * Connects a decoder to the receiver of a requested track.
     * @param {RTCRtpReceiver} receiver @param {boolean} isInStep
     */
    decode(receiver, isInStep) {
        const isStepped = isInStep && !this.#stepped;
        if (isStepped) this.#stepped = receiver;
        const isLive = isInStep ? isStepped && this.#canStep() : true;
        const at = isLive ? this.#decoders.findIndex(({isReady}) => isReady) : -1;
        if (at < 0) return;
        const [decoder] = this.#decoders.splice(at, 1);
        decoder.stand(receiver);
        this.#standing.set(receiver, decoder);
    }

    /** @param {MediaStreamTrack} track @param {RTCRtpReceiver} receiver */
    #makePlayer(track, receiver) {
        const element = new Audio(), decoder = this.#standing.get(receiver);
        element.srcObject = new MediaStream([track]);
        const isStepped = receiver === this.#stepped;
        const step = isStepped ? this.#inStep() : null;
        const player = decoder ? new LiveSound(element, receiver, decoder, globalThis, step) : element;
        if (isStepped) this.#player = player;
        this.follow();
        return player;
    }

    /** @returns {import("../sound/livesound.js").Step} */
    #inStep() {
        return {
            isTimed: () => this.#times.isKnown, isDrawn: () => this.#step.isDrawn(), changed: () => this.#tie(),
            heard: (position, time) => {
                const at = position === null ? null : this.#times.pictureAt(position);
                this.#step.heard(at === null ? null : {at, time});
            },
        };
    }

    /**
     * Handles that the page has begun or ceased to draw the picture, that times of the sound are known, or that a setting has
     * changed.
     */
    follow() {
        if (this.#player instanceof LiveSound) this.#player.follow();
        this.#tie();
    }

    /** Determines whether only the browser can keep the picture in step with its sound. */
    #tie() {
        const {isInStep} = this.sound.wish, player = this.#player;
        const isBrowsers = player instanceof LiveSound ? player.isBrowsers : player !== null;
        this.#step.tied(isInStep && (isBrowsers || !this.#canStep()));
    }

    /** Returns true if the page can be expected to keep picture and sound in step by itself. */
    #canStep() { return this.#step.canDraw() && canPlayLive(); }

    /** Forgets the sound, because the session has ended, or the host sends none. */
    #forget() {
        this.#stepped = this.#player = null;
        this.#times.forget();
        this.#tie();
    }

    #show() {
        if (this.sound.state === "none") this.#forget();
        const {state, wish} = this.sound, button = find("sound-button"), isOn = state === "on";
        button.hidden = state === "none";
        button.classList.toggle("is-asking", state === "blocked");
        button.setAttribute("aria-pressed", String(isOn));
        button.setAttribute("aria-label", state === "blocked" ? words.sound.blockedLabel : words.sound.label);
        button.title = isOn ? words.sound.mute : state === "muted" ? words.sound.hear : words.sound.click;
        find("sound-icon").setAttribute("href", isOn ? "#icon-sound" : "#icon-silent");
        find("sound-text").hidden = state !== "blocked";
        find("volume-row").hidden = state === "none" || !this.#hasVolume;
        find("volume").value = String(Math.round(wish.volume * 100));
        find("more-step").hidden = state === "none";
        press("more-step", wish.isInStep);
    }
}

/** True if the volume can be set. On some phones, only the volume keys change it, and the property stays at 1. */
function hasVolume() {
    const element = new Audio();
    element.volume = 0.5;
    return element.volume === 0.5;
}
