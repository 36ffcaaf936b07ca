// Measures how long this machine takes to draw a picture on a canvas: a graphics card takes a millisecond, software ten times
// as long or longer.

/** The size of the test picture. */
const WIDTH = 1920, HEIGHT = 1080;
/** The side of the first picture, which only makes the browser set up its graphics. */
const SMALL = 16;
/** The number of measured draws, and the time in milliseconds of a draw after which no more follow. */
const DRAWS = 4, WARM_UP_LIMIT = 8;
/**
 * The maximum drawing time in milliseconds for the page's own decoder. Only a graphics card meets it: software was measured to
 * take 17 ms. It is a fifth of a frame at 60 Hz, so decoding and the display's next refresh stay within one frame.
 */
export const DRAWING_LIMIT = 3;

/**
 * Draws test pictures on a canvas of its own, in the picture's size, because the time depends on the number of pixels.
 * @param {any} scope the object with the browser's types
 * @param {() => number} now milliseconds
 * @returns {number} the median time in milliseconds, or the first one that is too long
 */
export function drawingTime(scope = globalThis, now = () => performance.now()) {
    const canvas = new scope.OffscreenCanvas(WIDTH, HEIGHT);
    // Without an explicit value, Chromium moves a canvas that is read twice to the processor, and warns.
    const context = canvas.getContext("2d", {alpha: false, willReadFrequently: false});
    const data = new Uint8Array(WIDTH * HEIGHT * 3 / 2).fill(128);
    let timestamp = 0;
    const measure = (/** @type {number} */ width, /** @type {number} */ height) => {
        // Each time a new picture, because browsers cache a converted one.
        const picture = new scope.VideoFrame(data.subarray(0, width * height * 3 / 2), {
            format: "I420", codedWidth: width, codedHeight: height, timestamp: timestamp++,
        });
        try {
            const begun = now();
            context.drawImage(picture, 0, 0, width, height);
            // Browsers only queue the drawing; reading a pixel waits for it. A second read has nothing to wait for, so its time
            // is that of reading itself.
            context.getImageData(0, 0, 1, 1);
            const read = now();
            context.getImageData(0, 0, 1, 1);
            return Math.max(0, read - begun - (now() - read));
        } finally {
            picture.close();
        }
    };
    try {
        measure(SMALL, SMALL);
        const warmUp = measure(WIDTH, HEIGHT);
        if (warmUp > WARM_UP_LIMIT) return warmUp;
        const times = Array.from({length: DRAWS}, () => measure(WIDTH, HEIGHT));
        return times.sort((one, other) => one - other)[DRAWS >> 1];
    } finally {
        // Release the memory at once.
        canvas.width = canvas.height = 1;
    }
}
