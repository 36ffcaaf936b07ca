// Selects the sound packets to decode, in order: each packet once, and none after a later one.

/** Ten seconds on the RTP clock. */
const TOO_EARLY = 480_000;

export class PacketOrder {
    #opus;
    #red;
    /**
     * The RTP timestamp of the last accepted packet.
     * @type {number | null}
     */
    #last = null;

    /** @param {{opus: number[], red: number[]}} types the payload types */
    constructor({opus, red}) {
        this.#opus = opus;
        this.#red = red;
    }

    /**
     * @param {number} type the payload type @param {number} timestamp the RTP timestamp @param {Uint8Array} bytes
     * @returns {{timestamp: number, bytes: Uint8Array}[] | null} the packets to decode; `null` for a payload type without Opus
     */
    take(type, timestamp, bytes) {
        const isRed = this.#red.includes(type);
        if (!isRed && !this.#opus.includes(type)) return null;
        const blocks = isRed ? blocksOf(bytes) : [{type, before: 0, bytes}];
        // Treat a malformed packet like a lost one.
        if (!blocks) return [];
        const taken = [];
        for (const {type, before, bytes} of blocks) {
            const own = timestamp - before >>> 0, after = this.#last === null ? 1 : own - this.#last | 0;
            // A timestamp far in the past is not late: the host's clock has restarted.
            if (!this.#opus.includes(type) || !bytes.length || after <= 0 && after > -TOO_EARLY) continue;
            this.#last = own;
            taken.push({timestamp: own, bytes});
        }
        return taken;
    }
}

/**
 * Returns the blocks of a packet with redundant data (RFC 2198), oldest first; `null` if it is malformed.
 *
 *      0                   1                   2                   3
 *     |1| block PT    |  timestamp offset         |   block length    |   before each earlier one
 *     |0| block PT    |                                                    before the packet's own
 *
 * @param {Uint8Array} bytes
 * @returns {{type: number, before: number, bytes: Uint8Array}[] | null} `before`: the timestamp offset on the RTP clock
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
