// Who watches and who drives: the button in the bar, the list, and somebody's wish to drive.

import {fill, words} from "../language/language.js";

/** Milliseconds that a wish stays on the screen. */
const PATIENCE = 20_000;

export class People {
    #elements;
    #send;
    /** @type {import("../input/input.js").ControlState} */
    #state = "forbidden";
    /** @type {unknown} */
    #by = null;
    /** @type {any[]} */
    #list = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;

    /**
     * @param {Record<string, HTMLElement>} elements driver, list, control, request, requestText, requestYes, requestNo
     * @param {(message: object) => void} send
     */
    constructor(elements, send) {
        this.#elements = elements;
        this.#send = send;
        elements.control.onclick = () => {
            if (this.#state === "yours") this.#send({type: "handOver", to: null});
            else this.#send({type: "requestControl"});
        };
        elements.requestNo.onclick = () => { elements.request.hidden = true; };
    }

    /**
     * `control` of the host.
     * @param {any} message
     */
    control({state, by}) {
        this.#state = state;
        this.#by = by ?? null;
        if (state !== "yours") this.#elements.request.hidden = true;
        this.#show();
    }

    /**
     * `viewers` of the host.
     * @param {any} message
     */
    viewers({list}) {
        this.#list = Array.isArray(list) ? list : [];
        this.#show();
    }

    /**
     * `controlRequested` of the host.
     * @param {any} message
     */
    requested({viewer, name}) {
        const {request, requestText, requestYes} = this.#elements;
        requestText.textContent = fill(words.people.wants, {name: name || words.people.somebody});
        requestYes.onclick = () => {
            this.#send({type: "handOver", to: viewer});
            request.hidden = true;
        };
        request.hidden = false;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => { request.hidden = true; }, PATIENCE);
    }

    /** Who drives, if somebody else does. */
    get driver() {
        // By number or by name: the host may know a name of somebody who is no viewer.
        const known = this.#list.find(({viewer, drives}) => (this.#by === null ? drives : viewer === this.#by));
        return known?.name || (typeof this.#by === "string" ? this.#by : "") || words.people.somebodyElse;
    }

    /** What to say to who acts and may not. */
    get refusal() {
        return this.#state === "forbidden" ? words.people.watchOnly : fill(words.people.refusal, {name: this.driver});
    }

    get state() { return this.#state; }

    #show() {
        const {driver, list, control} = this.#elements;
        /** @type {Record<string, string>} */
        const own = {
            yours: words.people.youDrive, free: words.people.nobodyDrives, forbidden: words.people.watching,
        };
        driver.textContent = own[this.#state] ?? fill(words.people.drives, {name: this.driver});
        control.hidden = this.#state === "forbidden" || this.#state === "free";
        control.textContent = this.#state === "yours" ? words.people.letOthers : words.people.ask;
        list.replaceChildren(...this.#list.map((each) => this.#row(each)));
    }

    /** @param {any} viewer */
    #row({viewer, name, drives, you}) {
        const row = document.createElement("li"), who = document.createElement("span");
        who.className = "who";
        who.textContent = name || fill(words.people.viewer, {number: viewer});
        const notes = [you && words.people.you, drives && words.people.driving].filter(Boolean);
        if (notes.length) {
            const small = document.createElement("small");
            small.textContent = ` · ${notes.join(", ")}`;
            who.append(small);
        }
        row.append(who);
        if (this.#state === "yours" && !you) {
            const button = document.createElement("button");
            button.type = "button";
            button.textContent = words.people.handOver;
            button.setAttribute("aria-label", fill(words.people.handOverTo, {name: who.textContent ?? ""}));
            button.onclick = () => this.#send({type: "handOver", to: viewer});
            row.append(button);
        }
        return row;
    }
}
