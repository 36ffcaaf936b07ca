// Substitutes for a browser in tests on Node: elements, a window and a document on which events can be fired.

/** An element with the parts that the page's modules use. */
export class FakeElement extends EventTarget {
    children = [];
    style = {setProperty(name, value) { this[name] = value; }};
    attributes = new Map();
    classes = new Set();
    hidden = false;
    textContent = "";
    clientWidth = 800;
    clientHeight = 600;
    parent = null;

    constructor(tag = "div") {
        super();
        this.tag = tag;
    }

    classList = {
        contains: (name) => this.classes.has(name),
        add: (name) => this.classes.add(name),
        remove: (name) => this.classes.delete(name),
        toggle: (name, wanted = !this.classes.has(name)) => {
            this.classes[wanted ? "add" : "delete"](name);
            return wanted;
        },
    };

    setAttribute(name, value) { this.attributes.set(name, String(value)); }
    getAttribute(name) { return this.attributes.get(name) ?? null; }

    append(...children) {
        for (const child of children) child.parent = this;
        this.children.push(...children);
    }

    replaceChildren(...children) {
        this.children = [];
        this.append(...children);
    }

    get lastElementChild() { return this.children.at(-1); }
    contains(other) { return other === this || this.children.some((child) => child.contains(other)); }

    focus() {
        if (document.activeElement === this) return;
        const before = document.activeElement;
        document.activeElement = this;
        if (before) fire(before, "blur", {});
    }

    click() {
        fire(this, "click", {});
        this.onclick?.({});
    }

    captured = [];
    setPointerCapture(id) { this.captured.push(id); }

    // Part of a text field.
    value = "";
    setSelectionRange(start, end) { [this.selectionStart, this.selectionEnd] = [start, end]; }

    // A canvas's.
    /** Draws nothing. */
    getContext() { return new Proxy({}, {get: () => () => {}}); }
    toDataURL() { return "data:,"; }
}

/** Fires an event with these fields. @returns {boolean} whether the page has left the default action to the browser */
export function fire(target, type, fields = {}) {
    const event = new Event(type, {cancelable: true});
    for (const [name, value] of Object.entries(fields)) {
        Object.defineProperty(event, name, {value, configurable: true});
    }
    return target.dispatchEvent(event);
}

/**
 * Installs a simulated browser for one test, with a virtual clock.
 * @param {import("node:test").TestContext} t
 * @returns {{pass: (time: number) => void, sleep: (time: number) => void, now: () => number}} `sleep`: time goes on, and no
 * timer runs
 */
export function browser(t, {platform = "", languages = ["en"], raw = false} = {}) {
    let now = 1000;
    const fakes = {
        window: Object.assign(new EventTarget(), {visualViewport: undefined}),
        document: Object.assign(new EventTarget(), {
            activeElement: null, pointerLockElement: null, hidden: false, documentElement: new FakeElement("html"),
            createElement: (tag) => new FakeElement(tag),
            exitPointerLock() {
                this.pointerLockElement = null;
                fire(this, "pointerlockchange");
            },
        }),
        navigator: {platform, languages},
        devicePixelRatio: 1,
        getComputedStyle: () => ({color: "black"}),
        ResizeObserver: class { observe() {} },
        Path2D: class {},
        ImageData: class {},
        CSS: {supports: () => true},
        requestAnimationFrame: () => 0,
        matchMedia: () => new EventTarget(),
    };
    if (raw) fakes.window.onpointerrawupdate = null;
    for (const [name, value] of Object.entries(fakes)) {
        const before = Object.getOwnPropertyDescriptor(globalThis, name);
        Object.defineProperty(globalThis, name, {value, configurable: true, writable: true});
        t.after(() => {
            if (before) Object.defineProperty(globalThis, name, before);
            else delete globalThis[name];
        });
    }
    t.mock.method(performance, "now", () => now);
    t.mock.timers.enable({apis: ["setTimeout", "setInterval"]});
    return {
        now: () => now,
        sleep: (time) => { now += time; },
        pass: (time) => {
            // Advances step by step, so that a timer set by a timer fires at its time.
            for (let left = time; left > 0; left--) {
                now += 1;
                t.mock.timers.tick(1);
            }
        },
    };
}
