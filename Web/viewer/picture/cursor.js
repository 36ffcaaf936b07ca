// The host's pointer, which is not part of the picture. For a mouse, it is the browser's own cursor in the host's shape, so it
// has no latency. Otherwise (touch, a locked pointer, another viewer drives), an element is moved at once by local input, and
// corrected by the host's reports when there has been no local input for a while.

import {fromBase64url} from "../bytes/bytes.js";

/** The maximum size of a cursor in browsers, in CSS pixels. */
const LARGEST_CURSOR = 128;
/** The maximum number of pixels of an accepted shape. */
const LARGEST_SHAPE = 512 * 512;
/**
 * The maximum number and total size in bytes of the cached shapes, the same as the host assumes. The oldest are removed first.
 */
const MOST_SHAPES = 256, MOST_BYTES = 4 << 20;
/** The time in milliseconds after a local move in which the host's reports may not include it yet. */
const TRUST_OWN = 250;

/** @typedef {{width: number, height: number, x: number, y: number, bytes: Uint8Array}} Shape */

export class Cursor {
    #stage;
    #canvas;
    #view;
    #isLocal = false;
    #place = {x: 0, y: 0};
    #movedAt = -Infinity;
    /**
     * The position reported by the host while local moves take precedence.
     * @type {{x: number, y: number} | null}
     */
    #said = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #hot = {x: 0, y: 0};
    #isVisible = true;
    #isElsewhere = false;
    #style = "default";
    #scale = 1;
    #screen = {width: 0, height: 0};
    /**
     * The cached shapes that the host may refer to, by number, oldest first.
     * @type {Map<number, Shape>}
     */
    #kept = new Map();
    #keptBytes = 0;

    /** @param {HTMLElement} stage @param {HTMLCanvasElement} canvas @param {import("./view.js").View} view */
    constructor(stage, canvas, view) {
        this.#stage = stage;
        this.#canvas = canvas;
        this.#view = view;
        this.#drawArrow();
    }

    /**
     * Sets the size of the host's screen in pixels.
     * @param {number} scale pixels per point
     * @param {number} width
     * @param {number} height
     */
    setScreen(width, height, scale) {
        this.#screen = {width, height};
        this.#scale = scale >= 1 ? scale : 1;
        if (this.#movedAt === -Infinity) this.#place = {x: width / 2, y: height / 2};
        this.update();
    }

    /** True if the element is shown instead of the browser's own cursor. */
    get isLocal() { return this.#isLocal; }
    set isLocal(wanted) {
        if (this.#isLocal === wanted) return;
        this.#isLocal = wanted;
        this.update();
    }

    /** The position in pixels of the host's screen. */
    get place() { return this.#place; }

    /**
     * Handles the host's message `cursorShape`.
     * @param {any} message
     */
    shape({width, height, x, y, rgba, number}) {
        if (!width || !height) {
            this.#isVisible = false;
            return this.update();
        }
        const bytes = fromBase64url(rgba);
        if (!(width * height <= LARGEST_SHAPE) || bytes?.length !== width * height * 4) return;
        const shape = {width, height, x, y, bytes};
        if (number !== undefined) this.#keep(number, shape);
        this.#show(shape);
    }

    /**
     * Handles the host's message `cursorAgain`, which refers to a shape that was sent before.
     * @param {any} message
     */
    again({number}) {
        const shape = this.#kept.get(number);
        if (shape) this.#show(shape);
    }

    /** Clears the cache for another session, whose host numbers its shapes anew. */
    forget() {
        this.#kept.clear();
        this.#keptBytes = 0;
    }

    /** @param {number} number @param {Shape} shape */
    #keep(number, shape) {
        this.#keptBytes += shape.bytes.length - (this.#kept.get(number)?.bytes.length ?? 0);
        this.#kept.set(number, shape);
        for (const [oldest, {bytes}] of this.#kept) {
            if (this.#kept.size <= MOST_SHAPES && this.#keptBytes <= MOST_BYTES) break;
            this.#kept.delete(oldest);
            this.#keptBytes -= bytes.length;
        }
    }

    /** @param {Shape} shape */
    #show({width, height, x, y, bytes}) {
        this.#canvas.width = width;
        this.#canvas.height = height;
        const image = new ImageData(new Uint8ClampedArray(bytes.buffer), width, height);
        this.#context.putImageData(image, 0, 0);
        this.#hot = {x, y};
        this.#isVisible = true;
        this.#style = this.#cssCursor(width, height, x, y);
        this.update();
    }

    /**
     * Handles the host's message `cursorPos`. The host does not repeat it, so a report that arrives too early is applied later.
     * @param {{x: number, y: number}} message
     */
    moved({x, y}) {
        const wait = this.#movedAt + TRUST_OWN - performance.now();
        if (wait > 0) {
            this.#said = {x, y};
            this.#timer ??= setTimeout(() => this.#settle(), wait);
            return;
        }
        this.#said = null;
        // The pointer may be on a monitor that is not shown.
        this.#isElsewhere = x < 0 || y < 0 || x >= this.#screen.width || y >= this.#screen.height;
        this.#put(x, y);
    }

    /** Applies the host's last report unless there were local moves since. */
    #settle() {
        this.#timer = undefined;
        const said = this.#said;
        if (said) this.moved(said);
    }

    /** Records a local move, which the host's last report does not include. */
    #movedHere() {
        this.#movedAt = performance.now();
        this.#said = null;
    }

    /**
     * Moves the pointer by local input, in pixels of the host's screen.
     * @param {number} dx
     * @param {number} dy
     */
    moveBy(dx, dy) {
        this.#movedHere();
        this.#isElsewhere = false;
        this.#put(this.#place.x + dx, this.#place.y + dy);
        this.#view.reveal(this.#place.x, this.#place.y);
    }

    /**
     * Moves the pointer by local input to a position, as a fraction of the picture.
     * @param {number} x
     * @param {number} y
     */
    moveTo(x, y) {
        this.#movedHere();
        this.#place = {x: x * this.#screen.width, y: y * this.#screen.height};
        if (this.#isLocal) this.update();
    }

    /** @param {number} x @param {number} y */
    #put(x, y) {
        /** @param {number} place @param {number} length */
        const within = (place, length) => Math.min(Math.max(place, 0), Math.max(length - 1, 0));
        this.#place = {x: within(x, this.#screen.width), y: within(y, this.#screen.height)};
        if (this.#isLocal) this.update();
    }

    update() {
        const isShown = this.#isLocal && this.#isVisible && !this.#isElsewhere && this.#screen.width > 0;
        this.#canvas.hidden = !isShown;
        this.#stage.style.cursor = this.#isLocal || !this.#isVisible ? "none" : this.#style;
        if (!isShown) return;
        const point = this.#view.geometry.pointOf(this.#place.x, this.#place.y);
        // At the picture's scale, but never too small to be visible.
        const size = Math.max(this.#view.geometry.scale, 0.7 / this.#scale);
        const left = point.x - this.#hot.x * size, top = point.y - this.#hot.y * size;
        this.#canvas.style.transform = `translate(${left}px, ${top}px) scale(${size})`;
    }

    /**
     * @param {number} width
     * @param {number} height
     * @param {number} x
     * @param {number} y
     */
    #cssCursor(width, height, x, y) {
        if (width > LARGEST_CURSOR * this.#scale || height > LARGEST_CURSOR * this.#scale) return "default";
        const url = `url("${this.#canvas.toDataURL()}")`;
        const plain = `${url} ${x} ${y}, default`;
        if (this.#scale === 1) return plain;
        // Show a cursor of a host with several pixels per point at the same size as there, and sharp.
        const place = [x, y].map((length) => Math.round(length / this.#scale)).join(" ");
        const sharp = `image-set(${url} ${this.#scale}x) ${place}, default`;
        return CSS.supports("cursor", sharp) ? sharp : plain;
    }

    get #context() { return /** @type {CanvasRenderingContext2D} */ (this.#canvas.getContext("2d")); }

    // Draws a default arrow until the host has sent a shape.
    #drawArrow() {
        this.#canvas.width = this.#canvas.height = 24;
        const context = this.#context;
        const arrow = new Path2D("M4 3v15l4-4 2.6 6 2.6-1.1-2.6-5.9H16z");
        context.fillStyle = "#000";
        context.strokeStyle = "#fff";
        context.lineWidth = 1.5;
        context.fill(arrow);
        context.stroke(arrow);
        this.#hot = {x: 4, y: 3};
    }
}
