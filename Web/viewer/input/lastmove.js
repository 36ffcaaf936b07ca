// The last move by a channel that loses: nothing comes behind it that would say where the pointer is. It is told again
// a few times after a rest, and by the channel that loses nothing ahead of what happens where the pointer is. Its number
// is the same each time, so a host that has it passes over the rest.

/** Milliseconds of rest before it is told again, and again. */
const RESTS = Object.freeze([40, 80]);

export class LastMove {
    #send;
    /** @type {import("./input.js").Message | null} */
    #move = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;

    /** @param {(channel: "control" | "moves", message: import("./input.js").Message) => void} send */
    constructor(send) { this.#send = send; }

    /**
     * @param {import("./input.js").Message} move that has gone
     * @param {number} interval milliseconds between two that the host takes
     */
    sent(move, interval) {
        this.forget();
        this.#move = move;
        this.#wait(0, interval);
    }

    /** @param {number} turn @param {number} interval */
    #wait(turn, interval) {
        if (turn === RESTS.length) return;
        this.#timer = setTimeout(() => {
            if (this.#move) this.#send("moves", this.#move);
            this.#wait(turn + 1, interval);
        }, Math.max(RESTS[turn], interval));
    }

    /**
     * Something happens where the pointer is: the host is to have it there.
     * @param {import("./input.js").Message} message what happens
     */
    settle({type, x}) {
        const move = this.#move;
        // A place of its own says as much as the last one.
        if (move && !(x !== undefined && move.type === "mouseTo")) this.#send("control", move);
        this.forget();
    }

    /** It counts no more. */
    forget() {
        clearTimeout(this.#timer);
        this.#move = null;
        this.#timer = undefined;
    }
}
