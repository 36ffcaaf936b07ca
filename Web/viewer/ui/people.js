// The viewers and the driver: the button in the bar, the list, and the question when another viewer asks to drive.

import {fill, words} from "../language/language.js";

/** The time in milliseconds for which a request to drive is shown. */
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
     * Handles the host's message `control`.
     * @param {any} message
     */
    control({state, by}) {
        this.#state = state;
        this.#by = by ?? null;
        if (state !== "yours") this.#elements.request.hidden = true;
        this.#show();
    }

    /**
     * Handles the host's message `viewers`.
     * @param {any} message
     */
    viewers({list}) {
        this.#list = Array.isArray(list) ? list : [];
        this.#show();
    }

    /**
     * Handles the host's message `controlRequested`.
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

    /** The name of the driver, if it is another viewer. */
    get driver() {
        // The host sends a viewer's number, or a name of a driver that is not a viewer.
        const known = this.#list.find(({viewer, drives}) => (this.#by === null ? drives : viewer === this.#by));
        return known?.name || (typeof this.#by === "string" ? this.#by : "") || words.people.somebodyElse;
    }

    /** The note for a user who acts without permission. */
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
