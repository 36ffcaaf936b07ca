// The position of the picture on the page, and the mapping from points to its pixels. Lengths are in CSS pixels, except the
// picture's own size, which is in its pixels. Uses no DOM, so it can be tested alone.

/** The maximum zoom. */
export const ZOOM_LIMIT = 8;
/** A tolerance in pixels of the picture: larger than rounding errors, smaller than any pointing precision. */
const ROUNDING = 1e-6;

export class Geometry {
    #picture = {width: 0, height: 0};
    #stage = {width: 0, height: 0};
    // The top of the visible part of the stage.
    #top = 0;
    #density = 1;
    #zoom = 1;
    // The offset of the picture's center from the stage's center, in CSS pixels.
    #offset = {x: 0, y: 0};
    /** @type {"fit" | "fill" | "actual"} */
    #sizing = "fit";
    // Values derived from the above, computed when it changes, because every pointer move uses them.
    #scale = 1;
    #frame = {x: 0, y: 0, width: 0, height: 0};

    /** @param {number} width @param {number} height the picture's size in its pixels */
    setPicture(width, height) {
        this.#picture = {width, height};
        this.#settle();
    }

    /**
     * Sets the visible part of the stage.
     * @param {number} density the display's pixels per CSS pixel
     * @param {number} top the position of its top
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
     * The size of the picture without zoom: completely visible (`fit`), covering the whole stage (`fill`), or one pixel of the
     * picture per pixel of the display (`actual`).
     * @type {"fit" | "fill" | "actual"}
     */
    get sizing() { return this.#sizing; }
    set sizing(wanted) {
        this.#sizing = wanted;
        this.resetZoom();
    }

    /** The size of a pixel of the picture, in CSS pixels. */
    get scale() { return this.#scale; }

    /** The picture's rectangle relative to the stage's top left corner, aligned to the display's pixels for sharpness. */
    get frame() { return this.#frame; }

    /** True if a part of the picture is not visible. */
    get overflows() {
        const {width, height} = this.frame;
        return width > this.#stage.width + 0.5 || height > this.#stage.height + 0.5;
    }

    /**
     * Returns the pixel of the picture at a point of the stage, or the nearest one if the point is outside. `fraction` is the
     * pixel's center, so that the host finds the same pixel however it rounds.
     * @param {number} x
     * @param {number} y
     */
    pixelAt(x, y) {
        const {width, height} = this.#picture;
        // The quotient may be slightly below the whole number that it should be.
        const column = Math.floor((x - this.#frame.x) / this.#scale + ROUNDING);
        const row = Math.floor((y - this.#frame.y) / this.#scale + ROUNDING);
        const pixel = {x: nearest(column, width), y: nearest(row, height)};
        return {
            ...pixel, isInside: column >= 0 && row >= 0 && column < width && row < height,
            fraction: {x: middle(pixel.x, width), y: middle(pixel.y, height)},
        };
    }

    /**
     * Returns the position of a pixel of the picture on the stage.
     * @param {number} x
     * @param {number} y
     */
    pointOf(x, y) {
        const frame = this.frame;
        return {x: frame.x + x * this.scale, y: frame.y + y * this.scale};
    }

    /**
     * Zooms by `factor`, keeping the picture's position under the point.
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
     * Moves the picture, at most to its edges. Returns true if it has moved.
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
     * Pans by the smallest distance that makes a pixel of the picture visible, `margin` from the stage's edges.
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
        // Keeps the picture's edges at the stage's edges or beyond.
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
 * Clamps a position to 0 ..< `length`.
 * @param {number} place
 * @param {number} length
 */
const nearest = (place, length) => Math.min(Math.max(place, 0), Math.max(length - 1, 0));
/**
 * Returns the center of a pixel as a fraction of `length`.
 * @param {number} pixel
 * @param {number} length
 */
const middle = (pixel, length) => Math.round((pixel + 0.5) / Math.max(length, 1) * 1e8) / 1e8;
