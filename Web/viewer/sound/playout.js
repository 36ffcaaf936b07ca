// The jitter buffer between packets, which arrive irregularly, and loudspeakers, which take samples evenly. It keeps the delay
// as small as the path and the loudspeakers permit. All times are in frames at 48 kHz, which is also RTP's clock rate. No DOM.

const RATE = 48000;
/** The capacity of the ring buffer in frames, a power of two. */
const CAPACITY = 1 << 15;
/** The maximum number of frames that wait; excess frames are skipped. */
const MOST = 12_000;
/** The number of frames over which sound fades in after a gap. */
const FADE = 120;
/** The maximum length of a concealed gap in frames, and the length of its first part without attenuation. */
const TAIL = 2400, HOLD = 480;
/**
 * The range of pitch periods for concealment, the number of frames compared, and the length of the crossfade at its start, in
 * frames.
 */
const LEAST_PERIOD = 120, MOST_PERIOD = 960, COMPARED = 240, JOINT = 32;
/**
 * The number of frames to keep when the buffer is lowest: the initial minimum, the maximum, and the minimum increase after a
 * stall.
 */
const LEAST_SPARE = 96, MOST_SPARE = 4800, SPARE_STEP = 120;
/**
 * The number of frames without a stall after which a smaller reserve is tried, the relative decrease, and the minimum decrease
 * in frames.
 */
const CALM = 10 * RATE, LESS = 1 / 6, LEAST_LESS = 24;
/** The window for the lowest level: the number of parts, and their length in frames. */
const PARTS = 12, PART = RATE;
/** The number of frames over which one frame is added or removed, which changes the pitch by 7 cents. */
const SLIP = 256;
/**
 * The excess in frames from which on sound is cut out, at the most similar position; the minimum and maximum length of a cut,
 * its crossfade, and the minimum distance between cuts.
 */
const CUT_FROM = 480, LEAST_CUT = 240, MOST_CUT = 960, OVERLAP = 240, CUT_PAUSE = RATE / 10;
/** The wait in frames from which on it counts as a pause of the host, whose clock has advanced meanwhile. */
const PAUSE = 2400;

export class Playout {
    #samples = [new Float32Array(CAPACITY), new Float32Array(CAPACITY)];
    #isThere = new Uint8Array(CAPACITY);
    // The number of frames that the loudspeakers take at once.
    #burst;
    // Positions on the RTP clock without wraparound: of the next frame to play, and after the last frame received.
    #at = 0;
    #end = 0;
    #hasBegun = false;
    // True while waiting for packets: at the beginning, after a pause of the host, or because a packet is late.
    #isWaiting = true;
    #isFresh = true;
    // The position up to which the host was silent.
    #quiet = 0;
    #waited = 0;
    /**
     * The lateness of the first packet that arrived while waiting; `null` before it arrives.
     * @type {number | null}
     */
    #late = null;
    // The number of consecutive concealed frames, the position where the gap began, and the number of frames since its end.
    #missing = TAIL;
    #gap = 0;
    #period = LEAST_PERIOD;
    #since = 0;
    // The last position that was played.
    #heard = 0;
    #slip = 0;
    #slipped = 0;
    // The lowest level since the last packet, and the lowest levels of the window's parts.
    #low = Infinity;
    #lows = new Array(PARTS).fill(Infinity);
    #inPart = 0;
    #spare = LEAST_SPARE;
    #calm = 0;
    #sinceCut = 0;
    #figures = none();

    /** @param {number} burst the number of frames that the loudspeakers take at once */
    constructor(burst) { this.#burst = burst; }

    /** The number of frames that wait to be played, including missing ones. */
    get level() { return this.#hasBegun ? this.#end - this.#at : 0; }

    /** True while playback advances; false while it waits for the next packet. */
    get isPlaying() { return !this.#isWaiting; }

    /** The playback position on the RTP clock; `null` before the first packet. */
    get at() { return this.#hasBegun ? this.#at : null; }

    /**
     * Returns the counts since the last call, in frames: `played`, of these `madeUp` (concealed); `level` summed over `pulls`;
     * `dropped`: frames that were too late or too many; `slipped`: frames added or removed to adapt to clocks and delays;
     * `stalls`: the number of times that the next packet was missing.
     */
    report() {
        const figures = this.#figures;
        this.#figures = none();
        return figures;
    }

    /**
     * Adds a packet's sound.
     * @param {number} timestamp the 32-bit RTP timestamp
     * @param {Float32Array[]} channels two channels of the same length
     */
    push(timestamp, channels) {
        const count = channels[0].length;
        if (!this.#hasBegun) this.#at = this.#end = timestamp;
        this.#hasBegun = true;
        // Don't record the level before a pause, because the empty buffer says nothing about the path.
        if (!this.#isWaiting) this.#lows[0] = Math.min(this.#lows[0], this.#low);
        this.#low = Infinity;
        const start = this.#end + (timestamp - this.#end | 0);
        if (this.#isWaiting && this.level <= 0) this.#skip(start);
        // The host's clock has restarted, or the packet is far too late.
        const distance = start - this.#at;
        if (distance < -RATE || distance + count > CAPACITY / 2) this.#begin(start);
        if (start + count <= this.#at) {
            this.#figures.dropped += count;
            return;
        }
        for (let i = Math.max(0, this.#at - start); i < count; i++) {
            const place = start + i & CAPACITY - 1;
            this.#samples[0][place] = channels[0][i];
            this.#samples[1][place] = channels[1][i];
            this.#isThere[place] = 1;
        }
        this.#end = Math.max(this.#end, start + count);
        if (this.level > MOST) this.#leap(this.#end - this.#burst - this.#spare - count);
        if (!this.#isWaiting) return;
        this.#late ??= this.#waited;
        // Start only when the buffer has enough frames, so that it does not stall at once.
        if (this.#isFresh && this.level >= this.#burst + this.#spare) this.#isWaiting = this.#isFresh = false;
    }

    /** @param {number} start */
    #begin(start) {
        this.#isThere.fill(0);
        this.#at = this.#end = this.#gap = this.#quiet = start;
        this.#isWaiting = this.#isFresh = true;
        this.#waited = this.#slip = this.#slipped = 0;
        this.#late = null;
        this.#missing = TAIL;
        this.#lows.fill(Infinity);
    }

    /**
     * Advances past frames that were due while waiting and will not arrive: either the host was silent and sent nothing, or the
     * packets were lost.
     * @param {number} start
     */
    #skip(start) {
        const wasPause = this.#waited > PAUSE, over = Math.max(0, Math.min(start - this.#at, this.#waited));
        this.#at += over;
        this.#end = Math.max(this.#end, this.#at);
        if (wasPause && over) this.#quiet = start;
        else this.#figures.madeUp += over;
        this.#waited -= over;
        // Continue as if there had been no wait, or start again.
        if (over && !this.#waited) this.#isWaiting = false;
        else if (this.#waited > RATE) [this.#isFresh, this.#waited] = [true, 0];
        this.#late = null;
    }

    /**
     * Resumes with the late packet: playback is delayed by its lateness and a reserve. Half of the lateness is removed soon,
     * and the rest within minutes.
     */
    #resume() {
        this.#figures.madeUp += this.#waited;
        this.#figures.stalls++;
        this.#spare = Math.min(this.#spare + Math.max((this.#late ?? 0) / 2, SPARE_STEP), MOST_SPARE);
        this.#isWaiting = false;
        this.#calm = this.#waited = 0;
        this.#late = null;
    }

    /**
     * Jumps to a later position at once.
     * @param {number} to
     */
    #leap(to) {
        this.#figures.dropped += to - this.#at;
        if (!this.#missing) this.#blend(to);
        this.#pass(to);
        this.#lows.fill(Infinity);
    }

    /**
     * Crossfades from the current position to the sound after another position.
     * @param {number} place
     */
    #blend(place) {
        for (let i = 0; i < OVERLAP; i++) {
            const share = i / OVERLAP, from = this.#at + i & CAPACITY - 1, to = place + i & CAPACITY - 1;
            for (const samples of this.#samples) samples[to] = samples[from] * (1 - share) + samples[to] * share;
        }
    }

    /**
     * Discards everything before a position.
     * @param {number} to
     */
    #pass(to) {
        for (; this.#at < to; this.#at++) this.#isThere[this.#at & CAPACITY - 1] = 0;
    }

    /**
     * Outputs the next frames.
     * @param {Float32Array[]} channels two channels of the same length, which are overwritten
     */
    pull([left, right]) {
        const count = left.length, [first, second] = this.#samples, figures = this.#figures;
        this.#adjust(count);
        for (let i = 0; i < count; i++) {
            if (!this.#isWaiting && this.level <= 0) {
                this.#isWaiting = true;
                this.#late = null;
                this.#slip = this.#slipped = 0;
            }
            if (this.#isWaiting && !this.#isFresh && this.#late !== null && this.#waited >= this.#late + SPARE_STEP) {
                this.#resume();
            }
            const isThere = !this.#isWaiting && this.#isThere[this.#at & CAPACITY - 1];
            if (isThere) this.#heard = this.#at;
            if (!isThere) {
                this.#miss();
                left[i] = this.#madeUp(first);
                right[i] = this.#madeUp(second);
                this.#missing++;
                if (!this.#isWaiting) {
                    figures.madeUp += Number(this.#at >= this.#quiet);
                    // Store the concealed sound, because the next gap may be concealed from it.
                    first[this.#at & CAPACITY - 1] = left[i];
                    second[this.#at & CAPACITY - 1] = right[i];
                    this.#heard = this.#at;
                } else if (!this.#isFresh) {
                    this.#waited++;
                }
            } else if (this.#missing) {
                // Fade from the concealed sound to the received sound.
                const share = this.#since / FADE;
                left[i] = this.#sample(first) * share + this.#madeUp(first) * (1 - share);
                right[i] = this.#sample(second) * share + this.#madeUp(second) * (1 - share);
                this.#missing++;
                if (++this.#since >= FADE) this.#missing = 0;
            } else {
                left[i] = this.#sample(first);
                right[i] = this.#sample(second);
            }
            if (!this.#isWaiting) this.#advance();
        }
        if (!this.#isFresh && this.#waited <= PAUSE) figures.played += count;
        if (this.#isWaiting) return;
        figures.level += this.level;
        figures.pulls++;
        this.#low = Math.min(this.#low, this.level);
    }

    /** Begins or continues a gap. */
    #miss() {
        const goesOn = this.#missing > 0;
        if (goesOn && !this.#since) return;
        this.#since = 0;
        // A new gap during the fade-in is concealed from the same sound, because too little was received.
        if (goesOn) return;
        this.#gap = this.#heard + 1;
        this.#period = this.#periodOf(this.#gap);
    }

    /**
     * Returns the period in frames at which the sound before a position is most similar to itself.
     * @param {number} end
     */
    #periodOf(end) {
        let best = LEAST_PERIOD, likest = -Infinity;
        for (let period = LEAST_PERIOD; period <= MOST_PERIOD; period++) {
            const likeness = this.#likeness(end - COMPARED, end - COMPARED - period);
            if (likeness > likest) [best, likest] = [period, likeness];
        }
        return best;
    }

    /**
     * Returns the normalised correlation of the sound after two positions, over both channels.
     * @param {number} one
     * @param {number} two
     */
    #likeness(one, two) {
        let product = 0, energy = 1e-9;
        for (const samples of this.#samples) {
            for (let i = 0; i < COMPARED; i += 4) {
                const other = samples[two + i & CAPACITY - 1];
                product += samples[one + i & CAPACITY - 1] * other;
                energy += other * other;
            }
        }
        return product / Math.sqrt(energy);
    }

    /**
     * Returns a concealed sample: the last period of the received sound is repeated and attenuated.
     * @param {Float32Array} samples
     */
    #madeUp(samples) {
        const after = this.#missing;
        if (after >= TAIL) return 0;
        const again = samples[this.#gap - this.#period + after % this.#period & CAPACITY - 1];
        // Crossfade with the time-reversed sound at first, because the repeated period may not fit the end of the sound.
        const joint = Math.min(1, after / JOINT), back = samples[this.#gap - 1 - after & CAPACITY - 1];
        const loud = after < HOLD ? 1 : 1 - (after - HOLD) / (TAIL - HOLD);
        return (joint < 1 ? again * joint + back * (1 - joint) : again) * loud;
    }

    /**
     * Returns the sample to play, interpolated between frames while one is being added or removed.
     * @param {Float32Array} samples
     */
    #sample(samples) {
        if (!this.#slipped) return samples[this.#at & CAPACITY - 1];
        const part = this.#slipped / SLIP, b = samples[this.#at & CAPACITY - 1];
        /** @param {number} place @param {number} otherwise */
        const next = (place, otherwise) =>
            (this.#isThere[place & CAPACITY - 1] ? samples[place & CAPACITY - 1] : otherwise);
        // Extend the neighbouring sample over a missing one.
        const a = this.#missing ? b : samples[this.#at - 1 & CAPACITY - 1];
        const c = next(this.#at + 1, b), d = next(this.#at + 2, c);
        // A cubic Hermite interpolation between the two inner samples.
        return b + part * ((c - a) / 2 + part * (a - 2.5 * b + 2 * c - d / 2 + part * (1.5 * (b - c) + (d - a) / 2)));
    }

    #advance() {
        this.#pass(this.#at + 1);
        if (!this.#slip) return;
        this.#slipped += this.#slip;
        if (this.#slipped === SLIP) this.#pass(this.#at + 1);
        else if (this.#slipped) return;
        this.#lows = this.#lows.map((low) => low - this.#slip);
        this.#low -= this.#slip;
        this.#figures.slipped++;
        this.#slip = this.#slipped = 0;
    }

    /**
     * Keeps the lowest level near the target by adding or removing single frames, or by cutting a larger excess.
     * @param {number} count
     */
    #adjust(count) {
        // The levels are meaningful only while packets arrive.
        if (this.#isWaiting) return;
        this.#sinceCut += count;
        this.#inPart += count;
        this.#calm += count;
        if (this.#calm >= CALM) {
            this.#calm = 0;
            this.#spare = Math.max(this.#spare - Math.max(Math.round(this.#spare * LESS), LEAST_LESS), LEAST_SPARE);
        }
        if (this.#inPart >= PART) {
            this.#inPart = 0;
            this.#lows.unshift(Infinity);
            this.#lows.pop();
        }
        if (this.#missing || this.#slip) return;
        // A few packets are not enough to know the lowest level.
        const low = Math.min(...this.#lows), excess = this.#lows[1] === Infinity ? 0 : low - this.#spare;
        if (excess > CUT_FROM && this.#sinceCut >= CUT_PAUSE) {
            this.#sinceCut = 0;
            this.#cut(excess);
        } else if (excess > 24) {
            this.#slip = 1;
        } else if (excess < -48) {
            this.#slip = -1;
            this.#at--;
            this.#slipped = SLIP;
            this.#isThere[this.#at & CAPACITY - 1] = 1;
        }
    }

    /**
     * Removes the number of frames at which the sound before and after the cut is most similar.
     * @param {number} excess
     */
    #cut(excess) {
        const most = Math.min(excess, MOST_CUT, this.level - OVERLAP);
        for (let at = this.#at; at < this.#at + most + OVERLAP; at++) {
            if (!this.#isThere[at & CAPACITY - 1]) return;
        }
        let best = most, likest = -Infinity;
        for (let length = LEAST_CUT; length <= most; length += 2) {
            const likeness = this.#likeness(this.#at, this.#at + length);
            if (likeness > likest) [best, likest] = [length, likeness];
        }
        this.#blend(this.#at + best);
        this.#pass(this.#at + best);
        this.#low -= best;
        this.#figures.slipped += best;
        this.#lows = this.#lows.map((low) => low - best);
    }
}

function none() { return {played: 0, madeUp: 0, level: 0, pulls: 0, dropped: 0, slipped: 0, stalls: 0}; }
