// The element that shows the picture: the browser's video, or the canvas that this page draws on, which lies over the video.

/** The largest video that shows nothing: what the worker gives the browser in place of pictures. */
const NOTHING = 16;
/** Milliseconds after which a picture is on the screen, where browsers don't say so, or have shown it before they were asked. */
const SHOWING = 100;

export class Surface {
    #video;
    #canvas;
    /**
     * The canvas' size, which the worker alone knows at once; `null` while the video shows the picture.
     * @type {{width: number, height: number} | null}
     */
    #drawn = null;
    #isFrozen = false;
    #isReturning = false;

    /**
     * Called when the picture has another size.
     * @type {() => void}
     */
    resized = () => {};
    /**
     * Called when the canvas is not seen any more.
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
     * The canvas has a picture of this size.
     * @param {number} width
     * @param {number} height
     */
    drawn(width, height) {
        this.#isFrozen = this.#isReturning = false;
        this.#drawn = {width, height};
        this.#canvas.hidden = false;
        this.resized();
    }

    /** The canvas alone shows the picture from now on. */
    leaveVideo() {
        this.#isReturning = false;
        this.#video.classList.add("is-unused");
    }

    /** The video shows the picture from now on; the canvas is seen until it has one. */
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

    /** The canvas keeps the last picture of a session that is lost. */
    freeze() { this.#isFrozen = this.isDrawn; }

    /** The session has ended: only a picture that is frozen stays. */
    end() { if (this.isDrawn && !this.#isFrozen) this.#hide(); }

    /** The last picture of a session that was lost is not looked at any more. */
    thaw() { if (this.#isFrozen) this.#hide(); }

    #hide() {
        this.#isFrozen = this.#isReturning = false;
        this.#drawn = null;
        this.#canvas.hidden = true;
        this.covered();
        this.resized();
    }
}
