// Input and control: connects mouse, touch and keyboard with the host, tracks the kind of device in use, and shows who drives.

import {Input} from "../input/input.js";
import {NumberedInputs} from "../input/numbered.js";
import {Pointer} from "../input/pointer.js";
import {Touch} from "../input/touch.js";
import {Typing} from "../input/typing.js";
import {words} from "../language/language.js";
import {find} from "../ui/elements.js";
import {Hint} from "../ui/hint.js";
import {Keys} from "../ui/keys.js";
import {People} from "../ui/people.js";

export class Driving {
    /**
     * The kind of device that the user uses.
     * @type {"mouse" | "touch"}
     */
    kind = matchMedia("(pointer: coarse)").matches ? "touch" : "mouse";

    #stage;
    #watching;
    #note;
    #settings;
    /** True if a mouse, pen or finger was used since the last key press outside the stage. */
    #hasPointed = false;

    /**
     * @param {object} page
     * @param {HTMLElement} page.stage
     * @param {import("./watching.js").Watching} page.watching
     * @param {import("../ui/bar.js").Bar} page.bar
     * @param {import("../ui/note.js").Note} page.note
     * @param {import("./settings.js").Settings} page.settings
     * @param {(channel: "control" | "moves", message: object) => boolean} page.send
     * @param {(code: string) => boolean} page.command executes the page's command for Control, Alt, Shift and a key; returns
     *   false if there is none
     */
    constructor({stage, watching, bar, note, settings, send, command}) {
        this.#stage = stage;
        this.#watching = watching;
        this.#note = note;
        this.#settings = settings;
        const {view, cursor} = watching, tell = (/** @type {object} */ message) => send("control", message);
        /** @param {"mouse" | "touch"} kind */
        const used = (kind) => this.#used(kind);
        this.people = new People({
            driver: find("driver"), list: find("people-list"), control: find("control-button"), request: find("request"),
            requestText: find("request-text"), requestYes: find("request-yes"), requestNo: find("request-no"),
        }, tell);
        this.numbered = new NumberedInputs(send);
        this.input = new Input((channel, message) => this.numbered.send(channel, message), (state) => {
            const ask = {label: words.people.ask, act: () => tell({type: "requestControl"})};
            note.say(this.people.refusal, state === "taken" && ask);
        });
        this.pointer = new Pointer(stage, this.input, view, cursor, used, () => this.choosePointer());
        this.input.lost = () => this.pointer.leaveLock();
        this.touch = new Touch(stage, this.input, this.pointer, view, used);
        this.typing = new Typing(stage, find("typing"), this.input, command);
        this.keys = new Keys(find("keys"), find("key-rows"), this.typing);
        this.hint = new Hint(find("hint"), find("hint-list"), find("hint-close"), () => settings.change({hasSeenHint: true}));
        this.#watchFocus();
        stage.addEventListener("pointerdown", (event) => {
            // Keep the note if input is not allowed, because it explains why.
            if (this.input.isAllowed) note.hide();
            bar.hide();
            this.focusField();
            this.typing.tellLocks(event);
        });
    }

    /** Tracks whether the user works by keyboard alone, so that the stage shows when it has the focus. */
    #watchFocus() {
        const stage = this.#stage;
        stage.addEventListener("keydown", () => this.#note.typed(), {capture: true, passive: true});
        for (const type of ["pointerdown", "pointermove"]) {
            window.addEventListener(type, () => {
                if (this.#hasPointed) return;
                this.#hasPointed = true;
                stage.classList.remove("is-entered");
            }, {capture: true, passive: true});
        }
        window.addEventListener("keydown", ({target}) => {
            if (!stage.contains(/** @type {Node} */ (target))) this.#hasPointed = false;
        }, {capture: true, passive: true});
        stage.addEventListener("focusout", ({relatedTarget}) => {
            if (stage.contains(/** @type {Node | null} */ (relatedTarget))) return;
            stage.classList.remove("is-entered");
            this.letGo();
        });
    }

    /** Focuses the element that sends keys to the host. */
    focusField() { this.typing.focus(this.kind); }

    /** Focuses the stage. A user of the keyboard alone sees that it has the focus, and is shown once how to leave it. */
    focusStage() {
        this.focusField();
        if (this.kind === "touch") return;
        this.#stage.classList.toggle("is-entered", !this.#hasPointed);
        // Don't replace a note that may not have been read; show the hint the next time.
        if (this.#note.isShown || this.#settings.values.hasSeenWayOut) return;
        // A viewer without permission to drive types nothing at the host, and needs no hint.
        if (this.input.state === "forbidden") return;
        this.#note.hint(words.notes.wayOut);
        this.#settings.change({hasSeenWayOut: true});
    }

    /** Uses the browser's cursor for a mouse that drives; otherwise the host's pointer is drawn at its position. */
    choosePointer() {
        this.#watching.cursor.isLocal = this.kind === "touch" || this.pointer.isLocked || !this.input.isAllowed;
    }

    /** @param {"mouse" | "touch"} kind */
    #used(kind) {
        if (kind === this.kind) return;
        this.kind = kind;
        this.choosePointer();
        this.hintOnce();
    }

    /** Releases all keys and buttons, locally and at the host. */
    letGo() {
        this.touch.reset();
        this.pointer.forget();
        this.typing.forget();
        this.keys.update();
        this.input.releaseAll();
    }

    /** Explains touch input when it is used for the first time in this browser and allowed. */
    hintOnce() {
        const isNew = this.kind === "touch" && !this.#settings.values.hasSeenHint;
        if (isNew && this.input.isAllowed && this.#watching.isShown) this.hint.show(this.touch.isDirect);
    }

    toggleKeys() {
        const {keys, hint, typing} = this, isTouch = this.kind === "touch";
        if (keys.isShown) keys.hide();
        else {
            // A phone's screen has no room for both.
            hint.close();
            keys.show(isTouch);
            if (isTouch) typing.showTouchKeyboard();
        }
        this.#afterKeys();
    }

    #afterKeys() {
        find("keys-button").setAttribute("aria-expanded", String(this.keys.isShown));
        this.#watching.view.covered = this.keys.height;
    }

    /** Ends everything that belongs to the session. */
    end() {
        this.keys.hide();
        this.#afterKeys();
        this.hint.hide();
        find("request").hidden = true;
        this.pointer.leaveLock();
        this.choosePointer();
    }

    /** @param {import("./settings.js").Settings["values"]} settings */
    apply({keys, exchangesCommand, naturalScrolling, directTouch}) {
        this.typing.keyboard.byCharacter = keys !== "place";
        this.typing.keyboard.exchangesCommand = exchangesCommand === true;
        this.touch.naturalScrolling = naturalScrolling;
        this.touch.isDirect = directTouch === true;
    }

    /** @param {any} message the host's message */
    handle(message) {
        switch (message.type) {
        case "takes": if (message.types?.includes?.("inputs")) this.numbered.begin(); break;
        case "inputsDone": this.numbered.done(message); break;
        case "inputRate": this.input.rate = message.perSecond; break;
        case "control": this.#controlled(message); break;
        case "controlRequested": this.people.requested(message); break;
        case "viewers": this.people.viewers(message); break;
        }
    }

    /** @param {any} message */
    #controlled(message) {
        // The host has released all keys and buttons.
        if (message.state !== "yours" && message.state !== "free") this.letGo();
        if (message.state !== this.people.state && this.#watching.isOpen) this.#announce(message.state);
        this.input.state = message.state;
        this.people.control(message);
        this.choosePointer();
        if (!this.hint.isShown) this.hintOnce();
    }

    /** @param {import("../input/input.js").ControlState} state */
    #announce(state) {
        if (state === "yours" && this.people.state === "taken") this.#note.say(words.notes.youDrive);
        if (state === "taken" && this.people.state === "yours") this.#note.say(words.notes.anotherDrives);
    }
}
