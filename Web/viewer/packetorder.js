// Which packets of sound are decoded, and in which order: each once, none before one that is later.

export class PacketOrder {
    #opus;
    #red;
    // RTP's time of the first packet, and how much later the last one was that was taken.
    #first = null;
    #last = -1;

    /** @param {{opus: number[], red: number[]}} types payload types */
    constructor({opus, red}) {
        this.#opus = opus;
        this.#red = red;
    }

    /**
     * @param {number} type the payload's @param {number} timestamp RTP's @param {Uint8Array} bytes
     * @returns {{time: number, bytes: Uint8Array}[] | null} what to decode, each with its time in microseconds since the
     *     first; `null` where it is neither Opus nor a packet that has some in it
     */
    take(type, timestamp, bytes) {
        const isRed = this.#red.includes(type);
        if (!isRed && !this.#opus.includes(type)) return null;
        const blocks = isRed ? blocksOf(bytes) : [{type, before: 0, bytes}];
        // One that is damaged is as one that did not come.
        if (!blocks) return [];
        // So that what is repeated in the first has a time, too.
        this.#first ??= timestamp - 0x8000 >>> 0;
        const taken = [];
        for (const {type, before, bytes} of blocks) {
            const near = this.#last < 0 ? 0x8000 : this.#last;
            const place = near + (timestamp - before - this.#first - near | 0);
            // Far before the last is not late: the host counts anew.
            if (place <= this.#last && place > this.#last - 480_000 || !bytes.length) continue;
            if (!this.#opus.includes(type) || place < 0) continue;
            this.#last = place;
            taken.push({time: Math.round(place * 1000 / 48), bytes});
        }
        return taken;
    }

    /** RTP's time of what was decoded. @param {number} time as `take` told it */
    timestampAt(time) { return this.#first + Math.round(time * 48 / 1000) >>> 0; }
}

/**
 * The packets in one that carries earlier ones once more (RFC 2198), oldest first; `null` where it is none.
 *
 *      0                   1                   2                   3
 *     |1| block PT    |  timestamp offset         |   block length    |   before each earlier one
 *     |0| block PT    |                                                    before the packet's own
 *
 * @param {Uint8Array} bytes
 * @returns {{type: number, before: number, bytes: Uint8Array}[] | null} `before`: how much earlier on RTP's clock
 */
export function blocksOf(bytes) {
    const blocks = [];
    let at = 0;
    for (; at < bytes.length && bytes[at] & 0x80; at += 4) {
        if (at + 4 > bytes.length) return null;
        blocks.push({
            type: bytes[at] & 0x7f, before: bytes[at + 1] << 6 | bytes[at + 2] >> 2,
            length: (bytes[at + 2] & 3) << 8 | bytes[at + 3],
        });
    }
    if (at >= bytes.length) return null;
    blocks.push({type: bytes[at++], before: 0, length: null});
    const found = [];
    for (const {type, before, length} of blocks) {
        const end = length === null ? bytes.length : at + length;
        if (end > bytes.length) return null;
        found.push({type, before, bytes: bytes.subarray(at, end)});
        at = end;
    }
    return found;
}
