// Relative moves that tolerate loss: each message also contains the running totals (docs/web/protocol.md, `mouseMove`).

const MODULUS = 2 ** 31;

export class RunningMoves {
    #rest = {x: 0, y: 0};
    #total = {x: 0, y: 0};

    /**
     * Returns the message for a move in pixels of the host's screen; fractions are kept for the next move. `null` if less than
     * a whole pixel has accumulated.
     * @param {number} dx @param {number} dy
     */
    move(dx, dy) {
        this.#rest.x += dx;
        this.#rest.y += dy;
        const x = Math.trunc(this.#rest.x), y = Math.trunc(this.#rest.y);
        if (!x && !y) return null;
        this.#rest.x -= x;
        this.#rest.y -= y;
        /** @param {number} sum */
        const wrap = (sum) => (sum % MODULUS + MODULUS) % MODULUS;
        this.#total = {x: wrap(this.#total.x + x), y: wrap(this.#total.y + y)};
        return {type: "mouseMove", dx: x, dy: y, tx: this.#total.x, ty: this.#total.y};
    }
}
