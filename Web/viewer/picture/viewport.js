// What of the page a person sees while a touch keyboard covers its lower part. Some browsers make the page itself
// smaller; Safari leaves it as it is, and may push it up behind the window's upper edge.

/** Scales nearer to 1 than this are no zoom. */
const TOLERANCE = 0.01;

/**
 * @param {number} height of the page, in CSS pixels
 * @param {{height: number, offsetTop: number, scale: number} | null | undefined} viewport `window.visualViewport`
 * @returns {{top: number, height: number, below: number}} where the part that is seen begins, how high it is, and how
 *   much of the page is below it
 */
export function visiblePart(height, viewport) {
    let top = 0, seen = height;
    if (viewport) {
        // Who magnified the page by the browser's own means moves about in it: that covers nothing.
        if (Math.abs(viewport.scale - 1) < TOLERANCE) top = Math.min(Math.max(viewport.offsetTop, 0), height);
        seen = Math.min(viewport.height * viewport.scale, height - top);
    }
    return {top, height: seen, below: Math.max(height - top - seen, 0)};
}
