// Sound: chooses the player, and handles the sound button and the volume slider.

import {words} from "../language/language.js";
import {canPlayLive, LiveSound, SoundDecoder} from "../sound/livesound.js";
import {Sound, wishOf} from "../sound/sound.js";
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

    /**
     * @param {object} page
     * @param {import("./settings.js").Settings} page.settings
     * @param {() => import("../session/session.js").Session | null} page.session
     * @param {(message: object) => boolean} page.tell sends a message to the host
     */
    constructor({settings, session, tell}) {
        this.#settings = settings;
        this.#session = session;
        this.sound = new Sound(wishOf(settings.values), {
            ask: (count, isInStep) => this.#ask(count, isInStep), tell,
            player: (track, receiver) => this.#player(track, receiver), changed: () => this.#show(),
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
    }

    /** @param {any} message the host's message */
    handle(message) { if (message.type === "audioSources") this.sound.offered(message); }

    /**
     * Requests tracks from the host. No decoder is needed in step with the picture, which only the browser's own player can do.
     * @param {number} count
     * @param {boolean} isInStep
     */
    async #ask(count, isInStep) {
        const session = this.#session();
        while (!isInStep && canPlayLive() && this.#decoders.length < count) this.#decoders.push(new SoundDecoder());
        await Promise.all(this.#decoders.map(({ready}) => ready));
        session?.askForSound(count, isInStep);
    }

    /**
     * Connects a decoder to the receiver of a requested track.
     * @param {RTCRtpReceiver} receiver @param {boolean} isInStep
     */
    decode(receiver, isInStep) {
        const at = isInStep ? -1 : this.#decoders.findIndex(({isReady}) => isReady);
        if (at < 0) return;
        const [decoder] = this.#decoders.splice(at, 1);
        decoder.stand(receiver);
        this.#standing.set(receiver, decoder);
    }

    /** @param {MediaStreamTrack} track @param {RTCRtpReceiver} receiver */
    #player(track, receiver) {
        const element = new Audio(), decoder = this.#standing.get(receiver);
        element.srcObject = new MediaStream([track]);
        return decoder ? new LiveSound(element, receiver, decoder) : element;
    }

    #show() {
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
