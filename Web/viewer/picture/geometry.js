// Where the picture lies on the page, and which of its pixels is under a point. Lengths are CSS pixels, `picture` is in
// the picture's own pixels. No DOM: tests turn it round in every way.

/** How far the view zooms in. */
export const ZOOM_LIMIT = 8;
/** Pixels of the picture: more than what is lost by computing, less than anybody could point at. */
const ROUNDING = 1e-6;

export class Geometry {
    #picture = {width: 0, height: 0};
    #stage = {width: 0, height: 0};
    // Where the part of the stage that is seen begins.
    #top = 0;
    #density = 1;
    #zoom = 1;
    // The picture's middle from the stage's middle, in CSS pixels.
    #offset = {x: 0, y: 0};
    /** @type {"fit" | "fill" | "actual"} */
    #sizing = "fit";
    // What follows from all that, worked out when it changes: every move of the pointer asks.
    #scale = 1;
    #frame = {x: 0, y: 0, width: 0, height: 0};

    /** @param {number} width @param {number} height of the picture, in its pixels */
    setPicture(width, height) {
        this.#picture = {width, height};
        this.#settle();
    }

    /**
     * The part of the stage that is seen.
     * @param {number} density the display's pixels per CSS pixel
     * @param {number} top where it begins
     * @param {number} width
     * @param {number} height
     */
    setStage(width, height, density = this.#density, top = 0) {
        this.#stage = {width, height};
        this.#density = density;
        this.#top = top;
        this.#settle();
    }

    get picture() { return this.#picture; }
    get stage() { return this.#stage; }
    get top() { return this.#top; }
    get zoom() { return this.#zoom; }

    /**
     * How large the picture is without zoom: all of it in sight, the whole stage covered by it, or one of its pixels on
     * one of the display.
     * @type {"fit" | "fill" | "actual"}
     */
    get sizing() { return this.#sizing; }
    set sizing(wanted) {
        this.#sizing = wanted;
        this.resetZoom();
    }

    /** CSS pixels a pixel of the picture. */
    get scale() { return this.#scale; }

    /** The picture's place, from the stage's top left corner; on whole pixels of the display, for sharpness. */
    get frame() { return this.#frame; }

    /** Whether some of the picture is out of sight. */
    get overflows() {
        const {width, height} = this.frame;
        return width > this.#stage.width + 0.5 || height > this.#stage.height + 0.5;
    }

    /**
     * The pixel of the picture under a point of the stage, the nearest one outside of the picture. `fraction` names its
     * middle, which is the same pixel whichever way the other end rounds.
     * @param {number} x
     * @param {number} y
     */
    pixelAt(x, y) {
        const {width, height} = this.#picture;
        // A quotient comes out a hair below a whole number that it should be.
        const column = Math.floor((x - this.#frame.x) / this.#scale + ROUNDING);
        const row = Math.floor((y - this.#frame.y) / this.#scale + ROUNDING);
        const pixel = {x: nearest(column, width), y: nearest(row, height)};
        return {
            ...pixel, isInside: column >= 0 && row >= 0 && column < width && row < height,
            fraction: {x: middle(pixel.x, width), y: middle(pixel.y, height)},
        };
    }

    /**
     * Where a pixel of the picture lies on the stage.
     * @param {number} x
     * @param {number} y
     */
    pointOf(x, y) {
        const frame = this.frame;
        return {x: frame.x + x * this.scale, y: frame.y + y * this.scale};
    }

    /**
     * Zooms by `factor`; what is under the point stays there.
     * @param {number} factor
     * @param {number} x
     * @param {number} y
     */
    zoomBy(factor, x, y) {
        const before = this.#zoom;
        this.#zoom = Math.min(Math.max(before * factor, 1), ZOOM_LIMIT);
        const grown = this.#zoom / before;
        const fromMiddle = {x: x - this.#stage.width / 2, y: y - this.#top - this.#stage.height / 2};
        this.#offset.x = fromMiddle.x - (fromMiddle.x - this.#offset.x) * grown;
        this.#offset.y = fromMiddle.y - (fromMiddle.y - this.#offset.y) * grown;
        this.#settle();
    }

    resetZoom() {
        this.#zoom = 1;
        this.#offset = {x: 0, y: 0};
        this.#settle();
    }

    /**
     * Moves the picture, no further than its edges. Returns whether it moved.
     * @param {number} dx
     * @param {number} dy
     */
    pan(dx, dy) {
        const {x, y} = this.#offset;
        this.#offset.x += dx;
        this.#offset.y += dy;
        this.#settle();
        return this.#offset.x !== x || this.#offset.y !== y;
    }

    /**
     * Pans as little as brings a pixel of the picture into sight, `margin` from the stage's edges.
     * @param {number} x
     * @param {number} y
     * @param {number} margin
     */
    reveal(x, y, margin) {
        const point = this.pointOf(x, y);
        /** @param {number} place @param {number} length */
        const missing = (place, length) => {
            const edge = Math.min(margin, length / 2);
            return place < edge ? edge - place : place > length - edge ? length - edge - place : 0;
        };
        return this.pan(missing(point.x, this.#stage.width), missing(point.y - this.#top, this.#stage.height));
    }

    #settle() {
        const {width, height} = this.#picture, stage = this.#stage;
        const [across, down] = [stage.width / width, stage.height / height];
        const whole = {fit: Math.min(across, down), fill: Math.max(across, down), actual: 1 / this.#density}[this.#sizing];
        this.#scale = width && height ? whole * this.#zoom : 1;
        const frame = {x: 0, y: 0, width: width * this.#scale, height: height * this.#scale};
        // The picture's edges stay at the stage's, or beyond.
        /** @param {number} place @param {number} picture @param {number} room */
        const limit = (place, picture, room) => {
            const most = Math.max(0, (picture - room) / 2);
            return Math.min(Math.max(place, -most), most);
        };
        this.#offset.x = limit(this.#offset.x, frame.width, stage.width);
        this.#offset.y = limit(this.#offset.y, frame.height, stage.height);
        /** @param {number} length */
        const sharp = (length) => Math.round(length * this.#density) / this.#density;
        frame.x = sharp((stage.width - frame.width) / 2 + this.#offset.x);
        frame.y = sharp(this.#top + (stage.height - frame.height) / 2 + this.#offset.y);
        this.#frame = frame;
    }
}

/**
 * The nearest of so many pixels.
 * @param {number} place
 * @param {number} length
 */
const nearest = (place, length) => Math.min(Math.max(place, 0), Math.max(length - 1, 0));
/**
 * A pixel's middle, as a fraction of so many.
 * @param {number} pixel
 * @param {number} length
 */
const middle = (pixel, length) => Math.round((pixel + 0.5) / Math.max(length, 1) * 1e8) / 1e8;
