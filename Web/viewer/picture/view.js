// The view of the picture: applies geometry.js to the page's elements.

import {Geometry} from "./geometry.js";
import {visiblePart} from "./viewport.js";

/**
 * The distance from the stage's edge in CSS pixels within which a pointer pans a larger picture, and the speed in CSS pixels
 * per millisecond.
 */
const PUSH_MARGIN = 28, PUSH_SPEED = 0.9;

export class View {
    geometry = new Geometry();

    #stage;
    #surface;
    #still;
    #changed;
    #push = {x: 0, y: 0};
    /** @type {number | null} */
    #pushedAt = null;
    // The height of the special keys, which cover the stage's lower part.
    #covered = 0;
    /** @type {{width: number, height: number} | null} */
    #screen = null;
    #told = new Map();
    /** @type {MediaQueryList} */
    #density;

    /**
     * @param {HTMLElement} stage @param {import("./surface.js").Surface} surface the surface that shows the picture
     * @param {HTMLCanvasElement} still shows the last picture of a lost session
     * @param {() => void} changed called when the picture's position has changed
     */
    constructor(stage, surface, still, changed) {
        this.#stage = stage;
        this.#surface = surface;
        this.#still = still;
        this.#changed = changed;
        surface.resized = () => this.#measure();
        new ResizeObserver(() => this.layout()).observe(stage);
        this.#watchDensity();
        // A touch keyboard covers the page in some browsers, and resizes and moves only the visual viewport.
        window.visualViewport?.addEventListener("resize", () => this.layout());
        window.visualViewport?.addEventListener("scroll", () => this.layout());
    }

    /** Watches the pixel density, because a window that moves to a display of another density may get no resize event. */
    #watchDensity() {
        // Keep a reference, because browsers may collect a query without one together with its listener.
        this.#density = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
        this.#density.addEventListener("change", () => {
            this.layout();
            this.#watchDensity();
        }, {once: true});
    }

    /**
     * Sets the size of the host's screen, which determines the layout: the picture's own size may change during a session,
     * because it may be scaled down.
     * @param {number} width
     * @param {number} height
     */
    setScreen(width, height) {
        this.#screen = {width, height};
        this.#measure();
    }

    /**
     * Returns how much larger the picture is than the host's screen. Pictures have even sides, so the picture of an odd screen
     * has an extra column or row, which has to be hidden.
     */
    #padding() {
        const {width, height} = this.#surface, screen = this.#screen;
        if (!screen || width !== even(screen.width) || height !== even(screen.height)) return [1, 1];
        return [width / screen.width, height / screen.height];
    }

    #measure() {
        const {width, height} = this.#screen ?? this.#surface;
        this.geometry.setPicture(width, height);
        this.layout();
    }

    /** The pixels of the host's screen per CSS pixel of the view, without zoom. */
    get pixelsPerPoint() { return this.geometry.zoom / this.geometry.scale; }

    /** @param {number} height */
    set covered(height) {
        this.#covered = height;
        this.#tell("--keys", height);
        this.layout();
    }

    /** Keeps the newest picture on a canvas, because browsers turn a video black when its connection is closed. */
    freeze() {
        const {width, height} = this.#surface;
        if (this.#surface.isDrawn) return this.#surface.freeze();
        if (!width) return;
        this.#still.width = width;
        this.#still.height = height;
        const context = /** @type {CanvasRenderingContext2D} */ (this.#still.getContext("2d"));
        context.drawImage(this.#surface.video, 0, 0);
        this.#still.hidden = false;
    }

    thaw() {
        this.#surface.thaw();
        this.#still.hidden = true;
        // Clear the picture, which may be confidential, as soon as it is no longer visible.
        this.#still.width = this.#still.height = 1;
    }

    /** @type {"fit" | "fill" | "actual"} */
    get sizing() { return this.geometry.sizing; }
    set sizing(wanted) {
        this.geometry.sizing = wanted;
        this.layout();
    }

    layout() {
        const seen = visiblePart(this.#stage.clientHeight, window.visualViewport);
        this.#tell("--seen-top", seen.top);
        this.#tell("--seen-below", seen.below);
        const height = Math.max(seen.height - this.#covered, 60);
        this.geometry.setStage(this.#stage.clientWidth, height, devicePixelRatio, seen.top);
        const {x, y, width, height: tall} = this.geometry.frame;
        const [across, down] = this.#padding();
        for (const {style} of [...this.#surface.elements, this.#still]) {
            style.width = `${width * across}px`;
            style.height = `${tall * down}px`;
            style.clipPath = across > 1 || down > 1
                ? `inset(0 ${width * (across - 1)}px ${tall * (down - 1)}px 0)` : "";
            style.transform = `translate(${x}px, ${y}px)`;
        }
        // Whole multiples are shown without smoothing.
        const multiple = this.geometry.scale * devicePixelRatio;
        const isWhole = multiple >= 2 && Math.abs(multiple - Math.round(multiple)) < 0.001;
        const isCrisp = isWhole && this.#surface.width === this.geometry.picture.width;
        for (const {classList} of this.#surface.elements) classList.toggle("is-crisp", isCrisp);
        this.#changed();
    }

    /**
     * Sets a CSS variable, which style.css uses to place the bar, the special keys and the notes in the visible part.
     * @param {string} name
     * @param {number} length
     */
    #tell(name, length) {
        const text = `${length}px`;
        if (this.#told.get(name) === text) return;
        this.#told.set(name, text);
        document.documentElement.style.setProperty(name, text);
    }

    /**
     * @param {number} scale the absolute scale @param {number} x @param {number} y the point of the stage that keeps its
     *   position
     */
    zoomTo(scale, x, y) {
        this.geometry.zoomBy(scale / this.geometry.zoom, x, y);
        this.layout();
    }

    /**
     * Zooms by a factor, around the center of the visible part.
     * @param {number} factor
     */
    zoomBy(factor) {
        const {width, height} = this.geometry.stage;
        this.geometry.zoomBy(factor, width / 2, this.geometry.top + height / 2);
        this.layout();
    }

    resetZoom() {
        this.geometry.resetZoom();
        this.layout();
    }

    /** @param {number} dx @param {number} dy */
    pan(dx, dy) { if (this.geometry.pan(dx, dy)) this.layout(); }

    /**
     * Keeps a pixel of the picture visible.
     * @param {number} x
     * @param {number} y
     */
    reveal(x, y) { if (this.geometry.overflows && this.geometry.reveal(x, y, 40)) this.layout(); }

    /**
     * Pans the picture while a mouse is near an edge with more of the picture behind it, until the mouse leaves the edge.
     * @param {number} x
     * @param {number} y
     */
    pushFrom(x, y) {
        if (!this.geometry.overflows) return this.stopPushing();
        const {width, height} = this.geometry.stage;
        /** @param {number} place @param {number} length */
        const towards = (place, length) => (place < PUSH_MARGIN ? 1 : place > length - PUSH_MARGIN ? -1 : 0);
        this.#push = {x: towards(x, width), y: towards(y - this.geometry.top, height)};
        if (!this.#push.x && !this.#push.y) this.#pushedAt = null;
        else if (this.#pushedAt === null) {
            this.#pushedAt = performance.now();
            requestAnimationFrame((now) => this.#pushOn(now));
        }
    }

    stopPushing() {
        this.#push = {x: 0, y: 0};
        this.#pushedAt = null;
    }

    /** @param {number} now */
    #pushOn(now) {
        if (this.#pushedAt === null) return;
        const way = Math.max(0, now - this.#pushedAt) * PUSH_SPEED;
        this.#pushedAt = now;
        if (this.geometry.pan(this.#push.x * way, this.#push.y * way)) this.layout();
        requestAnimationFrame((next) => this.#pushOn(next));
    }
}

/**
 * Rounds up to an even number.
 * @param {number} length
 */
const even = (length) => length + length % 2;
