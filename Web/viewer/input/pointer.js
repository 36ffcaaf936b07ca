// Mouse and pen. Each event goes out in its own handler: no timer, no frame is waited for.

import {RunningMoves} from "./running.js";
import {Wheel} from "./wheel.js";

const BUTTONS = ["left", "middle", "right", "back", "forward"];
/** The host takes 1000 messages a second; a mouse of 8000 Hz does not need that many places. */
const LEAST_INTERVAL = 1.8;
/** The most points of a pen's line that one event brings to the host: what pens tell of in a tenth of a second. */
const MOST_POINTS = 32;

export class Pointer {
    #stage;
    #input;
    #view;
    #cursor;
    #wheel = new Wheel();
    #moves = new RunningMoves();
    #buttons = new Set();
    /**
     * The button that `pointerdown` told of, until `mousedown` does.
     * @type {number | null}
     */
    #told = null;
    /** @type {{x: number | null, y: number | null}} */
    #last = {x: null, y: null};
    #sentAt = -Infinity;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #late;
    // Told by raw events since the last plain one, which sums them up.
    #raw = {x: 0, y: 0};
    #isControlDown = false;
    #used;

    /**
     * @param {HTMLElement} stage
     * @param {import("./input.js").Input} input
     * @param {import("../picture/view.js").View} view
     * @param {import("../picture/cursor.js").Cursor} cursor
     * @param {(kind: "mouse" | "touch") => void} used which it is that is used now
     * @param {() => void} lockChanged the pointer is locked, or not any more
     */
    constructor(stage, input, view, cursor, used, lockChanged) {
        this.#stage = stage;
        this.#input = input;
        this.#view = view;
        this.#cursor = cursor;
        this.#used = used;
        // Raw ones come at once, plain ones with the next frame. Browsers have raw ones in secure contexts only.
        const hasRaw = "onpointerrawupdate" in window;
        if (hasRaw) stage.addEventListener("pointerrawupdate", (event) => this.#moved(event, true));
        stage.addEventListener("pointermove", (event) => this.#moved(event, false, hasRaw));
        // Comes well before `mousedown`; of several buttons it tells the first only.
        stage.addEventListener("pointerdown", (event) => {
            if (event.pointerType === "touch") return;
            this.#pressed(event);
            this.#told = event.button;
            stage.setPointerCapture(event.pointerId);
        });
        // A pen may have no mouse events (its touches are taken), and what the system takes away has none.
        stage.addEventListener("pointerup", (event) => { if (event.pointerType === "pen") this.#lostTouch(event); });
        stage.addEventListener("pointercancel", (event) => {
            if (event.pointerType !== "touch") this.#lostTouch(event);
        });
        stage.addEventListener("pointerleave", () => this.#view.stopPushing());
        stage.addEventListener("mousedown", (event) => {
            event.preventDefault();
            if (event.button !== this.#told) this.#pressed(event);
            this.#told = null;
        });
        stage.addEventListener("mouseup", (event) => this.#lifted(event));
        stage.addEventListener("wheel", (event) => this.#turned(event), {passive: false});
        for (const name of ["contextmenu", "auxclick", "dragstart", "selectstart"]) {
            stage.addEventListener(name, (event) => event.preventDefault());
        }
        for (const name of /** @type {const} */ (["keydown", "keyup"])) {
            window.addEventListener(name, (event) => { this.#isControlDown = event.ctrlKey; }, true);
        }
        document.addEventListener("pointerlockchange", () => {
            this.#raw = {x: 0, y: 0};
            lockChanged();
        });
    }

    get isLocked() { return document.pointerLockElement === this.#stage; }

    /** Locks the pointer, or lets it go: relative moves, for games and the like. */
    async toggleLock() {
        if (this.isLocked) return this.leaveLock();
        try {
            await this.#stage.requestPointerLock({unadjustedMovement: true});
        } catch {
            // Not every system can do without acceleration.
            try {
                await this.#stage.requestPointerLock();
            } catch {
                // Refused, so soon after the person ended the last one: as before.
            }
        }
    }

    leaveLock() { if (this.isLocked) document.exitPointerLock(); }

    /**
     * Relative moves, in pixels of the host's screen.
     * @param {number} dx
     * @param {number} dy
     */
    moveBy(dx, dy) {
        const message = this.#moves.move(dx, dy);
        if (!message || !this.#input.isAllowed) return;
        this.#input.moveBy(message);
        this.#cursor.moveBy(message.dx, message.dy);
    }

    /**
     * A finger is there, with the pointer under it.
     * @param {number} x @param {number} y of the stage
     */
    touchTo(x, y) {
        const {fraction} = this.#view.geometry.pixelAt(x, y);
        if (!this.#input.isAllowed) return;
        this.#input.moveTo(fraction.x, fraction.y);
        this.#cursor.moveTo(fraction.x, fraction.y);
    }

    /**
     * A finger's click, or its button: where the pointer is, or at a point of the stage.
     * @param {{type: "click" | "down" | "up", button: string, x?: number, y?: number}} action
     */
    touch({type, button, x, y}) {
        let place = null;
        if (x !== undefined && y !== undefined) {
            const {fraction, isInside} = this.#view.geometry.pixelAt(x, y);
            // Beside the picture there is nothing to press.
            if (!isInside && type !== "up") return;
            place = fraction;
        }
        if (type === "click") this.#input.click(button, place);
        else if (type === "down") {
            this.#buttons.add(button);
            this.#input.press("mouseDown", button, place);
        } else if (this.#buttons.delete(button)) this.#input.press("mouseUp", button, place);
        if (place && this.#input.isAllowed) this.#cursor.moveTo(place.x, place.y);
    }

    /** What was down is not any more. */
    forget() {
        this.#buttons.clear();
        clearTimeout(this.#late);
        this.#late = undefined;
    }

    /** @param {PointerEvent} event @param {boolean} isRaw @param {boolean} isSummedUp */
    #moved(event, isRaw, isSummedUp = false) {
        if (event.pointerType === "touch") return;
        if (this.isLocked) this.#movedLocked(event, isRaw);
        else if (isRaw || !isSummedUp) {
            if (event.pointerType === "pen" && this.#buttons.size) this.#drawn(event);
            else this.#movedTo(event.clientX, event.clientY);
        }
        this.#used("mouse");
    }

    /** @param {number} x @param {number} y */
    #movedTo(x, y) {
        // A button alone is told as a move, too.
        if (x === this.#last.x && y === this.#last.y) return;
        this.#last = {x, y};
        const now = performance.now();
        if (now - this.#sentAt >= LEAST_INTERVAL) this.#go(now);
        else this.#late ??= setTimeout(() => this.#go(performance.now()), LEAST_INTERVAL);
        if (!this.#buttons.size) this.#view.pushFrom(x, y);
    }

    /**
     * A pen draws: its line goes through each of the points that the browser has put into one event.
     * @param {PointerEvent} event
     */
    #drawn(event) {
        const all = event.getCoalescedEvents?.() ?? [], now = performance.now();
        let before = this.#last;
        const points = [...all, event].map(({clientX: x, clientY: y}) => ({x, y})).filter(({x, y}) => {
            const isNew = x !== before.x || y !== before.y;
            before = {x, y};
            return isNew;
        });
        const last = points.at(-1);
        if (!last) return;
        // What waited is behind these.
        if (this.#late !== undefined) clearTimeout(this.#late);
        this.#late = undefined;
        this.#sentAt = now;
        this.#last = last;
        const places = points.slice(-MOST_POINTS).map(({x, y}) => this.#view.geometry.pixelAt(x, y).fraction);
        this.#input.moveAlong(places);
        const end = places[places.length - 1];
        this.#cursor.moveTo(end.x, end.y);
    }

    /**
     * Sends the newest place.
     * @param {number} now
     */
    #go(now) {
        if (this.#late !== undefined) clearTimeout(this.#late);
        this.#late = undefined;
        const {fraction, isInside} = this.#view.geometry.pixelAt(this.#last.x ?? 0, this.#last.y ?? 0);
        if (!isInside && !this.#buttons.size) return;
        this.#sentAt = now;
        this.#input.moveTo(fraction.x, fraction.y);
        this.#cursor.moveTo(fraction.x, fraction.y);
    }

    /** @param {PointerEvent} event @param {boolean} isRaw */
    #movedLocked({movementX, movementY}, isRaw) {
        if (isRaw) {
            this.#raw.x += movementX;
            this.#raw.y += movementY;
            return this.moveBy(movementX, movementY);
        }
        // Some browsers tell no movement by raw events: then all of it is the difference.
        const {x, y} = this.#raw;
        this.#raw = {x: 0, y: 0};
        this.moveBy(movementX - x, movementY - y);
    }

    /** @param {MouseEvent} event */
    #pressed(event) {
        const button = BUTTONS[event.button];
        if (!button) return;
        let place = null;
        if (!this.isLocked) {
            const {x, y} = this.#last = this.#placeOf(event);
            const {fraction, isInside} = this.#view.geometry.pixelAt(x, y);
            if (!isInside && !this.#buttons.size) return;
            place = fraction;
        }
        this.#buttons.add(button);
        // Before all else: it is waited for.
        this.#input.press("mouseDown", button, place);
        this.#used("mouse");
        if (place) this.#cursor.moveTo(place.x, place.y);
        this.#view.stopPushing();
    }

    /** @param {MouseEvent} event */
    #lifted(event) {
        event.preventDefault();
        this.#lift(BUTTONS[event.button], this.#placeOf(event));
    }

    /**
     * All that is down goes up, where the pen was lifted or the pointer was last.
     * @param {PointerEvent} event
     */
    #lostTouch(event) {
        this.#told = null;
        const {x, y} = this.#last;
        const place = event.type === "pointerup" || x === null || y === null ? this.#placeOf(event) : {x, y};
        for (const button of [...this.#buttons]) this.#lift(button, place);
    }

    /** @param {string} button @param {{x: number, y: number}} place */
    #lift(button, {x, y}) {
        // One that went down elsewhere is nothing to the host.
        if (!this.#buttons.delete(button)) return;
        this.#input.press("mouseUp", button, this.isLocked ? null : this.#view.geometry.pixelAt(x, y).fraction);
    }

    /**
     * Mouse events tell whole places where the pointer's own are finer: the same place is the same pixel.
     * @param {MouseEvent} event
     */
    #placeOf({clientX: x, clientY: y}) {
        const {x: lastX, y: lastY} = this.#last;
        const isLast = lastX !== null && lastY !== null && Math.floor(lastX) === x && Math.floor(lastY) === y;
        return isLast ? {x: lastX, y: lastY} : {x, y};
    }

    /** @param {WheelEvent} event */
    #turned(event) {
        event.preventDefault();
        // Browsers tell two fingers that spread on a touchpad as a turn with Control, which nobody holds.
        if (event.ctrlKey && !this.#isControlDown) {
            const {geometry} = this.#view;
            return this.#view.zoomTo(geometry.zoom * Math.exp(-event.deltaY / 100), event.clientX, event.clientY);
        }
        const turn = this.#wheel.turn(event);
        if (turn) this.#input.act({type: "scroll", ...turn});
    }
}
