// What the person has chosen, which this browser remembers.

export const SIZES = ["fit", "fill", "actual"];

const DEFAULTS = {
    size: "fit", keys: "character", exchangesCommand: false, directTouch: false, naturalScrolling: true,
    hasSeenHint: false, hasSeenWayOut: false, quality: "automatic", sound: true, volume: 1, inStep: false,
    sharesClipboard: true,
};

export class Settings {
    #keep;

    /**
     * Called when something was chosen.
     * @type {() => void}
     */
    changed = () => {};

    /** @param {import("../session/keep.js").Keep} keep */
    constructor(keep) {
        this.#keep = keep;
        this.values = {...DEFAULTS, ...keep.settings};
        if (!SIZES.includes(this.values.size)) this.values.size = "fit";
    }

    /** @param {Partial<typeof DEFAULTS>} changes */
    change(changes) {
        Object.assign(this.values, changes);
        this.#keep.settings = this.values;
        this.changed();
    }
}
