// What is between packets that come when they come and loudspeakers that take samples evenly: keeps no more than the path
// and the loudspeakers make necessary. Frames are of 48 kHz, and so is RTP's clock; all time is counted in them. No DOM.

const RATE = 48000;
/** Frames that are kept at most, in a ring: a power of two. */
const CAPACITY = 1 << 15;
/** The most that may wait to be played: what is beyond it is skipped. */
const MOST = 12_000;
/** Frames that a stretch of sound takes to fade, in or out. */
const FADE = 120;
/** What is missing is made up for so many frames, and as loud as before for the first ones. */
const TAIL = 2400, HOLD = 480;
/** Of so many frames, a period of what was there last, and so many of them are compared; and how long that takes over. */
const LEAST_PERIOD = 120, MOST_PERIOD = 960, COMPARED = 240, JOINT = 32;
/** What stays in the buffer when it is at its lowest: at first, at most, and how much more at least after it ran out. */
const LEAST_SPARE = 96, MOST_SPARE = 4800, SPARE_STEP = 120;
/** Frames after which less is tried again, and by which share. */
const CALM = 10 * RATE, LESS = 1 / 6, LEAST_LESS = 24;
/** How long the lowest is looked back at: in so many parts of so many frames. */
const PARTS = 12, PART = RATE;
/** A frame more or less is taken over as many: by 7 cents. */
const SLIP = 256;
/** What there is too much of is cut out from this on, where it is most like what follows it. */
const CUT_FROM = 480, LEAST_CUT = 240, MOST_CUT = 960, OVERLAP = 240, CUT_PAUSE = RATE / 10;
/** A wait that is longer is a pause of the host's, where its clock has gone on meanwhile. */
const PAUSE = 2400;

export class Playout {
    #samples = [new Float32Array(CAPACITY), new Float32Array(CAPACITY)];
    #isThere = new Uint8Array(CAPACITY);
    // Frames that the loudspeakers take at once.
    #burst;
    // Places on RTP's clock, without its wrapping: of the next frame to play, and behind the last that came.
    #at = 0;
    #end = 0;
    #hasBegun = false;
    // It waits for packets: at the beginning, after a pause of the host's, or because one is late.
    #isWaiting = true;
    #isFresh = true;
    // Up to here the host was silent.
    #quiet = 0;
    #waited = 0;
    /**
     * How late the first packet was that came while one was waited for; `null` before it came.
     * @type {number | null}
     */
    #late = null;
    // Frames that were made up one after the other, and where what is missing began; and frames since it is there again.
    #missing = TAIL;
    #gap = 0;
    #period = LEAST_PERIOD;
    #since = 0;
    // The last place that was played.
    #heard = 0;
    #slip = 0;
    #slipped = 0;
    // The lowest level between two packets, and by parts of time.
    #low = Infinity;
    #lows = new Array(PARTS).fill(Infinity);
    #inPart = 0;
    #spare = LEAST_SPARE;
    #calm = 0;
    #sinceCut = 0;
    #figures = none();

    /** @param {number} burst frames that the loudspeakers take at once */
    constructor(burst) { this.#burst = burst; }

    /** Frames that wait to be played, with those that are missing between them. */
    get level() { return this.#hasBegun ? this.#end - this.#at : 0; }

    /** Whether time goes on: it does not while the next packet is waited for. */
    get isPlaying() { return !this.#isWaiting; }

    /** How far it is played, on RTP's clock; `null` before the first packet. */
    get at() { return this.#hasBegun ? this.#at : null; }

    /**
     * What was counted since the last call, in frames: `played`, of these `madeUp`, and `level` added up for each of
     * `pulls`; `dropped` came too late or were too many; `slipped` were taken or left out so that clocks and delays agree;
     * `stalls`: how often the next packet was not there.
     */
    report() {
        const figures = this.#figures;
        this.#figures = none();
        return figures;
    }

    /**
     * Takes a packet's sound.
     * @param {number} timestamp RTP's, of 32 bits
     * @param {Float32Array[]} channels two, of the same length
     */
    push(timestamp, channels) {
        const count = channels[0].length;
        if (!this.#hasBegun) this.#at = this.#end = timestamp;
        this.#hasBegun = true;
        // Before a pause the buffer runs empty: that says nothing of the path.
        if (!this.#isWaiting) this.#lows[0] = Math.min(this.#lows[0], this.#low);
        this.#low = Infinity;
        const start = this.#end + (timestamp - this.#end | 0);
        if (this.#isWaiting && this.level <= 0) this.#skip(start);
        // Another clock than before, or what came long after its time.
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
        // Begun only where what is there lasts: it would stop again at once.
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
     * What was to be played while nothing came, and does not come any more, is over: either the host was silent and sent
     * nothing, or what it sent is lost.
     * @param {number} start
     */
    #skip(start) {
        const wasPause = this.#waited > PAUSE, over = Math.max(0, Math.min(start - this.#at, this.#waited));
        this.#at += over;
        this.#end = Math.max(this.#end, this.#at);
        if (wasPause && over) this.#quiet = start;
        else this.#figures.madeUp += over;
        this.#waited -= over;
        // It goes on as if it had never waited, or begins anew.
        if (over && !this.#waited) this.#isWaiting = false;
        else if (this.#waited > RATE) [this.#isFresh, this.#waited] = [true, 0];
        this.#late = null;
    }

    /**
     * The packet is there that was late: all is later by that from now on, and a little more. It goes back to half of
     * it at once, and to nothing in minutes.
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
     * Goes on at once with what is later.
     * @param {number} to
     */
    #leap(to) {
        this.#figures.dropped += to - this.#at;
        if (!this.#missing) this.#blend(to);
        this.#pass(to);
        this.#lows.fill(Infinity);
    }

    /**
     * Lets what follows a place begin with what would be played now, and become what it is.
     * @param {number} place
     */
    #blend(place) {
        for (let i = 0; i < OVERLAP; i++) {
            const share = i / OVERLAP, from = this.#at + i & CAPACITY - 1, to = place + i & CAPACITY - 1;
            for (const samples of this.#samples) samples[to] = samples[from] * (1 - share) + samples[to] * share;
        }
    }

    /**
     * What is before a place is not played any more.
     * @param {number} to
     */
    #pass(to) {
        for (; this.#at < to; this.#at++) this.#isThere[this.#at & CAPACITY - 1] = 0;
    }

    /**
     * Gives what is to be played now.
     * @param {Float32Array[]} channels two of the same length, which are written
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
                    // What is missing next may be made up from it.
                    first[this.#at & CAPACITY - 1] = left[i];
                    second[this.#at & CAPACITY - 1] = right[i];
                    this.#heard = this.#at;
                } else if (!this.#isFresh) {
                    this.#waited++;
                }
            } else if (this.#missing) {
                // What was made up goes as what is there comes.
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

    /** From here on something is missing. */
    #miss() {
        const goesOn = this.#missing > 0;
        if (goesOn && !this.#since) return;
        this.#since = 0;
        // Once more, while it was about to come back: what is there of it is too little to be made up from.
        if (goesOn) return;
        this.#gap = this.#heard + 1;
        this.#period = this.#periodOf(this.#gap);
    }

    /**
     * By how many frames what was there last is most like itself.
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
     * How much alike what is from two places on is, in both channels.
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
     * Instead of what is missing: the last period of what was there, again and again and ever fainter.
     * @param {Float32Array} samples
     */
    #madeUp(samples) {
        const after = this.#missing;
        if (after >= TAIL) return 0;
        const again = samples[this.#gap - this.#period + after % this.#period & CAPACITY - 1];
        // Where the two don't meet, it goes back the way it came for a moment.
        const joint = Math.min(1, after / JOINT), back = samples[this.#gap - 1 - after & CAPACITY - 1];
        const loud = after < HOLD ? 1 : 1 - (after - HOLD) / (TAIL - HOLD);
        return (joint < 1 ? again * joint + back * (1 - joint) : again) * loud;
    }

    /**
     * The sample to play now: between two of them, while there is one more or less to be taken.
     * @param {Float32Array} samples
     */
    #sample(samples) {
        if (!this.#slipped) return samples[this.#at & CAPACITY - 1];
        const part = this.#slipped / SLIP, b = samples[this.#at & CAPACITY - 1];
        /** @param {number} place @param {number} otherwise */
        const next = (place, otherwise) =>
            (this.#isThere[place & CAPACITY - 1] ? samples[place & CAPACITY - 1] : otherwise);
        // Where something is missing, what is beside it goes on.
        const a = this.#missing ? b : samples[this.#at - 1 & CAPACITY - 1];
        const c = next(this.#at + 1, b), d = next(this.#at + 2, c);
        // Hermite's cubic through the inner two.
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
     * Sees to it that at its lowest the buffer has what it is to have then: by a frame more or less now and then.
     * @param {number} count
     */
    #adjust(count) {
        // Only time in which packets come tells something.
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
        // What is seen of the lowest level by a few packets is not all of it.
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
     * Leaves out as many frames as make what is before most like what is after them.
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
