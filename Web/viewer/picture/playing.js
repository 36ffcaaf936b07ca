// The picture begins by itself where the browser lets muted video do so. Some do not, as phones that save power: then it
// begins with the person's next touch or key, whatever that is for.

export class Playing {
    #video;
    #changed;
    #isRefused = false;
    /**
     * The stream that is not shown at present; `null` if the video has it.
     * @type {MediaStream | null}
     */
    #resting = null;

    /**
     * @param {HTMLVideoElement} video
     * @param {EventTarget} page where touches and keys are heard: the window
     * @param {() => void} changed `isRefused` is another
     */
    constructor(video, page, changed) {
        this.#video = video;
        this.#changed = changed;
        for (const type of ["pointerup", "touchend", "keydown"]) {
            page.addEventListener(type, () => { if (this.#isRefused) this.again(); }, {capture: true, passive: true});
        }
    }

    /** Whether the browser waits for a touch or a key. */
    get isRefused() { return this.#isRefused; }

    /** @param {MediaStream} stream */
    show(stream) {
        this.#resting = null;
        this.#video.srcObject = stream;
        return this.again();
    }

    /** Begins, or goes on where the browser has stopped it. */
    async again() {
        const stream = this.#video.srcObject;
        if (!stream) return;
        let isRefused = false;
        try {
            await this.#video.play();
        } catch (error) {
            // All else is what ends when another stream or none comes in its place.
            isRefused = /** @type {Error | undefined} */ (error)?.name === "NotAllowedError";
        }
        if (this.#video.srcObject === stream) this.#tell(isRefused);
    }

    /** Takes the stream from the video until `wake`, as the picture is shown elsewhere. */
    rest() {
        const stream = /** @type {MediaStream | null} */ (this.#video.srcObject);
        if (!stream) return;
        this.end();
        this.#resting = stream;
    }

    /** Shows again what rests. */
    wake() { return this.#resting ? this.show(this.#resting) : undefined; }

    /** There is nothing to show. */
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
