// All input on its way to the host: by which channel, whether it may go at all, and what is down.

import {LastMove} from "./lastmove.js";

/** How often the host hears that what is down still is: without it for 400 ms it ends repeating, after 2 s it lets go. */
export const ALIVE_INTERVAL = 100;
const MOVES = new Set(["mouseMove", "mouseTo"]);
const BEFORE = new Set(["mouseDown", "click", "scroll"]);
/** What happens where the pointer is. */
const POINTED = new Set([...BEFORE, "mouseUp"]);
/** The most that is kept while the clipboard is waited for. */
const KEPT_LIMIT = 256;
const CARET = new Set(["mouseDown", "click", "keyDown", "keyPress"]);

/**
 * @typedef {"yours" | "free" | "taken" | "forbidden"} ControlState
 * @typedef {{type: string, [member: string]: any}} Message of docs/web/protocol.md, "From the viewer"
 */
export class Input {
    #send;
    #blocked;
    /** @type {ControlState} */
    #state = "forbidden";
    #held = new Set();
    #count = 0;
    // Milliseconds between two moves, where the host takes no more.
    #interval = 0;
    #movedAt = -Infinity;
    /**
     * A move that came too early, until its time has come.
     * @type {Message | null}
     */
    #waiting = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #lastMove;
    /**
     * What waits for the clipboard, in its order; `null` while nothing has to.
     * @type {Message[] | null}
     */
    #kept = null;
    // Whether the person has acted, and whether the host has said that this page drives, since control was somebody else's.
    #hasActed = false;
    #isDriver = false;

    /**
     * What goes before a button or the wheel: modifiers that were kept back.
     * @type {() => Message[]}
     */
    before = () => [];

    /**
     * What was sent may have moved the host's caret, or changed what is before it.
     * @type {() => void}
     */
    caretMoved = () => {};

    /**
     * Control is somebody else's from now on.
     * @type {() => void}
     */
    lost = () => {};

    /**
     * `drives` is another now.
     * @type {() => void}
     */
    drivesChanged = () => {};

    /**
     * @param {(channel: "control" | "moves", message: Message) => boolean} send whether it could go
     * @param {(state: ControlState) => void} blocked somebody acts who may not
     */
    constructor(send, blocked) {
        this.#send = send;
        this.#blocked = blocked;
        this.#lastMove = new LastMove(send);
    }

    get isAllowed() { return this.#state === "yours" || this.#state === "free"; }
    get state() { return this.#state; }

    /**
     * Whether this page drives, or drove last: the host says so, and the person has acted. What the host says alone counts
     * for nothing, as it may be anybody's whose screen is looked at.
     */
    get drives() { return this.#hasActed && this.#isDriver; }

    /** Nobody has driven yet: another session begins. */
    beginAnew() { this.#drive(false, false); }

    /** @param {boolean} hasActed @param {boolean} isDriver */
    #drive(hasActed, isDriver) {
        const before = this.drives;
        this.#hasActed = hasActed;
        this.#isDriver = isDriver;
        if (this.drives !== before) this.drivesChanged();
    }

    /** @param {ControlState} state */
    set state(state) {
        const wasAllowed = this.isAllowed;
        this.#state = state;
        if (!this.isAllowed) this.#drive(false, false);
        else if (state === "yours") this.#drive(this.#hasActed, true);
        // The host has let go of all of it when control went to somebody else.
        if (!this.isAllowed) {
            this.#held.clear();
            this.#waiting = null;
            this.#kept = null;
            this.#lastMove.forget();
            if (wasAllowed) this.lost();
        }
    }

    /**
     * The most moves a second that the host takes.
     * @param {number} perSecond
     */
    set rate(perSecond) { this.#interval = perSecond > 0 ? 1000 / perSecond : 0; }

    /** Whether something is down: `alive` is due. */
    get isHolding() { return this.#held.size > 0; }

    /**
     * Places are numbered: older ones are passed over.
     * @param {number} x
     * @param {number} y
     */
    moveTo(x, y) { this.#move({type: "mouseTo", x, y, n: ++this.#count}); }

    /**
     * The pointer goes along a line: through each of its places, or as many of them as the host takes for the time since
     * the last move; the end of it always.
     * @param {{x: number, y: number}[]} places
     */
    moveAlong(places) {
        const {length} = places, since = performance.now() - this.#movedAt;
        const most = this.#interval > 0 ? Math.floor(since / this.#interval) : length;
        if (most < 1) return this.moveTo(places[length - 1].x, places[length - 1].y);
        const count = Math.min(length, most);
        for (let number = 1; number <= count; number++) {
            const {x, y} = places[Math.ceil(number * length / count) - 1];
            this.#go({type: "mouseTo", x, y, n: ++this.#count});
        }
    }

    /**
     * As places are.
     * @param {Message} step of `RunningMoves`
     */
    moveBy(step) { this.#move({...step, n: ++this.#count}); }

    /**
     * Sends a move, or keeps it until the host takes one more: then the newest goes, with all that the others moved.
     * @param {Message} message
     */
    #move(message) {
        if (this.#waiting) {
            const {type, dx, dy} = this.#waiting;
            if (type !== message.type) this.#settle();
            // By the totals nothing is lost where a step is longer than a message takes.
            else if (type === "mouseMove") message = {...message, dx: step(dx + message.dx), dy: step(dy + message.dy)};
        }
        const wait = this.#movedAt + this.#interval - performance.now();
        if (wait <= 0) return this.#go(message);
        this.#waiting = message;
        this.#timer ??= setTimeout(() => this.#settle(), wait);
    }

    /** @param {Message} message */
    #go(message) {
        clearTimeout(this.#timer);
        this.#timer = undefined;
        this.#waiting = null;
        this.#movedAt = performance.now();
        this.act(message);
    }

    /** A move that waits goes now: what comes next finds it done. */
    #settle() {
        this.#timer = undefined;
        if (this.#waiting) this.#go(this.#waiting);
    }

    /**
     * A button goes down or up. Its place is numbered as moves are: it goes by another channel, and either may overtake
     * the other.
     * @param {"mouseDown" | "mouseUp"} type
     * @param {string} button
     * @param {?{x: number, y: number}} place
     */
    press(type, button, place = null) { this.act({type, button, ...this.#numbered(place)}); }

    /**
     * A button goes down and up, as `press` does either.
     * @param {string} button @param {?{x: number, y: number}} place
     */
    click(button, place = null) { this.act({type: "click", button, count: 1, ...this.#numbered(place)}); }

    /** @param {?{x: number, y: number}} place */
    #numbered(place) { return place ? {x: place.x, y: place.y, n: ++this.#count} : {}; }

    /** @param {Message} message */
    act(message) {
        if (this.#waiting && !MOVES.has(message.type)) this.#settle();
        if (!this.isAllowed) {
            // Moving about is no wish to drive.
            if (!MOVES.has(message.type) && !isRelease(message)) this.#blocked(this.#state);
            return;
        }
        if (!this.#hasActed && !isRelease(message)) this.#drive(true, this.#isDriver);
        if (BEFORE.has(message.type)) this.actAll(this.before());
        if (MOVES.has(message.type)) {
            // One that could not go is told again, too: it is the newest.
            this.#send("moves", message);
            return this.#lastMove.sent(message, this.#interval);
        }
        if (this.#kept?.length === KEPT_LIMIT) this.resume();
        if (this.#kept) this.#kept.push(message);
        else if (!this.#deliver(message)) return;
        if (CARET.has(message.type)) this.caretMoved();
    }

    /**
     * @param {Message} message
     * @returns {boolean} whether it could go
     */
    #deliver(message) {
        if (POINTED.has(message.type)) this.#lastMove.settle(message);
        if (!this.#send("control", message)) return false;
        const {button, usage, keyCode} = message;
        const name = button ?? (usage === undefined ? `key ${keyCode}` : `usage ${usage}`);
        if (message.type === "mouseDown" || message.type === "keyDown") this.#held.add(name);
        else if (message.type === "mouseUp" || message.type === "keyUp") this.#held.delete(name);
        else if (message.type === "releaseAll") this.#held.clear();
        return true;
    }

    /** All but moves waits, in its order, until `resume`. */
    pause() { this.#kept ??= []; }

    /** What has waited goes. */
    resume() {
        const kept = this.#kept ?? [];
        this.#kept = null;
        for (const message of kept) this.#deliver(message);
    }

    /** @param {Message[]} messages */
    actAll(messages) { for (const message of messages) this.act(message); }

    /** Nothing is down any more. */
    releaseAll() {
        if (this.isHolding || this.#kept?.length) this.act({type: "releaseAll"});
        this.#held.clear();
    }

    /** Every `ALIVE_INTERVAL`. */
    tick() { if (this.isHolding) this.#send("control", {type: "alive"}); }
}

/** @param {number} sum */
const step = (sum) => Math.max(-65535, Math.min(65535, sum));
/** @param {Message} message */
const isRelease = ({type}) => type === "mouseUp" || type === "keyUp" || type === "releaseAll";
