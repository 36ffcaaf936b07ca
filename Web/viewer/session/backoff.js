// How long to wait before a lost host is tried again.

const DELAYS = [0, 250, 500, 1000, 2000];

/**
 * Milliseconds before try `number`, counted from 0: at once, then longer and longer up to two seconds. A quarter of
 * it is drawn at random, so that many viewers of one host don't come back at the same moment.
 * @param {number} number
 * @param {number} random 0 ..< 1
 */
export function delayBefore(number, random = Math.random()) {
    return Math.round(DELAYS[Math.min(number, DELAYS.length - 1)] * (0.75 + 0.25 * random));
}
