// The user's settings, stored in the browser.

export const SIZES = /** @type {const} */ (["fit", "fill", "actual"]);

/**
 * @typedef {{
 *   size: typeof SIZES[number], keys: string, exchangesCommand: boolean, directTouch: boolean, naturalScrolling: boolean,
 *   hasSeenHint: boolean, hasSeenWayOut: boolean, quality: string, sound: boolean, volume: number, inStep: boolean,
 *   sharesClipboard: boolean,
 * }} Choices
 */

/** @type {Choices} */
const DEFAULTS = {
    size: "fit", keys: "character", exchangesCommand: false, directTouch: false, naturalScrolling: true,
    hasSeenHint: false, hasSeenWayOut: false, quality: "automatic", sound: true, volume: 1, inStep: false,
    sharesClipboard: true,
};

export class Settings {
    #keep;

    /**
     * Called when a setting has changed.
     * @type {() => void}
     */
    changed = () => {};

    /** @param {import("../session/keep.js").Keep} keep */
    constructor(keep) {
        this.#keep = keep;
        /** @type {Choices} */
        this.values = {...DEFAULTS, ...keep.settings};
        if (!SIZES.includes(this.values.size)) this.values.size = "fit";
    }

    /** @param {Partial<Choices>} changes */
    change(changes) {
        Object.assign(this.values, changes);
        this.#keep.settings = this.values;
        this.changed();
    }
}
