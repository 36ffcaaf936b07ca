// Draws decoded pictures on a canvas: each as soon as it is decoded, but only the newest if they arrive faster than displays
// refresh.

/** The minimum time in milliseconds between two pictures that a 60 Hz display can both show. */
const INTERVAL = 12;

export class Drawing {
    #canvas;
    #context;
    #now;
    #drawnAt = -Infinity;
    #isVisible = true;
    /**
     * The newest picture, kept while the page is hidden.
     * @type {DecodedPicture | null}
     */
    #kept = null;

    /** @param {PictureCanvas} canvas @param {() => number} now milliseconds */
    constructor(canvas, now = () => performance.now()) {
        this.#canvas = canvas;
        this.#now = now;
        const context = canvas.getContext("2d", {alpha: false, desynchronized: true});
        if (!context) throw new Error("no context to draw in");
        this.#context = context;
    }

    get size() { return {width: this.#canvas.width, height: this.#canvas.height}; }

    /**
     * Draws a picture and closes it.
     * @param {DecodedPicture} picture @param {boolean} isNewer true if a newer picture is already being decoded
     * @returns {boolean} true if it was drawn
     */
    draw(picture, isNewer) {
        if (!this.#isVisible) {
            this.#kept?.close();
            this.#kept = picture;
            return false;
        }
        const now = this.#now(), isDue = !isNewer || now - this.#drawnAt >= INTERVAL;
        try {
            if (!isDue) return false;
            const {displayWidth: width, displayHeight: height} = picture, canvas = this.#canvas;
            // The new size clears the canvas, so the picture follows in the same task.
            if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
            this.#context.drawImage(picture, 0, 0, width, height);
            this.#drawnAt = now;
            return true;
        } finally {
            picture.close();
        }
    }

    /**
     * Shows or hides the page. While it is hidden, nothing is drawn; when it is shown, the newest picture is drawn.
     * @param {boolean} isVisible
     * @returns {boolean} true if a picture was drawn
     */
    show(isVisible) {
        this.#isVisible = isVisible;
        const kept = this.#kept;
        if (!isVisible || !kept) return false;
        this.#kept = null;
        return this.draw(kept, false);
    }

    /** Removes the last picture. */
    clear() {
        this.#kept?.close();
        this.#kept = null;
        [this.#canvas.width, this.#canvas.height] = [1, 1];
    }
}
