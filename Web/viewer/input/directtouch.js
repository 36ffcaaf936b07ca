// Direct touch: the pointer is under the finger, as on a touch screen of the host. Converts finger events to actions, with no
// DOM, clock, or state beyond one gesture. docs/web/gestures.md defines the rules. Gestures of two fingers are recognised by
// gestures.js.

import {GestureEngine} from "./gestures.js";

/**
 * @typedef {import("./gestures.js").TouchEvent} TouchEvent
 * @typedef {{id: number, x: number, y: number, x0: number, y0: number}} Finger `x0`, `y0`: the position where it touched first
 * @typedef {import("./gestures.js").Action & {x?: number, y?: number} | {type: "to", x: number, y: number}} Action
 * `to` moves the pointer to a point of the view; `click`, `down` and `up` happen at the point `x`, `y`.
 */

export class DirectTouch {
    #gestures;
    // idle | still | dragging | pressed | many
    #phase = "idle";
    /** @type {Finger | null} */
    #finger = null;
    #start = 0;
    /**
     * The end and position of the last tap; a tap soon after and near it gets the same position.
     * @type {{time: number, x: number, y: number} | null}
     */
    #tap = null;
    // The point between two fingers, and true once the pointer was moved to it.
    #middle = {x: 0, y: 0};
    #isThere = false;

    /** @param {Partial<import("./gestures.js").Settings>} [settings] */
    constructor(settings = {}) {
        this.#gestures = new GestureEngine(settings);
    }

    get settings() { return this.#gestures.settings; }

    /** The view's scale; has to be set when something else zooms. */
    get zoom() { return this.#gestures.zoom; }
    set zoom(scale) { this.#gestures.zoom = scale; }

    /** @param {TouchEvent} event @returns {Action[]} */
    handle(event) {
        const {kind, id, x, y, time} = event;
        if (![x, y, time].every(Number.isFinite)) return [];
        const actions = this.tick(time);
        if (this.#phase === "many") return [...actions, ...this.#many(event)];
        if (kind === "down") return [...actions, ...this.#down(event)];
        if (this.#finger?.id !== id) return actions;
        if (kind !== "cancel") actions.push(...this.#move(x, y));
        if (kind !== "move") actions.push(...this.#lift(kind === "cancel", time));
        return actions;
    }

    /**
     * Handles expired deadlines.
     * @param {number} now @returns {Action[]}
     */
    tick(now) {
        const actions = this.#placed(this.#gestures.tick(now));
        if (this.#phase === "still" && this.#finger && now >= this.#pressAt) {
            const {x0: x, y0: y} = this.#finger;
            this.#phase = "pressed";
            actions.push({type: "click", button: "right", count: 1, x, y});
        }
        return actions;
    }

    /** The time of the next necessary call of `tick`; `null` for none. */
    get deadline() {
        const due = [this.#gestures.deadline ?? Infinity, this.#phase === "still" ? this.#pressAt : Infinity];
        const first = Math.min(...due);
        return first === Infinity ? null : first;
    }

    /**
     * Resets the state, because the page lost the fingers.
     * @returns {Action[]}
     */
    reset() {
        const actions = [...this.#gestures.reset(), ...this.#lift(true, 0)];
        this.#tap = null;
        this.#phase = "idle";
        return actions;
    }

    get #pressAt() { return this.#start + this.settings.longPressTime; }

    /** @param {TouchEvent} event */
    #down(event) {
        const {id, x, y, time} = event;
        if (this.#phase === "idle") {
            this.#phase = "still";
            this.#finger = {id, x, y, x0: x, y0: y};
            this.#start = time;
            return [];
        }
        // A further finger during a drag, or after a long press, is ignored.
        if (this.#phase !== "still" || !this.#finger || this.#finger.id === id) return [];
        const {id: first, x: x1, y: y1} = this.#finger;
        this.#phase = "many";
        this.#finger = this.#tap = null;
        this.#isThere = false;
        this.#gestures.handle({kind: "down", id: first, x: x1, y: y1, time: this.#start});
        return this.#many(event);
    }

    /**
     * @param {TouchEvent} event
     * @returns {Action[]}
     */
    #many(event) {
        const actions = this.#gestures.handle(event);
        const [a, b] = this.#gestures.fingers;
        if (b) this.#middle = {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2};
        if (!a) this.#phase = "idle";
        return this.#placed(actions);
    }

    /**
     * Adds the point between the fingers to the actions of two fingers.
     * @param {Action[]} actions
     * @returns {Action[]}
     */
    #placed(actions) {
        return actions.flatMap(/** @returns {Action[]} */ (action) => {
            if (action.type === "click") return [{...action, ...this.#middle}];
            if (action.type !== "scroll" || this.#isThere) return [action];
            this.#isThere = true;
            return [{type: "to", ...this.#middle}, action];
        });
    }

    /**
     * @param {number} x
     * @param {number} y
     * @returns {Action[]}
     */
    #move(x, y) {
        const finger = this.#finger;
        if (!finger || finger.x === x && finger.y === y) return [];
        Object.assign(finger, {x, y});
        if (this.#phase === "dragging") return [{type: "to", x, y}];
        const {slop} = this.settings, dx = x - finger.x0, dy = y - finger.y0;
        if (this.#phase !== "still" || dx * dx + dy * dy <= slop * slop) return [];
        this.#phase = "dragging";
        return [{type: "down", button: "left", x: finger.x0, y: finger.y0}, {type: "to", x, y}];
    }

    /**
     * @param {boolean} isCancelled
     * @param {number} time
     * @returns {Action[]}
     */
    #lift(isCancelled, time) {
        const finger = this.#finger, phase = this.#phase;
        if (!finger) return [];
        this.#finger = null;
        this.#phase = "idle";
        if (phase === "dragging") return [{type: "up", button: "left", x: finger.x, y: finger.y}];
        if (phase !== "still" || isCancelled) return [];
        return [{type: "click", button: "left", count: 1, ...this.#tapAt(finger, time)}];
    }

    /**
     * Returns the position of a tap: that of the first tap for a second one, because hosts recognise a double click only if
     * both clicks have the same position.
     * @param {Finger} finger
     * @param {number} time
     */
    #tapAt({x0: x, y0: y}, time) {
        const {doubleTapTime, doubleTapSlop} = this.settings, last = this.#tap;
        const isSecond = last !== null && this.#start - last.time < doubleTapTime
            && Math.abs(x - last.x) <= doubleTapSlop / 2 && Math.abs(y - last.y) <= doubleTapSlop / 2;
        const place = isSecond ? {x: last.x, y: last.y} : {x, y};
        this.#tap = {time, ...place};
        return place;
    }
}
