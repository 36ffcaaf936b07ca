// The element that shows the picture: the browser's video, or the canvas above the video, on which this page draws.

/** The largest size of a placeholder video, which the worker passes to the browser instead of pictures. */
const NOTHING = 16;
/**
 * The time in milliseconds after which a picture is assumed to be on the screen, if the browser does not report it, or has
 * shown the picture before it was asked.
 */
const SHOWING = 100;

export class Surface {
    #video;
    #canvas;
    /**
     * The canvas's size, which only the worker knows at once; `null` while the video shows the picture.
     * @type {{width: number, height: number} | null}
     */
    #drawn = null;
    #isFrozen = false;
    #isReturning = false;

    /**
     * Called when the picture's size has changed.
     * @type {() => void}
     */
    resized = () => {};
    /**
     * Called when the canvas is no longer visible.
     * @type {() => void}
     */
    covered = () => {};

    /** @param {HTMLVideoElement} video @param {HTMLCanvasElement} canvas */
    constructor(video, canvas) {
        this.#video = video;
        this.#canvas = canvas;
        video.addEventListener("resize", () => {
            this.#look();
            if (!this.#drawn) this.resized();
        });
        video.addEventListener("loadeddata", () => this.#look());
    }

    get width() { return this.#drawn?.width ?? this.#video.videoWidth; }
    get height() { return this.#drawn?.height ?? this.#video.videoHeight; }
    /** True if the canvas shows the picture. */
    get isDrawn() { return this.#drawn !== null; }
    get elements() { return [this.#video, this.#canvas]; }
    get video() { return this.#video; }

    /**
     * Handles that the canvas has a picture of this size.
     * @param {number} width
     * @param {number} height
     */
    drawn(width, height) {
        this.#isFrozen = this.#isReturning = false;
        this.#drawn = {width, height};
        this.#canvas.hidden = false;
        this.resized();
    }

    /** Shows the picture on the canvas only. */
    leaveVideo() {
        this.#isReturning = false;
        this.#video.classList.add("is-unused");
    }

    /** Shows the picture in the video. The canvas stays visible until the video has a picture. */
    useVideo() {
        this.#video.classList.remove("is-unused");
        this.#isReturning = this.isDrawn && !this.#isFrozen;
        this.#look();
    }

    #look() {
        if (!this.#isReturning || this.#video.videoWidth <= NOTHING) return;
        const isThere = () => {
            if (this.#isReturning && this.#video.videoWidth > NOTHING) this.#hide();
        };
        this.#video.requestVideoFrameCallback?.(isThere);
        setTimeout(isThere, SHOWING);
    }

    /** Keeps the last picture of a lost session on the canvas. */
    freeze() { this.#isFrozen = this.isDrawn; }

    /** Ends the session; only a frozen picture stays. */
    end() { if (this.isDrawn && !this.#isFrozen) this.#hide(); }

    /** Removes the frozen picture. */
    thaw() { if (this.#isFrozen) this.#hide(); }

    #hide() {
        this.#isFrozen = this.#isReturning = false;
        this.#drawn = null;
        this.#canvas.hidden = true;
        this.covered();
        this.resized();
    }
}
