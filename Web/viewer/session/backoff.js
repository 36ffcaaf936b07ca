// The delays between attempts to reconnect to a lost host.

const DELAYS = [0, 250, 500, 1000, 2000];

/**
 * Returns the delay in milliseconds before attempt `number`, counted from 0: none at first, then increasing up to two seconds.
 * A quarter of it is random, so that many viewers of a host do not reconnect at the same moment.
 * @param {number} number
 * @param {number} random 0 ..< 1
 */
export function delayBefore(number, random = Math.random()) {
    return Math.round(DELAYS[Math.min(number, DELAYS.length - 1)] * (0.75 + 0.25 * random));
}
