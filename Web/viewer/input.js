// All input on its way to the host: by which channel, whether it may go at all, and what is down.

/** How often the host hears that what is down still is; it lets go after twice that. */
export const ALIVE_INTERVAL = 1000;
const MOVES = new Set(["mouseMove", "mouseTo"]);
const BEFORE = new Set(["mouseDown", "click", "scroll"]);

/**
 * @typedef {"yours" | "free" | "taken" | "forbidden"} ControlState
 */
export class Input {
    #send;
    #blocked;
    #state = "forbidden";
    #held = new Set();
    #count = 0;

    /** What goes before a button or the wheel: modifiers that were kept back. @type {() => object[]} */
    before = () => [];

    /**
     * @param {(channel: "control" | "moves", message: object) => boolean} send whether it could go
     * @param {(state: ControlState) => void} blocked somebody acts who may not
     */
    constructor(send, blocked) {
        this.#send = send;
        this.#blocked = blocked;
    }

    get isAllowed() { return this.#state === "yours" || this.#state === "free"; }
    get state() { return this.#state; }

    /** @param {ControlState} state */
    set state(state) {
        this.#state = state;
        // The host has let go of all of it when control went to somebody else.
        if (!this.isAllowed) this.#held.clear();
    }

    /** Whether something is down: `alive` is due every second. */
    get isHolding() { return this.#held.size > 0; }

    /** Places are numbered: older ones are passed over. */
    moveTo(x, y) { this.act({type: "mouseTo", x, y, n: ++this.#count}); }

    /** As places are. @param {object} step of `RunningMoves` */
    moveBy(step) { this.act({...step, n: ++this.#count}); }

    /**
     * A button goes down or up. Its place is numbered as moves are: it goes by another channel, and either may overtake
     * the other.
     * @param {"mouseDown" | "mouseUp"} type
     * @param {string} button
     * @param {?{x: number, y: number}} place
     */
    press(type, button, place = null) {
        this.act(place ? {type, button, x: place.x, y: place.y, n: ++this.#count} : {type, button});
    }

    /** @param {object} message of docs/web/protocol.md, "From the viewer" */
    act(message) {
        if (!this.isAllowed) {
            // Moving about is no wish to drive.
            if (!MOVES.has(message.type) && !isRelease(message)) this.#blocked(this.#state);
            return;
        }
        if (BEFORE.has(message.type)) this.actAll(this.before());
        if (!this.#send(MOVES.has(message.type) ? "moves" : "control", message)) return;
        const {button, usage, keyCode} = message;
        const name = button ?? (usage === undefined ? `key ${keyCode}` : `usage ${usage}`);
        if (message.type === "mouseDown" || message.type === "keyDown") this.#held.add(name);
        else if (message.type === "mouseUp" || message.type === "keyUp") this.#held.delete(name);
        else if (message.type === "releaseAll") this.#held.clear();
    }

    /** @param {object[]} messages */
    actAll(messages) { for (const message of messages) this.act(message); }

    /** Nothing is down any more. */
    releaseAll() {
        if (this.isHolding) this.act({type: "releaseAll"});
        this.#held.clear();
    }

    /** Once a second. */
    tick() { if (this.isHolding) this.#send("control", {type: "alive"}); }
}

const isRelease = ({type}) => type === "mouseUp" || type === "keyUp" || type === "releaseAll";
