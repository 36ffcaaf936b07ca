// Sound: who plays it, and the button and the slider that say so.

import {words} from "../language/language.js";
import {canPlayLive, LiveSound, SoundDecoder} from "../sound/livesound.js";
import {Sound, wishOf} from "../sound/sound.js";
import {click, find, press} from "../ui/elements.js";

/** Milliseconds in which the keys that let the browser play are the same wish as the last of them. */
const WAKING = 1000;

export class Hearing {
    #settings;
    #session;
    /**
     * Decoders that wait for a track, and those that have a receiver.
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
     * @param {(message: object) => boolean} page.tell the host
     */
    constructor({settings, session, tell}) {
        this.#settings = settings;
        this.#session = session;
        this.sound = new Sound(wishOf(settings.values), {
            ask: (count, isInStep) => this.#ask(count, isInStep), tell,
            player: (track, receiver) => this.#player(track, receiver), changed: () => this.#show(),
        });
        // Whatever the person does first lets the browser play; what the button is pressed for it does itself.
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

    /** @param {any} message of the host */
    handle(message) { if (message.type === "audioSources") this.sound.offered(message); }

    /**
     * The browser alone can make the picture wait for the sound that belongs to it: then there is nothing to decode here.
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
     * A track is asked for, which the receiver will have.
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

/** Phones whose own keys alone say how loud it is take no other number. */
function hasVolume() {
    const element = new Audio();
    element.volume = 0.5;
    return element.volume === 0.5;
}
