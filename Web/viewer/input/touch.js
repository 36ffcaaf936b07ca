// Handles fingers by the rules of gestures.js or directtouch.js, and executes the resulting actions at the host or in the view.

import {DirectTouch} from "./directtouch.js";
import {GestureEngine} from "./gestures.js";

export class Touch {
    #trackpad = new GestureEngine();
    #direct = new DirectTouch();
    /** @type {GestureEngine | DirectTouch} */
    #engine = this.#trackpad;
    #input;
    #pointer;
    #view;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;

    /**
     * @param {HTMLElement} stage
     * @param {import("./input.js").Input} input
     * @param {import("./pointer.js").Pointer} pointer sends the moves
     * @param {import("../picture/view.js").View} view
     * @param {(kind: "mouse" | "touch") => void} used called with the kind of device in use
     */
    constructor(stage, input, pointer, view, used) {
        this.#input = input;
        this.#pointer = pointer;
        this.#view = view;
        for (const kind of /** @type {const} */ (["down", "move", "up", "cancel"])) {
            stage.addEventListener(/** @type {const} */ (`pointer${kind}`), (event) => {
                if (event.pointerType !== "touch") return;
                // Otherwise a mouse event follows.
                event.preventDefault();
                if (kind === "down") {
                    used("touch");
                    stage.setPointerCapture(event.pointerId);
                    this.#engine.settings.pointerScale = this.#view.pixelsPerPoint;
                    this.#engine.zoom = this.#view.geometry.zoom;
                }
                const {pointerId: id, clientX: x, clientY: y, timeStamp: time} = event;
                this.#perform(this.#engine.handle({kind, id, x, y, time}));
            });
        }
        // Safari starts its own gestures unless these events are cancelled.
        for (const name of ["touchstart", "touchmove", "gesturestart"]) {
            stage.addEventListener(name, (event) => event.preventDefault(), {passive: false});
        }
    }

    /** @param {boolean} wanted */
    set naturalScrolling(wanted) {
        for (const {settings} of [this.#trackpad, this.#direct]) settings.naturalScrolling = wanted;
    }

    /** True if the pointer is under the finger; false if the screen is used as a trackpad. */
    get isDirect() { return this.#engine === this.#direct; }
    set isDirect(wanted) {
        if (wanted === this.isDirect) return;
        this.reset();
        this.#engine = wanted ? this.#direct : this.#trackpad;
    }

    /** Resets the engine, because the page lost the fingers. */
    reset() {
        this.#perform(this.#engine.reset());
    }

    /** @param {import("./directtouch.js").Action[]} actions */
    #perform(actions) {
        for (const action of actions) {
            switch (action.type) {
            case "move": this.#pointer.moveBy(action.dx, action.dy); break;
            case "to": this.#pointer.touchTo(action.x, action.y); break;
            case "click":
            case "down":
            case "up": this.#pointer.touch(action); break;
            case "scroll": this.#input.act(action); break;
            case "zoom": this.#view.zoomTo(action.scale, action.x, action.y); break;
            case "pan": this.#view.pan(action.dx, action.dy); break;
            case "resetZoom": this.#view.resetZoom(); break;
            }
        }
        clearTimeout(this.#timer);
        const {deadline} = this.#engine;
        // The engine uses the events' times, which have the same clock as performance.now().
        if (deadline !== null) {
            const due = () => this.#perform(this.#engine.tick(performance.now()));
            this.#timer = setTimeout(due, deadline - performance.now());
        }
    }
}
