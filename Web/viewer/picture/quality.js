// The user's choice of quality for paths that can't carry the full picture, or should not. It is sent to hosts that support it.

/** The bitrate limit for saving data, in bits per second: a page of text is sharp, a film is small. */
const SAVING = 1_000_000;
/** The message fields for each choice: docs/web/protocol.md, `quality`. */
const WISHES = new Map([
    ["automatic", {}], ["sharper", {prefers: "sharpness"}], ["smoother", {prefers: "motion"}],
    ["saving", {most: SAVING}],
]);

/** @param {unknown} name the stored name @returns {string} a valid choice */
export function qualityOf(name) { return typeof name === "string" && WISHES.has(name) ? name : "automatic"; }

export class Quality {
    #tell;
    #choice;
    #isOn = false;
    // The host's initial choice is automatic.
    #told = "automatic";

    /** @param {(message: object) => boolean} tell sends a message to the host @param {string} choice */
    constructor(tell, choice) {
        this.#tell = tell;
        this.#choice = qualityOf(choice);
    }

    /** True if this session's host supports the choice. */
    get isOffered() { return this.#isOn; }
    get choice() { return this.#choice; }

    set choice(name) {
        this.#choice = qualityOf(name);
        this.#settle();
    }

    /** Handles that the host supports the choice. */
    begin() {
        this.#isOn = true;
        this.#settle();
    }

    /** Ends the session; the next one begins with the automatic choice. */
    end() {
        this.#isOn = false;
        this.#told = "automatic";
    }

    #settle() {
        if (!this.#isOn || this.#choice === this.#told) return;
        if (this.#tell({type: "quality", ...WISHES.get(this.#choice)})) this.#told = this.#choice;
    }
}
