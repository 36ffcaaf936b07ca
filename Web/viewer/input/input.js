// Sends all input to the host: chooses the channel, checks whether this page may send input, and records the pressed keys and
// buttons.

import {LastMove} from "./lastmove.js";

/**
 * The interval in milliseconds of messages that keep keys down. Without them, the host stops key repeat after 400 ms, and
 * releases all keys after 2 s.
 */
export const ALIVE_INTERVAL = 100;
const MOVES = new Set(["mouseMove", "mouseTo"]);
const BEFORE = new Set(["mouseDown", "click", "scroll"]);
/** The types of messages that act at the pointer's position. */
const POINTED = new Set([...BEFORE, "mouseUp"]);
/** The maximum number of messages that wait for the clipboard. */
const KEPT_LIMIT = 256;
const CARET = new Set(["mouseDown", "click", "keyDown", "keyPress"]);

/**
 * @typedef {"yours" | "free" | "taken" | "forbidden"} ControlState
 * @typedef {{type: string, [member: string]: any}} Message a message of docs/web/protocol.md, "From the viewer"
 */
export class Input {
    #send;
    #blocked;
    /** @type {ControlState} */
    #state = "forbidden";
    #held = new Set();
    #count = 0;
    // The minimum interval between two moves, in milliseconds; 0 for no limit.
    #interval = 0;
    #movedAt = -Infinity;
    /**
     * A move that waits for the interval to elapse.
     * @type {Message | null}
     */
    #waiting = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #lastMove;
    /**
     * The messages that wait for the clipboard, in order; `null` while none has to wait.
     * @type {Message[] | null}
     */
    #kept = null;
    // True if the user has sent input, and true if the host has reported that this page drives, since another viewer had
    // control.
    #hasActed = false;
    #isDriver = false;

    /**
     * Returns the messages to send before a button or the wheel: presses of modifiers that were held back.
     * @type {() => Message[]}
     */
    before = () => [];

    /**
     * Called when sent input may have moved the host's caret, or changed the text before it.
     * @type {() => void}
     */
    caretMoved = () => {};

    /**
     * Called when another viewer gets control.
     * @type {() => void}
     */
    lost = () => {};

    /**
     * Called when `drives` has changed.
     * @type {() => void}
     */
    drivesChanged = () => {};

    /**
     * @param {(channel: "control" | "moves", message: Message) => boolean} send returns false if the message could not be sent
     * @param {(state: ControlState) => void} blocked called when the user sends input without permission
     */
    constructor(send, blocked) {
        this.#send = send;
        this.#blocked = blocked;
        this.#lastMove = new LastMove(send);
    }

    get isAllowed() { return this.#state === "yours" || this.#state === "free"; }
    get state() { return this.#state; }

    /**
     * True if this page drives or drove last: the host has reported so, and the user has sent input. The host's report alone is
     * not enough, because the host may be untrusted.
     */
    get drives() { return this.#hasActed && this.#isDriver; }

    /** Resets `drives` for another session. */
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
        // The host has released everything when another viewer got control.
        if (!this.isAllowed) {
            this.#held.clear();
            this.#waiting = null;
            this.#kept = null;
            this.#lastMove.forget();
            if (wasAllowed) this.lost();
        }
    }

    /**
     * The maximum number of moves per second that the host accepts.
     * @param {number} perSecond
     */
    set rate(perSecond) { this.#interval = perSecond > 0 ? 1000 / perSecond : 0; }

    /** True if a key or button is down, so that `alive` messages are due. */
    get isHolding() { return this.#held.size > 0; }

    /**
     * Moves the pointer to a position. Positions are numbered, so that the host can ignore outdated ones.
     * @param {number} x
     * @param {number} y
     */
    moveTo(x, y) { this.#move({type: "mouseTo", x, y, n: ++this.#count}); }

    /**
     * Moves the pointer along a line: through all its positions, or through as many as the host's rate allows for the time
     * since the last move, including the last position.
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
     * Moves the pointer relatively; numbered like positions.
     * @param {Message} step a message of `RunningMoves`
     */
    moveBy(step) { this.#move({...step, n: ++this.#count}); }

    /**
     * Sends a move, or delays it until the host's rate allows another one. A newer move replaces a delayed one; relative moves
     * are added.
     * @param {Message} message
     */
    #move(message) {
        if (this.#waiting) {
            const {type, dx, dy} = this.#waiting;
            if (type !== message.type) this.#settle();
            // Clamping loses nothing, because the message also contains the totals.
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

    /** Sends the delayed move now, so that the next message follows it. */
    #settle() {
        this.#timer = undefined;
        if (this.#waiting) this.#go(this.#waiting);
    }

    /**
     * Presses or releases a button. Its position is numbered like moves, because they use different channels and may arrive in
     * any order.
     * @param {"mouseDown" | "mouseUp"} type
     * @param {string} button
     * @param {?{x: number, y: number}} place
     */
    press(type, button, place = null) { this.act({type, button, ...this.#numbered(place)}); }

    /**
     * Clicks a button at a position, as `press` does.
     * @param {string} button @param {?{x: number, y: number}} place
     */
    click(button, place = null) { this.act({type: "click", button, count: 1, ...this.#numbered(place)}); }

    /** @param {?{x: number, y: number}} place */
    #numbered(place) { return place ? {x: place.x, y: place.y, n: ++this.#count} : {}; }

    /** @param {Message} message */
    act(message) {
        if (this.#waiting && !MOVES.has(message.type)) this.#settle();
        if (!this.isAllowed) {
            // Moving the pointer is not a request to drive.
            if (!MOVES.has(message.type) && !isRelease(message)) this.#blocked(this.#state);
            return;
        }
        if (!this.#hasActed && !isRelease(message)) this.#drive(true, this.#isDriver);
        if (BEFORE.has(message.type)) this.actAll(this.before());
        if (MOVES.has(message.type)) {
            // Repeat the move even if it could not be sent, because it is the newest.
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
     * @returns {boolean} false if it could not be sent
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

    /** Queues all messages except moves until `resume`. */
    pause() { this.#kept ??= []; }

    /** Sends the queued messages. */
    resume() {
        const kept = this.#kept ?? [];
        this.#kept = null;
        for (const message of kept) this.#deliver(message);
    }

    /** @param {Message[]} messages */
    actAll(messages) { for (const message of messages) this.act(message); }

    /** Releases all keys and buttons. */
    releaseAll() {
        if (this.isHolding || this.#kept?.length) this.act({type: "releaseAll"});
        this.#held.clear();
    }

    /** Has to be called every `ALIVE_INTERVAL`. */
    tick() { if (this.isHolding) this.#send("control", {type: "alive"}); }
}

/** @param {number} sum */
const step = (sum) => Math.max(-65535, Math.min(65535, sum));
/** @param {Message} message */
const isRelease = ({type}) => type === "mouseUp" || type === "keyUp" || type === "releaseAll";
