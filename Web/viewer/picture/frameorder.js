// Puts pictures into decoding order, determines which of them can be decoded, and when to request a repair. If the host numbers
// its pictures by the dependency descriptor, browsers deliver each picture as soon as it is complete, in any order, and a
// picture names the pictures that it depends on. Otherwise, pictures arrive in order, and `frame_num` shows whether one is
// missing. Uses no DOM and no clock: the time is an argument, in milliseconds.

/** The assumed round trip in milliseconds until one is measured. */
const ROUND_TRIP = 50;
/** The maximum number of pictures that wait for others. */
const MOST_WAITING = 60;
/** The number of decoded pictures to remember; no picture depends on older ones. */
const MOST_TAKEN = 64;
/** The maximum time in milliseconds to wait for a missing picture, unless two round trips take longer. */
const MOST_PATIENCE = 200;
/**
 * The number of retransmission requests to wait for, as in native viewers, and the maximum reordering of packets in
 * milliseconds.
 */
const REQUESTS = 8, REORDERED = 8;
/** The time in milliseconds between two repair requests, in addition to 5/4 round trips. */
const REPEAT = 40;
/**
 * The longer of these times, in milliseconds and in round trips, after which a keyframe is requested instead of a repair
 * picture.
 */
const HOPE = {time: 1000, roundTrips: 5};
/**
 * The number of consecutive pictures after a keyframe whose `frame_num` increases by one, after which any other step is a loss.
 */
const CERTAIN = 30;

/**
 * @typedef {object} Picture
 * @property {number} at RTP timestamp
 * @property {boolean} isKey true for an IDR picture
 * @property {boolean} isReference true if other pictures may depend on it
 * @property {number | null} number `frame_num`; `null` if it can't be read
 * @property {number} modulus the value at which `frame_num` wraps around
 * @property {number | null} back for a repair picture, the number of steps of `frame_num` to the oldest picture after which it
 *   can be decoded; otherwise `null`
 * @property {number | null} id the number in the dependency descriptor; `null` without one
 * @property {readonly number[]} dependencies the numbers of the pictures that it depends on
 *
 * @typedef {{keys: number, repairs: number, reference: number, late: number, lost: number}} Counts `keys`, `repairs`: the
 *   number of returned pictures of these kinds; `reference`, `late`: the number of pictures dropped because their dependencies
 *   are missing, or because newer pictures were returned; `lost`: the number of times that missing pictures were given up
 */

/** @returns {Counts} */
const nothing = () => ({keys: 0, repairs: 0, reference: 0, late: 0, lost: 0});

/** @template {Picture} P */
export class FrameOrder {
    /**
     * Pictures with a dependency descriptor that can't be decoded yet, in order, with their times of arrival.
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
     * The RTP timestamp of the last returned picture; below, `frame_num` of the last reference picture.
     * @type {number | null}
     */
    #whole = null;
    /** @type {number | null} */
    #number = null;
    #shift = 0;
    // The number of consecutive pictures since the keyframe; negative after a picture out of sequence.
    #row = 0;
    #isLost = true;
    /**
     * The time since which the loss is known, and the time of the next request; `null` before any loss.
     * @type {number | null}
     */
    #lostAt = null;
    #askAt = 0;
    #jitter = 0;
    /** @type {{at: number, now: number} | null} */
    #last = null;
    #counts = nothing();
    /** The state before the last returned picture, to restore it if the decoder refuses that picture. */
    #before = {id: /** @type {number | null} */ (null), whole: /** @type {number | null} */ (null),
        number: /** @type {number | null} */ (null), shift: 0};

    /** The measured round trip in milliseconds. */
    roundTrip = ROUND_TRIP;

    /** Returns the counts since the last call. */
    readCounts() {
        const counts = this.#counts;
        this.#counts = nothing();
        return counts;
    }

    /** The number of waiting pictures. */
    get waiting() { return this.#waiting.length; }
    /**
     * True while missing pictures were given up, so that a keyframe or repair picture is needed. The missing pictures are still
     * used if they arrive after all.
     */
    get isLost() { return this.#isLost; }
    /**
     * The number to subtract from `frame_num` of the last returned picture, so that the decoder finds no gap: the total number
     * of lost pictures that repair pictures have replaced.
     */
    get shift() { return this.#shift; }

    /** The time to wait for a missing picture, in milliseconds. */
    get patience() {
        const spacing = this.roundTrip * 5 / 4 + this.#jitter * 2;
        return Math.min(Math.max(MOST_PATIENCE, this.roundTrip * 2), spacing * REQUESTS + REORDERED);
    }

    /** The time of the next necessary call of `tick`; `null` for none. */
    get deadline() {
        if (this.#isLost) return this.#lostAt === null ? null : this.#askAt;
        return this.#waiting.length ? this.#holeAt + this.patience : null;
    }

    /** The time since which a picture is known to be missing. */
    get #holeAt() { return this.#waiting.reduce((first, {since}) => Math.min(first, since), Infinity); }

    /**
     * Adds an arrived picture.
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
     * Returns the oldest picture that can be decoded, and drops the pictures before it; `null` if there is none.
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
     * Handles expired deadlines.
     * @param {number} now
     * @returns {{whole: number | null} | null} a request to send: for a repair picture that can be decoded after the picture
     *   with the RTP timestamp `whole`, or for a keyframe if `whole` is `null`
     */
    tick(now) {
        if (!this.#isLost && now >= this.#holeAt + this.patience) this.#giveUp(now);
        if (!this.#isLost || this.#lostAt === null || now < this.#askAt) return null;
        this.#askAt = now + REPEAT + this.roundTrip * 5 / 4;
        const isHopeful = now - this.#lostAt < Math.max(HOPE.time, HOPE.roundTrips * this.roundTrip);
        return {whole: isHopeful ? this.#whole : null};
    }

    /**
     * Treats the last returned picture as lost, because the decoder did not accept it. It must not be a keyframe.
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
     * Requires a keyframe, because the decoder has lost its state.
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
     * Updates the interarrival jitter (RFC 3550 section 6.4.1), computed for pictures instead of packets.
     * @param {number} at RTP timestamp, at 90 kHz @param {number} now
     */
    #measure(at, now) {
        const last = this.#last, step = last ? (at - last.at) | 0 : 0;
        // A retransmitted picture's delay is not jitter.
        if (last && step <= 0) return;
        this.#last = {at, now};
        if (last) this.#jitter += (Math.abs(now - last.now - step / 90) - this.#jitter) / 16;
    }

    /**
     * Returns the steps of `frame_num` from the last reference picture to this one; `null` if unknown.
     * @param {P} picture
     */
    #steps({number, modulus}) {
        if (number === null || this.#number === null) return null;
        return ((number - this.#number) % modulus + modulus) % modulus;
    }

    /**
     * Returns true if the picture is a repair picture whose dependencies were decoded.
     * @param {P} picture
     */
    #isRepairing(picture) {
        const steps = this.#steps(picture);
        if (picture.back === null || steps === null || steps <= 0 || steps > picture.back) return false;
        // After a lost IDR picture, `frame_num` restarts, so there would be more pictures than steps in between.
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
     * Returns true if a picture without a descriptor can be decoded. The browser has waited for earlier pictures, so any that
     * is missing now is lost.
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
