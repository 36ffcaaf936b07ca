// Puts pictures into the order of decoding, says which of them can be decoded, and when to ask for a repair. Where the host
// numbers its pictures by the dependency descriptor, browsers give each as soon as it is whole, in any order, and a picture
// names those that it refers to. Elsewhere they come in order, and `frame_num` shows whether one is missing. No DOM, no
// clock: the time is an argument, in milliseconds.

/** Milliseconds that a round trip counts as until one is known. */
const ROUND_TRIP = 50;
/** Pictures that may wait for others. */
const MOST_WAITING = 60;
/** Numbers of decoded pictures that are remembered: no picture refers further back. */
const MOST_TAKEN = 64;
/** The most milliseconds to wait for a picture that is missing, unless two round trips are more. */
const MOST_PATIENCE = 200;
/** Requests that a lost packet has the time for, as native viewers wait, and milliseconds by which packets may be reordered. */
const REQUESTS = 8, REORDERED = 8;
/** Milliseconds beyond 5/4 round trips between two requests for a repair. */
const REPEAT = 40;
/** Milliseconds, or round trips, after which a keyframe is asked for in place of a repair picture. */
const HOPE = {time: 1000, roundTrips: 5};
/** Pictures in a row after a keyframe whose `frame_num` counts up by one, before one that doesn't shows a loss. */
const CERTAIN = 30;

/**
 * @typedef {object} Picture
 * @property {number} at RTP timestamp
 * @property {boolean} isKey true for an IDR picture
 * @property {boolean} isReference true if others may refer to it
 * @property {number | null} number `frame_num`; `null` where it can't be read
 * @property {number} modulus at which `frame_num` begins anew
 * @property {number | null} back for a repair picture: it can be decoded after any whole picture at most so many steps of
 *     `frame_num` before it
 * @property {number | null} id by the dependency descriptor; `null` without one
 * @property {readonly number[]} dependencies the numbers of those that it refers to
 *
 * @typedef {{keys: number, repairs: number, reference: number, late: number, lost: number}} Counts `keys`, `repairs`:
 *     pictures of these kinds that were given out; `reference`, `late`: pictures dropped because those that they refer to are
 *     missing, or because newer ones were given out; `lost`: how often what was missing was given up
 */

/** @returns {Counts} */
const nothing = () => ({keys: 0, repairs: 0, reference: 0, late: 0, lost: 0});

/** @template {Picture} P */
export class FrameOrder {
    /**
     * Pictures by the dependency descriptor that can't be decoded yet, in their order, and when they came.
     * @type {{picture: P, since: number}[]}
     */
    #waiting = [];
    /**
     * Pictures without a descriptor that can be decoded.
     * @type {P[]}
     */
    #arrived = [];
    /** @type {Set<number>} */
    #taken = new Set();
    /** @type {number | null} */
    #newest = null;
    /**
     * The RTP timestamp of the picture that was given out last; below, `frame_num` of the last reference picture.
     * @type {number | null}
     */
    #whole = null;
    /** @type {number | null} */
    #number = null;
    #shift = 0;
    // Pictures in a row since the keyframe; negative once one was out of it.
    #row = 0;
    #isLost = true;
    /**
     * Since when the loss is known, and when to ask next; `null` before any picture was missed.
     * @type {number | null}
     */
    #lostAt = null;
    #askAt = 0;
    #jitter = 0;
    /** @type {{at: number, now: number} | null} */
    #last = null;
    #counts = nothing();
    /** The state before the picture that was given out last, to return to if the decoder refuses that picture. */
    #before = {id: /** @type {number | null} */ (null), whole: /** @type {number | null} */ (null),
        number: /** @type {number | null} */ (null), shift: 0};

    /** Milliseconds, as measured. */
    roundTrip = ROUND_TRIP;

    /** Returns the counts since the last call. */
    readCounts() {
        const counts = this.#counts;
        this.#counts = nothing();
        return counts;
    }

    /** The number of pictures that wait. */
    get waiting() { return this.#waiting.length; }
    /**
     * True while pictures are missing that were given up: a keyframe or a repair picture is wanted, though the missing ones are
     * still taken where they come after all.
     */
    get isLost() { return this.#isLost; }
    /**
     * The number to subtract from `frame_num` of the picture that was given out last: the numbers of lost pictures that repair
     * pictures have made up for, so that the decoder finds no gap.
     */
    get shift() { return this.#shift; }

    /** Milliseconds to wait for a picture that is missing. */
    get patience() {
        const spacing = this.roundTrip * 5 / 4 + this.#jitter * 2;
        return Math.min(Math.max(MOST_PATIENCE, this.roundTrip * 2), spacing * REQUESTS + REORDERED);
    }

    /** When to call `tick` next; `null` where nothing is waited for. */
    get deadline() {
        if (this.#isLost) return this.#lostAt === null ? null : this.#askAt;
        return this.#waiting.length ? this.#holeAt + this.patience : null;
    }

    /** When it was first seen that a picture is missing, of those that are still waited for. */
    get #holeAt() { return this.#waiting.reduce((first, {since}) => Math.min(first, since), Infinity); }

    /**
     * A picture has come.
     * @param {P} picture @param {number} now
     */
    add(picture, now) {
        this.#measure(picture.at, now);
        if (picture.id === null) {
            if (this.#isNext(picture, now)) this.#arrived.push(picture);
            return;
        }
        const {id} = picture;
        if (this.#newest !== null && id <= this.#newest) return void this.#counts.late++;
        const place = this.#waiting.findIndex((other) => /** @type {number} */ (other.picture.id) >= id);
        if (place >= 0 && this.#waiting[place].picture.id === id) return void this.#counts.late++;
        this.#waiting.splice(place < 0 ? this.#waiting.length : place, 0, {picture, since: now});
        if (this.#isLost && !this.#isGood(picture)) this.#lostAt ??= this.#askAt = now;
        if (this.#waiting.length <= MOST_WAITING || this.#isGood(picture)) return;
        this.#giveUp(now);
        this.#waiting.shift();
        this.#counts.reference++;
    }

    /**
     * The next picture that can be decoded: the oldest of them. Those before it are dropped.
     * @returns {P | null}
     */
    take() {
        const arrived = this.#arrived.shift();
        if (arrived) return this.#give(arrived);
        const place = this.#waiting.findIndex(({picture}) => this.#isGood(picture));
        if (place < 0) return null;
        this.#counts.reference += place;
        const {picture} = this.#waiting.splice(0, place + 1)[place];
        return this.#give(picture);
    }

    /**
     * Time has passed.
     * @param {number} now
     * @returns {{whole: number | null} | null} a request to send: for a repair picture behind the one with this RTP timestamp, or
     *     for a keyframe (`whole` is `null`)
     */
    tick(now) {
        if (!this.#isLost && now >= this.#holeAt + this.patience) this.#giveUp(now);
        if (!this.#isLost || this.#lostAt === null || now < this.#askAt) return null;
        this.#askAt = now + REPEAT + this.roundTrip * 5 / 4;
        const isHopeful = now - this.#lostAt < Math.max(HOPE.time, HOPE.roundTrips * this.roundTrip);
        return {whole: isHopeful ? this.#whole : null};
    }

    /**
     * The decoder did not take the picture given out last, which is no keyframe: it is as if that were lost.
     * @param {number} now
     */
    refuse(now) {
        const {id, whole, number, shift} = this.#before;
        if (id !== null) this.#taken.delete(id);
        [this.#whole, this.#number, this.#shift] = [whole, number, shift];
        this.#counts.reference++;
        this.#giveUp(now);
    }

    /**
     * The decoder has lost what it had: nothing can be decoded before a keyframe.
     * @param {number} now
     */
    fail(now) {
        this.#taken.clear();
        this.#whole = this.#number = null;
        this.#isLost = true;
        this.#lostAt = this.#askAt = now;
    }

    /** @param {number} now */
    #giveUp(now) {
        if (this.#isLost) return;
        this.#isLost = true;
        this.#lostAt = this.#askAt = now;
        this.#counts.lost++;
    }

    /**
     * Interarrival jitter (RFC 3550 section 6.4.1), of pictures in place of packets.
     * @param {number} at RTP timestamp, 90 a millisecond @param {number} now
     */
    #measure(at, now) {
        const last = this.#last, step = last ? (at - last.at) | 0 : 0;
        // The delay of a picture that was sent again is no jitter of the path.
        if (last && step <= 0) return;
        this.#last = {at, now};
        if (last) this.#jitter += (Math.abs(now - last.now - step / 90) - this.#jitter) / 16;
    }

    /**
     * Steps of `frame_num` from the last reference picture to this one; `null` where it isn't known.
     * @param {P} picture
     */
    #steps({number, modulus}) {
        if (number === null || this.#number === null) return null;
        return ((number - this.#number) % modulus + modulus) % modulus;
    }

    /**
     * Returns true if the picture is a repair picture, and all that it refers to was decoded.
     * @param {P} picture
     */
    #isRepairing(picture) {
        const steps = this.#steps(picture);
        if (picture.back === null || steps === null || steps <= 0 || steps > picture.back) return false;
        // Behind a lost IDR picture `frame_num` begins anew: then there are more pictures between them than steps.
        return picture.id === null || this.#newest === null || picture.id - this.#newest <= steps;
    }

    /**
     * Returns true if a picture with a descriptor can be decoded now.
     * @param {P} picture
     */
    #isGood(picture) {
        if (picture.isKey) return true;
        if (!picture.dependencies.length) return this.#isRepairing(picture);
        return picture.dependencies.every((id) => this.#taken.has(id));
    }

    /**
     * Returns true if a picture without a descriptor can be decoded. The browser has waited for the pictures before it, so one
     * that is missing now is lost.
     * @param {P} picture @param {number} now
     */
    #isNext(picture, now) {
        if (picture.isKey || this.#isRepairing(picture)) return true;
        const steps = this.#steps(picture), isCertain = this.#row >= CERTAIN || picture.back !== null;
        if (!this.#isLost && (steps === null || steps === 1 || !isCertain)) return true;
        if (!this.#isLost && steps === 0) {
            this.#counts.late++;
            return false;
        }
        this.#giveUp(now);
        this.#lostAt ??= this.#askAt = now;
        this.#counts.reference++;
        return false;
    }

    /** @param {P} picture */
    #give(picture) {
        const steps = this.#steps(picture), isRepair = !picture.isKey && this.#isRepairing(picture);
        this.#before = {id: picture.id, whole: this.#whole, number: this.#number, shift: this.#shift};
        if (picture.isKey) {
            this.#taken.clear();
            this.#shift = this.#row = 0;
            this.#counts.keys++;
        } else if (steps !== null) {
            if (isRepair) this.#shift = (this.#shift + steps - 1) % picture.modulus;
            if (steps === 1) this.#row++;
            else if (!isRepair) this.#row = -Infinity;
        }
        if (isRepair) this.#counts.repairs++;
        if (picture.isReference || picture.isKey) this.#number = picture.number;
        if (picture.id !== null) this.#remember(picture.id);
        this.#whole = picture.at;
        this.#isLost = false;
        this.#lostAt = null;
        return picture;
    }

    /** @param {number} id */
    #remember(id) {
        this.#newest = id;
        this.#taken.add(id);
        if (this.#taken.size <= MOST_TAKEN) return;
        const [oldest] = this.#taken;
        this.#taken.delete(oldest);
    }
}
