// The visible part of the page while a touch keyboard covers its lower part. Some browsers shrink the page itself; Safari keeps
// its size, and may scroll it up beyond the window's upper edge.

/** The maximum difference from 1 of a scale that counts as no zoom. */
const TOLERANCE = 0.01;

/**
 * @param {number} height the page's height in CSS pixels
 * @param {{height: number, offsetTop: number, scale: number} | null | undefined} viewport `window.visualViewport`
 * @returns {{top: number, height: number, below: number}} the top and the height of the visible part, and the height of the
 *   page below it
 */
export function visiblePart(height, viewport) {
    let top = 0, seen = height;
    if (viewport) {
        // Ignore the offset if the user has zoomed the page with the browser, because scrolling it then does not mean that it
        // is covered.
        if (Math.abs(viewport.scale - 1) < TOLERANCE) top = Math.min(Math.max(viewport.offsetTop, 0), height);
        seen = Math.min(viewport.height * viewport.scale, height - top);
    }
    return {top, height: seen, below: Math.max(height - top - seen, 0)};
}
