// Where the picture lies on the page, and which of its pixels is under a point. Lengths are CSS pixels, `picture` is in
// the picture's own pixels. No DOM: tests turn it round in every way.

/** How far the view zooms in. */
export const ZOOM_LIMIT = 8;
/** Pixels of the picture: more than what is lost by computing, less than anybody could point at. */
const ROUNDING = 1e-6;

export class Geometry {
    #picture = {width: 0, height: 0};
    #stage = {width: 0, height: 0};
    #density = 1;
    #zoom = 1;
    // The picture's middle from the stage's middle, in CSS pixels.
    #offset = {x: 0, y: 0};
    #isActualSize = false;

    /** @param {number} width @param {number} height of the picture, in its pixels */
    setPicture(width, height) {
        this.#picture = {width, height};
        this.#clamp();
    }

    /** @param {number} density the display's pixels per CSS pixel */
    setStage(width, height, density = this.#density) {
        this.#stage = {width, height};
        this.#density = density;
        this.#clamp();
    }

    get picture() { return this.#picture; }
    get stage() { return this.#stage; }
    get zoom() { return this.#zoom; }

    /** One pixel of the picture on one of the display, instead of all of the picture in sight. */
    get isActualSize() { return this.#isActualSize; }
    set isActualSize(wanted) {
        this.#isActualSize = wanted;
        this.resetZoom();
    }

    /** CSS pixels a pixel of the picture. */
    get scale() {
        const {width, height} = this.#picture;
        if (!width || !height) return 1;
        const fit = Math.min(this.#stage.width / width, this.#stage.height / height);
        return (this.#isActualSize ? 1 / this.#density : fit) * this.#zoom;
    }

    /** The picture's place, from the stage's top left corner; on whole pixels of the display, for sharpness. */
    get frame() {
        const width = this.#picture.width * this.scale, height = this.#picture.height * this.scale;
        const whole = (length) => Math.round(length * this.#density) / this.#density;
        return {
            x: whole((this.#stage.width - width) / 2 + this.#offset.x),
            y: whole((this.#stage.height - height) / 2 + this.#offset.y),
            width, height,
        };
    }

    /** Whether some of the picture is out of sight. */
    get overflows() {
        const {width, height} = this.frame;
        return width > this.#stage.width + 0.5 || height > this.#stage.height + 0.5;
    }

    /**
     * The pixel of the picture under a point of the stage, the nearest one outside of the picture. `fraction` names its
     * middle, which is the same pixel whichever way the other end rounds.
     */
    pixelAt(x, y) {
        const {x: left, y: top} = this.frame, scale = this.scale;
        // A quotient comes out a hair below a whole number that it should be.
        const column = (x - left) / scale + ROUNDING, row = (y - top) / scale + ROUNDING;
        const isInside = column >= 0 && row >= 0 && column < this.#picture.width && row < this.#picture.height;
        const nearest = (place, length) => Math.min(Math.max(Math.floor(place), 0), Math.max(length - 1, 0));
        const pixel = {x: nearest(column, this.#picture.width), y: nearest(row, this.#picture.height)};
        const middle = (place, length) => Math.round((place + 0.5) / Math.max(length, 1) * 1e8) / 1e8;
        return {
            ...pixel, isInside,
            fraction: {x: middle(pixel.x, this.#picture.width), y: middle(pixel.y, this.#picture.height)},
        };
    }

    /** Where a pixel of the picture lies on the stage. */
    pointOf(x, y) {
        const frame = this.frame;
        return {x: frame.x + x * this.scale, y: frame.y + y * this.scale};
    }

    /** Zooms by `factor`; what is under the point stays there. */
    zoomBy(factor, x, y) {
        const before = this.#zoom;
        this.#zoom = Math.min(Math.max(before * factor, 1), ZOOM_LIMIT);
        const grown = this.#zoom / before;
        const fromMiddle = {x: x - this.#stage.width / 2, y: y - this.#stage.height / 2};
        this.#offset.x = fromMiddle.x - (fromMiddle.x - this.#offset.x) * grown;
        this.#offset.y = fromMiddle.y - (fromMiddle.y - this.#offset.y) * grown;
        this.#clamp();
    }

    resetZoom() {
        this.#zoom = 1;
        this.#offset = {x: 0, y: 0};
        this.#clamp();
    }

    /** Moves the picture, no further than its edges. Returns whether it moved. */
    pan(dx, dy) {
        const {x, y} = this.#offset;
        this.#offset.x += dx;
        this.#offset.y += dy;
        this.#clamp();
        return this.#offset.x !== x || this.#offset.y !== y;
    }

    /** Pans as little as brings a pixel of the picture into sight, `margin` from the stage's edges. */
    reveal(x, y, margin) {
        const point = this.pointOf(x, y);
        const missing = (place, length) => {
            const edge = Math.min(margin, length / 2);
            return place < edge ? edge - place : place > length - edge ? length - edge - place : 0;
        };
        return this.pan(missing(point.x, this.#stage.width), missing(point.y, this.#stage.height));
    }

    #clamp() {
        const limit = (place, picture, stage) => {
            const most = Math.max(0, (picture - stage) / 2);
            return Math.min(Math.max(place, -most), most);
        };
        this.#offset.x = limit(this.#offset.x, this.#picture.width * this.scale, this.#stage.width);
        this.#offset.y = limit(this.#offset.y, this.#picture.height * this.scale, this.#stage.height);
    }
}
