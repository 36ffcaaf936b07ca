// Counts, and times by stage, of the pictures of a second.

/** A share of all that is far worse than most. */
const SHARE = 0.95;

/**
 * The value that so large a share of the others does not exceed.
 * @param {number[]} sorted @param {number} share
 */
const quantile = (sorted, share) => sorted[Math.ceil(sorted.length * share) - 1];

export class PictureTally {
    /** @type {Record<string, number>} */
    #counts = {};
    /** @type {Record<string, number[]>} */
    #times = {};

    /** @param {readonly string[]} counts @param {readonly string[]} stages that are read even where nothing was noted */
    constructor(counts, stages) {
        for (const name of counts) this.#counts[name] = 0;
        for (const stage of stages) this.#times[stage] = [];
    }

    /** @param {string} name @param {number} [times] */
    count(name, times = 1) { this.#counts[name] += times; }

    /** @param {string} stage @param {number} value milliseconds, or how many */
    note(stage, value) { this.#times[stage].push(value); }

    /**
     * The median of a stage so far; `null` where nothing was noted.
     * @param {string} stage
     */
    median(stage) {
        const values = this.#times[stage];
        return values.length ? quantile([...values].sort((one, other) => one - other), 0.5) : null;
    }

    /**
     * All of it, which begins anew: counts by name, the medians of the stages, and in `worst` what 95 % of them do not exceed.
     * @returns {Record<string, any>}
     */
    read() {
        /** @type {Record<string, number | null>} */
        const medians = {}, /** @type {Record<string, number | null>} */ worst = {}, counts = {...this.#counts};
        for (const [stage, values] of Object.entries(this.#times)) {
            values.sort((one, other) => one - other);
            medians[stage] = values.length ? quantile(values, 0.5) : null;
            worst[stage] = values.length ? quantile(values, SHARE) : null;
            this.#times[stage] = [];
        }
        for (const name of Object.keys(this.#counts)) this.#counts[name] = 0;
        return {...counts, ...medians, worst};
    }
}
