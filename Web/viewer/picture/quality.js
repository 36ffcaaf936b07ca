// What the person wants of the picture where the path can't carry all of it, or is not to: told to a host that takes it.

/** Bits a second that a picture may take for who saves data: a page of text is sharp at that, a film is small. */
const SAVING = 1_000_000;
/** What each choice is to the host: docs/web/protocol.md, `quality`. */
const WISHES = new Map([
    ["automatic", {}], ["sharper", {prefers: "sharpness"}], ["smoother", {prefers: "motion"}],
    ["saving", {most: SAVING}],
]);

/** @param {unknown} name as it was kept @returns {string} a choice that there is */
export function qualityOf(name) { return typeof name === "string" && WISHES.has(name) ? name : "automatic"; }

export class Quality {
    #tell;
    #choice;
    #isOn = false;
    // A host begins with what is automatic.
    #told = "automatic";

    /** @param {(message: object) => boolean} tell the host @param {string} choice */
    constructor(tell, choice) {
        this.#tell = tell;
        this.#choice = qualityOf(choice);
    }

    /** Whether the host of this session takes a choice. */
    get isOffered() { return this.#isOn; }
    get choice() { return this.#choice; }

    set choice(name) {
        this.#choice = qualityOf(name);
        this.#settle();
    }

    /** The host takes it. */
    begin() {
        this.#isOn = true;
        this.#settle();
    }

    /** The session has ended: the next one begins with what is automatic. */
    end() {
        this.#isOn = false;
        this.#told = "automatic";
    }

    #settle() {
        if (!this.#isOn || this.#choice === this.#told) return;
        if (this.#tell({type: "quality", ...WISHES.get(this.#choice)})) this.#told = this.#choice;
    }
}
