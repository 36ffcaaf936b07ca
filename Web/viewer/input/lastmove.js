// Repeats the last move on the unreliable channel, because no later message would correct the pointer's position. The move is
// sent again twice after a pause, and on the reliable channel before input that acts at the pointer's position. Its number
// stays the same, so a host that has received it ignores the repetitions.

/** The pauses before the repetitions, in milliseconds. */
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
     * @param {import("./input.js").Message} move the move that was sent
     * @param {number} interval the host's minimum interval between two moves, in milliseconds
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
     * Ensures that the host knows the pointer's position before a message that acts there.
     * @param {import("./input.js").Message} message the message that follows
     */
    settle({type, x}) {
        const move = this.#move;
        // A message with its own absolute position needs no repetition.
        if (move && !(x !== undefined && move.type === "mouseTo")) this.#send("control", move);
        this.forget();
    }

    /** Ends the repetitions. */
    forget() {
        clearTimeout(this.#timer);
        this.#move = null;
        this.#timer = undefined;
    }
}
