// The picture: its elements, its visibility, and the messages while there is none.

import {words} from "../language/language.js";
import {Awake} from "../picture/awake.js";
import {Cursor} from "../picture/cursor.js";
import {canDrawOwn, OwnPicture} from "../picture/ownpicture.js";
import {hasCard, PictureChoice, pictureWay} from "../picture/picturechoice.js";
import {Playing} from "../picture/playing.js";
import {Quality} from "../picture/quality.js";
import {Surface} from "../picture/surface.js";
import {Unseen} from "../picture/unseen.js";
import {View} from "../picture/view.js";
import {hasUndecodedPicture} from "../session/session.js";
import {find} from "../ui/elements.js";

/** The time in milliseconds for the first picture to arrive before a message is shown. */
const PICTURE_LIMIT = 6000;

export class Watching {
    /** True while a session is open, so that messages are exchanged. */
    isOpen = false;

    #stage;
    #card;
    #session;
    #send;
    #shown;
    #pictured;
    #awake = new Awake();
    #hasPicture = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #patience;

    /**
     * @param {object} page
     * @param {HTMLElement} page.stage
     * @param {HTMLVideoElement} page.video
     * @param {import("../ui/card.js").Card} page.card
     * @param {import("../session/keep.js").Keep} page.keep
     * @param {import("./settings.js").Settings} page.settings
     * @param {() => import("../session/session.js").Session | null} page.session
     * @param {(channel: "control" | "moves", message: object) => boolean} page.send sends a message to the host
     * @param {() => void} page.pictured called when the first picture has arrived
     * @param {() => void} page.shown called when the picture becomes visible
     * @param {() => void} page.renew replaces the session with a new one
     * @param {() => void} page.turned called when the page has begun or ceased to draw the picture itself
     */
    constructor({stage, video, card, keep, settings, session, send, pictured, shown, renew, turned}) {
        this.#stage = stage;
        this.#card = card;
        this.#session = session;
        this.#send = send;
        this.#shown = shown;
        this.#pictured = pictured;
        this.video = video;
        const tell = (/** @type {object} */ message) => send("control", message);
        this.unseen = new Unseen(tell);
        this.quality = new Quality(tell, settings.values.quality);
        this.playing = new Playing(video, window, () => this.#playingChanged());
        const canvas = find("drawn");
        this.surface = new Surface(video, canvas);
        this.surface.covered = () => this.own?.clear();
        this.view = new View(stage, this.surface, find("still"), () => this.cursor?.update());
        this.cursor = new Cursor(stage, find("pointer"), this.view);
        const way = pictureWay(location.search), choice = way === "auto" ? new PictureChoice(video, keep) : null;
        const isPossible = way !== "video" && canDrawOwn() && (!choice || choice.isPossible && hasCard());
        /** The page's own decoder; `null` if the address or the browser rules it out, or it was slower here recently. */
        this.own = isPossible ? this.#makeOwn(canvas, choice, renew, turned) : null;
        video.addEventListener("loadeddata", () => this.#isThere());
    }

    /**
     * @param {HTMLCanvasElement} canvas @param {PictureChoice | null} choice
     * @param {() => void} renew @param {() => void} turned
     */
    #makeOwn(canvas, choice, renew, turned) {
        const {surface, video} = this;
        return new OwnPicture(canvas, {
            choice,
            drawn: (width, height) => {
                surface.drawn(width, height);
                this.#isThere();
            },
            turned: (mode) => {
                if (mode === "own") {
                    surface.leaveVideo();
                    this.playing.rest();
                } else {
                    this.playing.wake();
                    surface.useVideo();
                }
                turned();
            },
            died: renew,
            tell: this.#send,
            roundTrip: () => this.#session()?.roundTrip ?? null,
            video: () => (video.videoWidth ? {width: video.videoWidth, height: video.videoHeight} : null),
        });
    }

    /** Handles that a picture has arrived. */
    #isThere() {
        this.#hasPicture = true;
        this.#reveal();
        this.#pictured();
    }

    /** A text for the statistics panel. */
    get facts() { return this.own?.facts ?? "picture=video"; }

    /** True if the picture is visible, and not covered by the card. */
    get isShown() { return this.#card.isHidden; }

    /** @param {MediaStream} stream */
    show(stream) {
        this.#hasPicture = false;
        this.surface.useVideo();
        this.playing.show(stream);
    }

    opened() {
        this.isOpen = true;
        this.#awake.hold();
        this.#reveal();
        clearTimeout(this.#patience);
        this.#patience = setTimeout(async () => {
            const isSent = await hasUndecodedPicture(this.#session()?.connection);
            if (this.#hasPicture || !this.isOpen || this.playing.isRefused) return;
            this.#card.play(words.card.noPicture, isSent ? words.card.notDecodedText : words.card.noPictureText);
        }, PICTURE_LIMIT);
    }

    /**
     * Shows that the network path is interrupted, or works again.
     * @param {boolean} isInterrupted
     */
    interrupted(isInterrupted) {
        this.#stage.classList.toggle("is-interrupted", isInterrupted);
        find("light").classList.toggle("is-bad", isInterrupted);
    }

    /** Freezes the view before the picture disappears. */
    ending() { if (this.isShown) this.view.freeze(); }

    end() {
        this.isOpen = this.#hasPicture = false;
        this.playing.end();
        this.own?.end();
        this.surface.end();
        clearTimeout(this.#patience);
        this.#awake.release();
    }

    /** Handles that the page was hidden or shown. */
    visibilityChanged() {
        this.unseen.changed();
        if (this.own) this.own.isVisible = !document.hidden;
    }

    /** Handles that the page is visible again. */
    seen() {
        if (this.isOpen) this.#awake.hold();
        // Phones pause the video of a hidden page.
        if (this.video.paused) this.playing.again();
    }

    /** @param {import("./settings.js").Settings["values"]} settings */
    apply({size, quality}) {
        if (this.view.sizing !== size) this.view.sizing = size;
        this.quality.choice = quality;
    }

    /** @param {any} message the host's message */
    handle(message) {
        switch (message.type) {
        case "screenInfo":
            this.cursor.setScreen(message.width, message.height, message.scale);
            this.view.setScreen(message.width, message.height);
            break;
        case "takes":
            if (message.types?.includes?.("videoEnabled")) this.unseen.begin();
            if (message.types?.includes?.("quality")) this.quality.begin();
            if (message.types?.includes?.("keepsCursors")) {
                this.cursor.forget();
                this.#send("control", {type: "keepsCursors"});
            }
            if (message.types?.includes?.("ownPicture")) this.own?.taken();
            break;
        case "cursorPos": this.cursor.moved(message); break;
        case "cursorShape": this.cursor.shape(message); break;
        case "cursorAgain": this.cursor.again(message); break;
        }
    }

    /** Shows a button if the browser requires a press to play, or removes it. */
    #playingChanged() {
        if (this.playing.isRefused) this.#card.play(words.card.ready, words.card.readyText);
        else this.#reveal();
    }

    #reveal() {
        if (!this.isOpen || !this.#hasPicture || this.playing.isRefused || this.#card.isHidden) return;
        this.#card.hide();
        this.view.thaw();
        this.#shown();
    }
}
