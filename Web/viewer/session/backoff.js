// The delays between attempts to reconnect to a lost host.

const DELAYS = [0, 250, 500, 1000, 2000];
/** Further ones at a rendezvous, which many pages may wait at. */
const LATER = [4000, 8000];

/**
 * Returns the delay in milliseconds before attempt `number`, counted from 0: none at first, then increasing up to two seconds, or
 * eight at a rendezvous. A quarter of it is random, so that many viewers of a host do not reconnect at the same moment.
 * @param {number} number
 * @param {boolean} isShared true at a rendezvous
 * @param {number} random 0 ..< 1
 */
export function delayBefore(number, isShared = false, random = Math.random()) {
    const delays = isShared ? [...DELAYS, ...LATER] : DELAYS;
    return Math.round(delays[Math.min(number, delays.length - 1)] * (0.75 + 0.25 * random));
}
