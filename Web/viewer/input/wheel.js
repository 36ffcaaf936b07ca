// Turns of a wheel, in whatever unit the browser has them, as 120ths of a notch: positive is up and right.

const NOTCH = 120;
const MOST = 32767;
// Firefox's lines: three a notch. A page is taken for three notches.
const LINE = 40, PAGE = 360;
// Chrome and Safari turn a page by 100 CSS pixels a notch.
const PIXEL = 1.2;

export class Wheel {
    #rest = {x: 0, y: 0};

    /**
     * Whole 120ths; what is less is kept for the next event. `null` where nothing whole came together.
     * @param {{deltaX: number, deltaY: number, deltaMode: number, wheelDeltaX?: number, wheelDeltaY?: number}} event
     * @returns {{dx: number, dy: number} | null}
     */
    turn(event) {
        // Asked first: otherwise Firefox tells lines as pixels.
        const {deltaMode} = event;
        const dx = this.#whole("x", notches(event.deltaX, -(event.wheelDeltaX ?? 0), deltaMode));
        const dy = this.#whole("y", -notches(event.deltaY, -(event.wheelDeltaY ?? 0), deltaMode));
        return dx || dy ? {dx, dy} : null;
    }

    /** @param {"x" | "y"} axis @param {number} amount */
    #whole(axis, amount) {
        // What is left of the other direction would hold up a turn back.
        if (this.#rest[axis] * amount < 0) this.#rest[axis] = 0;
        const all = this.#rest[axis] + amount;
        const whole = Math.trunc(all);
        this.#rest[axis] = all - whole;
        // No message has more; nobody turns that far at once.
        return Math.min(Math.max(whole, -MOST), MOST) + 0;
    }
}

/**
 * 120ths of one axis, in the DOM's direction. `legacy`: what old `wheelDelta` says, 120 a notch for real wheels.
 * @param {number} delta
 * @param {number | undefined} legacy
 * @param {number} mode
 */
function notches(delta, legacy, mode) {
    if (mode === 1) return delta * LINE;
    if (mode === 2) return delta * PAGE;
    // Pixels a notch differ by system and settings; whole notches are known by this, save that Firefox has three times the
    // pixels there for what is no wheel.
    if (delta && legacy && legacy % NOTCH === 0 && legacy * delta > 0 && legacy !== 3 * delta) return legacy;
    return delta * PIXEL;
}
