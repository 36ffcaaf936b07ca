// Plays the video. Muted video starts by itself in most browsers; in others, such as on phones that save power, it starts with
// the user's next touch or key press.

export class Playing {
    #video;
    #changed;
    #isRefused = false;
    /**
     * The stream that is currently not shown; `null` if the video has it.
     * @type {MediaStream | null}
     */
    #resting = null;

    /**
     * @param {HTMLVideoElement} video
     * @param {EventTarget} page the target of touch and key events: the window
     * @param {() => void} changed called when `isRefused` has changed
     */
    constructor(video, page, changed) {
        this.#video = video;
        this.#changed = changed;
        for (const type of ["pointerup", "touchend", "keydown"]) {
            page.addEventListener(type, () => { if (this.#isRefused) this.again(); }, {capture: true, passive: true});
        }
    }

    /** True if the browser waits for a touch or key press. */
    get isRefused() { return this.#isRefused; }

    /** @param {MediaStream} stream */
    show(stream) {
        this.#resting = null;
        this.#video.srcObject = stream;
        return this.again();
    }

    /** Starts playing, or resumes after the browser has paused the video. */
    async again() {
        const stream = this.#video.srcObject;
        if (!stream) return;
        let isRefused = false;
        try {
            await this.#video.play();
        } catch (error) {
            // Other errors occur when the stream was replaced or removed.
            isRefused = /** @type {Error | undefined} */ (error)?.name === "NotAllowedError";
        }
        if (this.#video.srcObject === stream) this.#tell(isRefused);
    }

    /** Removes the stream from the video until `wake`, because the picture is shown elsewhere. */
    rest() {
        const stream = /** @type {MediaStream | null} */ (this.#video.srcObject);
        if (!stream) return;
        this.end();
        this.#resting = stream;
    }

    /** Shows the removed stream again. */
    wake() { return this.#resting ? this.show(this.#resting) : undefined; }

    /** Ends showing the stream. */
    end() {
        this.#resting = null;
        this.#video.srcObject = null;
        this.#tell(false);
    }

    /** @param {boolean} isRefused */
    #tell(isRefused) {
        if (isRefused === this.#isRefused) return;
        this.#isRefused = isRefused;
        this.#changed();
    }
}
