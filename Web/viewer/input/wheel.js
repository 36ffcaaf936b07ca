// Converts wheel events in the browser's units to 120ths of a notch: positive is up and right.

const NOTCH = 120;
const MOST = 32767;
// A notch is three lines in Firefox. A page counts as three notches.
const LINE = 40, PAGE = 360;
// A notch is 100 CSS pixels in Chrome and Safari.
const PIXEL = 1.2;

export class Wheel {
    #rest = {x: 0, y: 0};

    /**
     * Returns whole 120ths; the remainder is kept for the next event. `null` if less than one has accumulated.
     * @param {{deltaX: number, deltaY: number, deltaMode: number, wheelDeltaX?: number, wheelDeltaY?: number}} event
     * @returns {{dx: number, dy: number} | null}
     */
    turn(event) {
        // Read `deltaMode` first; otherwise Firefox reports lines as pixels.
        const {deltaMode} = event;
        const dx = this.#whole("x", notches(event.deltaX, -(event.wheelDeltaX ?? 0), deltaMode));
        const dy = this.#whole("y", -notches(event.deltaY, -(event.wheelDeltaY ?? 0), deltaMode));
        return dx || dy ? {dx, dy} : null;
    }

    /** @param {"x" | "y"} axis @param {number} amount */
    #whole(axis, amount) {
        // A remainder in the opposite direction would delay the turn.
        if (this.#rest[axis] * amount < 0) this.#rest[axis] = 0;
        const all = this.#rest[axis] + amount;
        const whole = Math.trunc(all);
        this.#rest[axis] = all - whole;
        // Clamp to the range of the message's field.
        return Math.min(Math.max(whole, -MOST), MOST) + 0;
    }
}

/**
 * Returns 120ths of a notch on one axis, in the DOM's direction. `legacy` is the old `wheelDelta`, 120 per notch for real
 * wheels.
 * @param {number} delta
 * @param {number | undefined} legacy
 * @param {number} mode
 */
function notches(delta, legacy, mode) {
    if (mode === 1) return delta * LINE;
    if (mode === 2) return delta * PAGE;
    // The pixels per notch depend on the system and its settings, so use whole notches of `legacy`. In Firefox, a touchpad's
    // `legacy` is three times the pixels, and can't be used.
    if (delta && legacy && legacy % NOTCH === 0 && legacy * delta > 0 && legacy !== 3 * delta) return legacy;
    return delta * PIXEL;
}
