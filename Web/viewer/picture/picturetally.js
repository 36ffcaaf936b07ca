// Counts, and times by stage, of the pictures in one second.

/** The quantile for the worst values. */
const SHARE = 0.95;

/**
 * Returns a quantile of sorted values.
 * @param {number[]} sorted @param {number} share
 */
const quantile = (sorted, share) => sorted[Math.ceil(sorted.length * share) - 1];

export class PictureTally {
    /** @type {Record<string, number>} */
    #counts = {};
    /** @type {Record<string, number[]>} */
    #times = {};

    /**
     * @param {readonly string[]} counts @param {readonly string[]} stages the names of the stages, which `read` returns even
     *   without values
     */
    constructor(counts, stages) {
        for (const name of counts) this.#counts[name] = 0;
        for (const stage of stages) this.#times[stage] = [];
    }

    /** @param {string} name @param {number} [times] */
    count(name, times = 1) { this.#counts[name] += times; }

    /** @param {string} stage @param {number} value a time in milliseconds, or a number */
    note(stage, value) { this.#times[stage].push(value); }

    /**
     * The number of a stage's values so far.
     * @param {string} stage
     */
    number(stage) { return this.#times[stage].length; }

    /**
     * The median of a stage so far; `null` without values.
     * @param {string} stage
     */
    median(stage) {
        const values = this.#times[stage];
        return values.length ? quantile([...values].sort((one, other) => one - other), 0.5) : null;
    }

    /**
     * Returns and resets everything: the counts by name, the medians of the stages, and in `worst` their 95 % quantiles.
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
