// A small line chart of the last minute.

/** The number of values that are kept, one per second. */
const LENGTH = 60;

export class Chart {
    #canvas;
    /** @type {(number | null)[]} */
    #values = [];
    #least;

    /** @param {HTMLCanvasElement} canvas @param {number} least the minimum upper end of the scale */
    constructor(canvas, least) {
        this.#canvas = canvas;
        this.#least = least;
    }

    /** @param {number | null} value `null` for a gap */
    add(value) {
        this.#values.push(value);
        if (this.#values.length > LENGTH) this.#values.shift();
        this.#draw();
    }

    #draw() {
        const canvas = this.#canvas, density = devicePixelRatio;
        const width = canvas.clientWidth, height = canvas.clientHeight;
        if (!width) return;
        canvas.width = Math.round(width * density);
        canvas.height = Math.round(height * density);
        const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
        context.scale(density, density);
        context.strokeStyle = context.fillStyle = getComputedStyle(canvas).color;
        context.lineWidth = 1.5;
        context.lineJoin = "round";
        const top = Math.max(this.#least, ...this.#values.map((value) => value ?? 0));
        /** @param {number} index */
        const at = (index) => width - (this.#values.length - 1 - index) * width / (LENGTH - 1);
        /** @param {number} value */
        const up = (value) => height - 1.5 - value / top * (height - 3);
        /** @type {number | null} */
        let start = null;
        for (let i = 0; i <= this.#values.length; i++) {
            const value = this.#values[i] ?? null;
            if (value !== null && start === null) start = i;
            if (value !== null || start === null) continue;
            const from = start, points = this.#values.slice(from, i).map((each, j) => [at(from + j), up(each ?? 0)]);
            this.#stroke(context, points, height);
            start = null;
        }
    }

    /** @param {CanvasRenderingContext2D} context @param {number[][]} points @param {number} height */
    #stroke(context, points, height) {
        context.beginPath();
        for (const [x, y] of points) context.lineTo(x, y);
        context.stroke();
        context.lineTo(points[points.length - 1][0], height);
        context.lineTo(points[0][0], height);
        context.globalAlpha = 0.16;
        context.fill();
        context.globalAlpha = 1;
    }
}
