// Handles mouse and pen. Each event is sent in its own handler, without waiting for a timer or frame.

import {RunningMoves} from "./running.js";
import {Wheel} from "./wheel.js";

const BUTTONS = ["left", "middle", "right", "back", "forward"];
/**
 * The minimum interval between two positions in milliseconds: the host accepts 1000 messages per second, and an 8000 Hz mouse
 * reports more positions than needed.
 */
const LEAST_INTERVAL = 1.8;
/** The maximum number of points of a pen's line per event, as many as pens report in a tenth of a second. */
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
     * The button that `pointerdown` reported, until `mousedown` reports it.
     * @type {number | null}
     */
    #told = null;
    /** @type {{x: number | null, y: number | null}} */
    #last = {x: null, y: null};
    #sentAt = -Infinity;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #late;
    // The movement reported by raw events since the last plain event, which reports their sum.
    #raw = {x: 0, y: 0};
    #isControlDown = false;
    #used;

    /**
     * @param {HTMLElement} stage
     * @param {import("./input.js").Input} input
     * @param {import("../picture/view.js").View} view
     * @param {import("../picture/cursor.js").Cursor} cursor
     * @param {(kind: "mouse" | "touch") => void} used called with the kind of device in use
     * @param {() => void} lockChanged called when the pointer was locked or unlocked
     */
    constructor(stage, input, view, cursor, used, lockChanged) {
        this.#stage = stage;
        this.#input = input;
        this.#view = view;
        this.#cursor = cursor;
        this.#used = used;
        // Raw events arrive at once, plain events with the next frame. Raw events exist in secure contexts only.
        const hasRaw = "onpointerrawupdate" in window;
        if (hasRaw) stage.addEventListener("pointerrawupdate", (event) => this.#moved(event, true));
        stage.addEventListener("pointermove", (event) => this.#moved(event, false, hasRaw));
        // Arrives well before `mousedown`, but reports only the first of several buttons.
        stage.addEventListener("pointerdown", (event) => {
            if (event.pointerType === "touch") return;
            this.#pressed(event);
            this.#told = event.button;
            stage.setPointerCapture(event.pointerId);
        });
        // A pen may have no mouse events (its touches are handled elsewhere), and a cancelled pointer has none.
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

    /** Locks the pointer for relative moves, as in games, or unlocks it. */
    async toggleLock() {
        if (this.isLocked) return this.leaveLock();
        try {
            await this.#stage.requestPointerLock({unadjustedMovement: true});
        } catch {
            // Some systems can't turn off acceleration.
            try {
                await this.#stage.requestPointerLock();
            } catch {
                // The browser refuses shortly after the user has left the lock; nothing changes.
            }
        }
    }

    leaveLock() { if (this.isLocked) document.exitPointerLock(); }

    /**
     * Sends a relative move, in pixels of the host's screen.
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
     * Moves the pointer under a finger.
     * @param {number} x @param {number} y in pixels of the stage
     */
    touchTo(x, y) {
        const {fraction} = this.#view.geometry.pixelAt(x, y);
        if (!this.#input.isAllowed) return;
        this.#input.moveTo(fraction.x, fraction.y);
        this.#cursor.moveTo(fraction.x, fraction.y);
    }

    /**
     * Clicks, presses or releases a button for a finger: at the pointer's position, or at a point of the stage.
     * @param {{type: "click" | "down" | "up", button: string, x?: number, y?: number}} action
     */
    touch({type, button, x, y}) {
        let place = null;
        if (x !== undefined && y !== undefined) {
            const {fraction, isInside} = this.#view.geometry.pixelAt(x, y);
            // Ignore touches outside the picture.
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

    /** Forgets the pressed buttons. */
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
        // A button press alone causes a move event, too.
        if (x === this.#last.x && y === this.#last.y) return;
        this.#last = {x, y};
        const now = performance.now();
        if (now - this.#sentAt >= LEAST_INTERVAL) this.#go(now);
        else this.#late ??= setTimeout(() => this.#go(performance.now()), LEAST_INTERVAL);
        if (!this.#buttons.size) this.#view.pushFrom(x, y);
    }

    /**
     * Handles a pen stroke through all points that the browser has coalesced into one event.
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
        // A delayed position is older than these.
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
     * Sends the newest position.
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
        // Some browsers report no movement in raw events; then the difference is the whole movement.
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
        // Send the press first, because its latency matters.
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
     * Releases all buttons, where the pen was lifted or at the pointer's last position.
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
        // A button that was pressed elsewhere does not concern the host.
        if (!this.#buttons.delete(button)) return;
        this.#input.press("mouseUp", button, this.isLocked ? null : this.#view.geometry.pixelAt(x, y).fraction);
    }

    /**
     * Returns the position of a mouse event. Mouse events have integer positions; the last pointer event's position is used if
     * it is in the same pixel.
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
        // Browsers report a pinch on a touchpad as a wheel event with Control, although the key is not down.
        if (event.ctrlKey && !this.#isControlDown) {
            const {geometry} = this.#view;
            return this.#view.zoomTo(geometry.zoom * Math.exp(-event.deltaY / 100), event.clientX, event.clientY);
        }
        const turn = this.#wheel.turn(event);
        if (turn) this.#input.act({type: "scroll", ...turn});
    }
}
