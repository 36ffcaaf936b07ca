// Recognises touch gestures: converts finger events to actions, with no DOM, clock, or state beyond one gesture.
// docs/web/gestures.md defines the rules; Testing/Vectors/gestures.json tests this file and Swift's GestureEngine against them.

/**
 * @typedef {{-readonly [Name in keyof typeof defaults]: (typeof defaults)[Name] extends boolean ? boolean : number}} Settings
 */

/** Distances are in CSS pixels, times in milliseconds, speeds in CSS pixels per millisecond. */
export const defaults = Object.freeze({
    /** The distance up to which a finger counts as resting. */
    slop: 10,
    /** The maximum duration of a tap with two or three fingers. A tap with one finger may last up to the long press. */
    tapTime: 300,
    /** The maximum time from a tap's end to the beginning of a second tap. */
    doubleTapTime: 300,
    /** The maximum distance of a second tap from the first. */
    doubleTapSlop: 64,
    /** The time between two clicks from which no host treats them as a double click. */
    clickTime: 500,
    /** The time after which a resting finger presses the button. */
    longPressTime: 500,
    /** The time to wait for the second of two fingers to move after the first. */
    settleTime: 50,
    /** The distance that the fingers move for one notch of a wheel. */
    scrollPixels: 40,
    /** True if the content follows the fingers. */
    naturalScrolling: true,
    /** Up to the finger speed `slowSpeed`, the pointer moves `slowGain` times the finger's distance. */
    slowSpeed: 0.1,
    slowGain: 0.5,
    /** From `fastSpeed` on, the pointer moves `fastGain` times the distance; in between, the gain is interpolated linearly. */
    fastSpeed: 1.1,
    fastGain: 2.5,
    /** The pixels of the host's screen per pixel of the view without zoom. */
    pointerScale: 1,
    maximumZoom: 8,
});

const NOTCH = 120;
const FINGERS = 10;
/** The largest plausible coordinate; events beyond it are ignored. */
const FARTHEST = 100_000;
/** The minimum time for computing a speed, because events of one sample may have nearly equal times. */
const SHORTEST_SAMPLE = 4;

/**
 * @typedef {{kind: "down"|"move"|"up"|"cancel", id: number, x: number, y: number, time: number}} TouchEvent
 * @typedef {{id: number, x: number, y: number, x0: number, y0: number, time: number}} Finger
 * @typedef {{time: number, x: number, y: number}} Tap
 * @typedef {{type: "move", dx: number, dy: number} | {type: "click", button: string, count: number} |
 *     {type: "down"|"up", button: string} | {type: "scroll", dx: number, dy: number} |
 *     {type: "zoom", scale: number, x: number, y: number} | {type: "pan", dx: number, dy: number} |
 *     {type: "resetZoom"}} Action
 * `move` is in whole pixels of the host's screen; `scroll` in whole 120ths of a notch, positive up and right; `zoom` has the
 * view's new scale, and the point of the view that keeps its position; `pan` is in CSS pixels of the view.
 */

export class GestureEngine {
    /** @param {Partial<Settings>} [settings] */
    constructor(settings = {}) {
        /** @type {Settings} */
        this.settings = {...defaults, ...settings};
        /** The view's scale; has to be set when something else zooms. */
        this.zoom = 1;
        /** @type {Finger[]} */
        this.fingers = [];
        // idle | still | moving | held | dragging | two | scrolling | pinching | resting
        this.phase = "idle";
        /** The last left tap, and the tap that the current finger followed as a second tap. */
        this.lastTap = /** @type {Tap | null} */ (null);
        this.followed = /** @type {Tap | null} */ (null);
        /** The time of a tap of two fingers on a zoomed view, whose click waits for a second tap. */
        this.rightTap = /** @type {number | null} */ (null);
        /** A drag that ended before its button press was due, and the time of that press. */
        this.lateDrag = /** @type {{at: number, dx: number, dy: number} | null} */ (null);
        this.now = -Infinity;
        /**
         * The time of the first finger's touch, the maximum number of simultaneous fingers, and the ID of the finger that
         * drags.
         */
        this.start = this.mostFingers = this.dragger = 0;
        /** The pointer movement to send after the button press, and the fractions of a pixel and of a 120th of a notch. */
        this.heldX = this.heldY = this.restX = this.restY = this.scrollX = this.scrollY = 0;
        /** The time since which only one of two fingers has moved. */
        this.loneSince = /** @type {number | null} */ (null);
        this.wasMoving = false;
        /** The last position and distance of two fingers. */
        this.pinched = {x: 0, y: 0, distance: 1};
    }

    /** @param {TouchEvent} event @returns {Action[]} */
    handle(event) {
        if (!Number.isFinite(event.time)) return [];
        const actions = this.tick(event.time);
        const {kind, id, x, y} = event;
        const isPlaced = Math.abs(x) <= FARTHEST && Math.abs(y) <= FARTHEST;
        if (kind === "down") {
            if (isPlaced) this.#down(id, x, y, actions);
        } else if (kind === "move") {
            if (isPlaced) this.#move(id, x, y, actions);
        } else if (kind === "up") {
            if (isPlaced) this.#move(id, x, y, actions);
            this.#lift(id, false, actions);
        } else if (kind === "cancel") {
            this.#lift(id, true, actions);
        }
        return actions;
    }

    /**
     * Handles expired deadlines.
     * @param {number} now @returns {Action[]}
     */
    tick(now) {
        /** @type {Action[]} */
        const actions = [];
        for (let at = this.deadline; at !== null && at <= now; at = this.deadline) {
            this.#due(at, actions);
        }
        this.now = Math.max(this.now, now);
        return actions;
    }

    /** The time of the next necessary call of `tick`; `null` for none. */
    get deadline() {
        const times = [];
        if (this.lateDrag !== null) times.push(this.lateDrag.at);
        if (this.rightTap !== null) times.push(this.#rightTapEnds);
        if (this.#waitsForPress) times.push(this.#pressAt);
        if (this.phase === "two" && this.loneSince !== null) times.push(this.loneSince + this.settings.settleTime);
        return times.length === 0 ? null : Math.min(...times);
    }

    /**
     * Resets the state, because the page lost the fingers.
     * @returns {Action[]}
     */
    reset() {
        /** @type {Action[]} */
        const actions = this.phase === "dragging" ? [{type: "up", button: "left"}] : [];
        this.fingers = [];
        this.phase = "idle";
        this.lastTap = null;
        this.rightTap = null;
        this.lateDrag = null;
        return actions;
    }

    // Deadlines

    get #waitsForPress() {
        return this.phase === "held" || (this.phase === "still" && this.mostFingers === 1);
    }

    /** The time of the button press. After a tap, it is delayed so that the host does not treat the press as a double click. */
    get #pressAt() {
        const {clickTime, longPressTime} = this.settings;
        return this.followed === null ? this.start + longPressTime : this.followed.time + clickTime;
    }

    get #rightTapEnds() {
        return this.fingers.length === 0
            ? (this.rightTap ?? 0) + this.settings.doubleTapTime
            : this.start + this.settings.tapTime;
    }

    /**
     * Executes the first action due at `at`.
     * @param {number} at
     * @param {Action[]} actions
     */
    #due(at, actions) {
        if (this.lateDrag !== null && this.lateDrag.at <= at) {
            this.#finishLateDrag(actions);
        } else if (this.rightTap !== null && this.#rightTapEnds <= at) {
            this.#clickRight(actions);
        } else if (this.#waitsForPress && this.#pressAt <= at) {
            this.#clickRight(actions);
            actions.push({type: "down", button: "left"});
            this.#pushMove(this.heldX, this.heldY, actions);
            this.dragger = this.fingers[0].id;
            this.phase = "dragging";
        } else {
            this.#decide(true, actions);
        }
    }

    /** @param {Action[]} actions */
    #finishLateDrag(actions) {
        if (this.lateDrag === null) return;
        const {dx, dy} = this.lateDrag;
        this.lateDrag = null;
        actions.push({type: "down", button: "left"});
        this.#pushMove(dx, dy, actions);
        actions.push({type: "up", button: "left"});
    }

    /**
     * Emits the delayed click of two fingers.
     * @param {Action[]} actions
     */
    #clickRight(actions) {
        if (this.rightTap === null) return;
        this.rightTap = null;
        actions.push({type: "click", button: "right", count: 1});
    }

    // Fingers

    /**
     * @param {number} id
     * @param {number} x
     * @param {number} y
     * @param {Action[]} actions
     */
    #down(id, x, y, actions) {
        this.#lift(id, true, actions);
        this.#finishLateDrag(actions);
        if (this.fingers.length === FINGERS) return;
        this.fingers.push({id, x, y, x0: x, y0: y, time: this.now});
        const count = this.fingers.length;
        if (count === 1) return this.#begin(x, y);
        this.mostFingers = Math.max(this.mostFingers, count);
        switch (this.phase) {
            case "still":
            case "dragging":
                break;
            case "moving":
            case "held":
                this.#pushMove(this.heldX, this.heldY, actions);
                this.#anchor(true);
                break;
            default:
                if (count === 2) this.#anchor(false);
                else this.#rest(actions);
        }
    }

    /** @param {number} x @param {number} y */
    #begin(x, y) {
        const {doubleTapTime, doubleTapSlop} = this.settings;
        this.phase = "still";
        this.start = this.now;
        this.mostFingers = 1;
        this.heldX = this.heldY = 0;
        this.restX = this.restY = 0;
        this.scrollX = this.scrollY = 0;
        this.loneSince = null;
        this.wasMoving = false;
        const tap = this.lastTap;
        const isSecond =
            tap !== null && this.now - tap.time < doubleTapTime && length(x - tap.x, y - tap.y) <= doubleTapSlop;
        this.followed = isSecond ? tap : null;
        this.lastTap = null;
    }

    /**
     * @param {number} id
     * @param {number} x
     * @param {number} y
     * @param {Action[]} actions
     */
    #move(id, x, y, actions) {
        const finger = this.fingers.find((f) => f.id === id);
        if (finger === undefined || (finger.x === x && finger.y === y)) return;
        const dx = x - finger.x;
        const dy = y - finger.y;
        const elapsed = this.now - finger.time;
        Object.assign(finger, {x, y, time: this.now});
        switch (this.phase) {
            case "still":
                this.#leave(finger, elapsed, actions);
                break;
            case "moving":
            case "held":
                this.#point(dx, dy, elapsed, actions);
                break;
            case "dragging":
                if (id === this.dragger) this.#point(dx, dy, elapsed, actions);
                break;
            case "two":
                this.#decide(false, actions);
                break;
            case "scrolling":
                this.#scroll(dx / 2, dy / 2, actions);
                break;
            case "pinching":
                this.#pinch(actions);
                break;
        }
    }

    /** @param {number} id @param {boolean} isCancelled @param {Action[]} actions */
    #lift(id, isCancelled, actions) {
        const index = this.fingers.findIndex((f) => f.id === id);
        if (index < 0) return;
        const [finger] = this.fingers.splice(index, 1);
        const count = this.fingers.length;
        switch (this.phase) {
            case "still":
                if (isCancelled) this.#rest(actions);
                else if (count === 0) this.#tap(finger, actions);
                break;
            case "held":
                if (!isCancelled) this.lateDrag = {at: this.#pressAt, dx: this.heldX, dy: this.heldY};
                break;
            case "dragging":
                if (id !== this.dragger) break;
                actions.push({type: "up", button: "left"});
                this.phase = "resting";
                break;
            case "two":
                this.phase = this.wasMoving ? "moving" : "resting";
                break;
            case "scrolling":
            case "pinching":
                this.phase = "resting";
                break;
            case "resting":
                if (count === 2) this.#anchor(false);
                break;
        }
        if (count === 0) this.phase = "idle";
    }

    /**
     * Handles a tap: all fingers were lifted, and none of them has moved.
     * @param {Finger} finger
     * @param {Action[]} actions
     */
    #tap(finger, actions) {
        const isQuick = this.now - this.start <= this.settings.tapTime;
        if (this.mostFingers === 1) {
            this.#clickRight(actions);
            actions.push({type: "click", button: "left", count: 1});
            this.lastTap = {time: this.now, x: finger.x0, y: finger.y0};
            return;
        }
        if (this.mostFingers === 2 && isQuick) {
            if (this.zoom === 1) {
                this.rightTap = this.now;
                this.#clickRight(actions);
            } else if (this.rightTap === null) {
                this.rightTap = this.now;
            } else {
                this.rightTap = null;
                this.zoom = 1;
                actions.push({type: "resetZoom"});
            }
        } else {
            this.#clickRight(actions);
            if (this.mostFingers === 3 && isQuick) actions.push({type: "click", button: "middle", count: 1});
        }
    }

    /**
     * Handles a finger that has moved farther than a resting finger may.
     * @param {Finger} finger
     * @param {number} elapsed
     * @param {Action[]} actions
     */
    #leave(finger, elapsed, actions) {
        const dx = finger.x - finger.x0;
        const dy = finger.y - finger.y0;
        const distance = length(dx, dy);
        if (distance <= this.settings.slop) return;
        const count = this.fingers.length;
        if (count === 2) {
            this.#clickRight(actions);
            this.phase = "two";
            return this.#decide(false, actions);
        }
        if (this.mostFingers > 1) return this.#rest(actions);
        this.#clickRight(actions);
        this.phase = this.followed === null ? "moving" : "held";
        const beyond = 1 - this.settings.slop / distance;
        this.#point(dx * beyond, dy * beyond, elapsed, actions);
    }

    /**
     * Ignores the current fingers until two of them remain or a second one touches.
     * @param {Action[]} actions
     */
    #rest(actions) {
        this.#clickRight(actions);
        this.phase = "resting";
    }

    // One finger

    /**
     * @param {number} dx
     * @param {number} dy
     * @param {number} elapsed
     * @param {Action[]} actions
     */
    #point(dx, dy, elapsed, actions) {
        const {slowSpeed, fastSpeed, slowGain, fastGain, pointerScale} = this.settings;
        const speed = length(dx, dy) / Math.max(elapsed, SHORTEST_SAMPLE);
        const share = speed <= slowSpeed ? 0 : speed >= fastSpeed ? 1 : (speed - slowSpeed) / (fastSpeed - slowSpeed);
        const factor = ((slowGain + (fastGain - slowGain) * share) * pointerScale) / this.zoom;
        this.restX += dx * factor;
        this.restY += dy * factor;
        const x = Math.trunc(this.restX);
        const y = Math.trunc(this.restY);
        this.restX -= x;
        this.restY -= y;
        if (this.phase === "held") {
            this.heldX += x;
            this.heldY += y;
        } else {
            this.#pushMove(x, y, actions);
        }
    }

    /** @param {number} dx @param {number} dy @param {Action[]} actions */
    #pushMove(dx, dy, actions) {
        // Adding 0 converts -0 to 0.
        if (dx !== 0 || dy !== 0) actions.push({type: "move", dx: dx + 0, dy: dy + 0});
    }

    // Two fingers

    /** @param {boolean} wasMoving */
    #anchor(wasMoving) {
        for (const finger of this.fingers) {
            finger.x0 = finger.x;
            finger.y0 = finger.y;
        }
        this.loneSince = null;
        this.wasMoving = wasMoving;
        this.phase = "two";
    }

    /**
     * Decides between scrolling and pinching. `isDue`: true if one finger has moved alone for `settleTime`.
     * @param {boolean} isDue
     * @param {Action[]} actions
     */
    #decide(isDue, actions) {
        const {slop} = this.settings;
        const [a, b] = this.fingers;
        const wayA = length(a.x - a.x0, a.y - a.y0);
        const wayB = length(b.x - b.x0, b.y - b.y0);
        if (!isDue && !(wayA > slop / 2 && wayB > slop / 2)) {
            if (wayA <= slop && wayB <= slop) this.loneSince = null;
            else if (this.loneSince === null) this.loneSince = this.now;
            return;
        }
        const spread = Math.abs(length(b.x - a.x, b.y - a.y) - length(b.x0 - a.x0, b.y0 - a.y0));
        const dx = (a.x - a.x0 + b.x - b.x0) / 2;
        const dy = (a.y - a.y0 + b.y - b.y0) / 2;
        if (spread > length(dx, dy)) {
            this.phase = "pinching";
            this.pinched = this.#grip;
        } else {
            this.phase = "scrolling";
            this.#scroll(dx, dy, actions);
        }
    }

    /** @param {number} dx @param {number} dy @param {Action[]} actions */
    #scroll(dx, dy, actions) {
        const {scrollPixels, naturalScrolling} = this.settings;
        const direction = naturalScrolling ? 1 : -1;
        this.scrollX -= (direction * dx * NOTCH) / scrollPixels;
        this.scrollY += (direction * dy * NOTCH) / scrollPixels;
        const x = Math.trunc(this.scrollX);
        const y = Math.trunc(this.scrollY);
        this.scrollX -= x;
        this.scrollY -= y;
        if (x !== 0 || y !== 0) actions.push({type: "scroll", dx: x + 0, dy: y + 0});
    }

    /** The point between two fingers, and their distance. */
    get #grip() {
        const [a, b] = this.fingers;
        return {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.max(1, length(b.x - a.x, b.y - a.y))};
    }

    /** @param {Action[]} actions */
    #pinch(actions) {
        const before = this.pinched;
        const grip = (this.pinched = this.#grip);
        const dx = grip.x - before.x;
        const dy = grip.y - before.y;
        if (this.zoom > 1 && (dx !== 0 || dy !== 0)) actions.push({type: "pan", dx, dy});
        const scale = clamp((this.zoom * grip.distance) / before.distance, 1, this.settings.maximumZoom);
        if (scale === this.zoom) return;
        this.zoom = scale;
        actions.push({type: "zoom", scale, x: grip.x, y: grip.y});
    }
}

// Not Math.hypot: its last bit differs between engines.
/** @param {number} x @param {number} y */
function length(x, y) {
    return Math.sqrt(x * x + y * y);
}

/** @param {number} value @param {number} least @param {number} most */
function clamp(value, least, most) {
    return Math.min(Math.max(value, least), most);
}
