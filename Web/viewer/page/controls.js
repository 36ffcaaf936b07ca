// The bar's buttons and panels, and the commands on Control, Alt, Shift and a key.

import {fill, words} from "../language/language.js";
import {click, find, press} from "../ui/elements.js";
import {showMonitors} from "../ui/monitors.js";
import {Statistics} from "../ui/statistics.js";
import {SIZES} from "./settings.js";

/** The factor by which "Larger" enlarges the view. */
const ZOOM_STEP = 1.25;

export class Controls {
    #stage;
    #bar;
    #note;
    #settings;
    #watching;
    #driving;
    #tell;
    #statistics;
    /**
     * The commands by key, with Control, Alt and Shift.
     * @type {Record<string, () => void>}
     */
    #commands;

    /**
     * @param {object} page
     * @param {HTMLElement} page.stage
     * @param {import("../ui/bar.js").Bar} page.bar
     * @param {import("../ui/note.js").Note} page.note
     * @param {import("./settings.js").Settings} page.settings
     * @param {import("../session/client.js").Client} page.client
     * @param {import("./watching.js").Watching} page.watching
     * @param {import("./driving.js").Driving} page.driving
     * @param {import("./hearing.js").Hearing} page.hearing
     * @param {import("./transferring.js").Transferring} page.transferring
     * @param {(message: object) => boolean} page.tell sends a message to the host
     */
    constructor({stage, bar, note, settings, client, watching, driving, hearing, transferring, tell}) {
        this.#stage = stage;
        this.#bar = bar;
        this.#note = note;
        this.#settings = settings;
        this.#watching = watching;
        this.#driving = driving;
        this.#tell = tell;
        this.#statistics = new Statistics(find("statistics"), find("figures"), find("facts"), watching.surface,
            () => client.session, () => watching.own?.figures ?? null, () => hearing.sound.figures,
            () => [watching.facts, transferring.facts].filter(Boolean).join(" · "));
        this.#commands = {
            KeyF: () => this.#toggleFullScreen(), KeyS: () => this.#toggleStatistics(), KeyZ: () => this.#nextSize(),
            KeyK: () => driving.toggleKeys(), KeyA: () => hearing.toggle(), KeyM: () => driving.pointer.toggleLock(),
            KeyH: () => bar.enter(), KeyQ: () => client.leave(),
        };
        // When a bar or panel disappears, keys are sent to the host again.
        bar.dismissed = () => driving.focusStage();
        bar.addPanel(find("people-button"), find("people"));
        bar.addPanel(find("monitors-button"), find("monitors"));
        bar.addPanel(find("size-button"), find("size"), () => this.show());
        bar.addPanel(find("more-button"), find("more"), () => this.show());
        this.#connectView();
        this.#connectInput();
    }

    #connectView() {
        const {view} = this.#watching;
        find("size").addEventListener("change", ({target}) => {
            const {name, value} = /** @type {HTMLInputElement} */ (target);
            if (name === "scale") this.#settings.change({size: /** @type {typeof SIZES[number]} */ (value)});
            else this.#settings.change({quality: value});
        });
        click("zoom-in", () => view.zoomBy(ZOOM_STEP));
        click("zoom-out", () => view.zoomBy(1 / ZOOM_STEP));
        for (const id of ["statistics-button", "more-statistics"]) click(id, () => this.#toggleStatistics());
        for (const id of ["full-button", "more-full"]) click(id, () => this.#toggleFullScreen());
        document.addEventListener("fullscreenchange", () => {
            const isFull = document.fullscreenElement !== null;
            if (!isFull) navigator.keyboard?.unlock?.();
            press("full-button", isFull);
            press("more-full", isFull);
        });
    }

    #connectInput() {
        const settings = this.#settings, {values} = settings, driving = this.#driving, {hint, touch} = driving;
        click("keys-button", () => driving.toggleKeys());
        click("more-lock", () => {
            this.#bar.hide();
            driving.focusField();
            driving.pointer.toggleLock();
        });
        click("more-place", () => {
            // Release all keys, because their releases would be sent as other keys.
            driving.letGo();
            settings.change({keys: values.keys === "place" ? "character" : "place"});
            this.#note.say(values.keys === "place" ? words.notes.keysByPlace : words.notes.keysByCharacter);
        });
        click("more-exchange", () => {
            // Release all keys, because their releases would be sent as other keys.
            driving.letGo();
            settings.change({exchangesCommand: !values.exchangesCommand});
        });
        click("more-direct", () => {
            settings.change({directTouch: !values.directTouch});
            if (hint.isShown) hint.show(touch.isDirect);
        });
        click("more-hint", () => {
            this.#bar.hide();
            hint.show(touch.isDirect);
        });
        click("more-natural", () => settings.change({naturalScrolling: !values.naturalScrolling}));
    }

    /**
     * Executes the command for Control, Alt, Shift and a key.
     * @param {string} code @returns {boolean} false if there is no such command
     */
    command(code) {
        if (!Object.hasOwn(this.#commands, code)) return false;
        // Release the three modifiers, whose presses the host has received.
        this.#driving.letGo();
        this.#commands[code]();
        return true;
    }

    #nextSize() {
        this.#settings.change({size: SIZES[(SIZES.indexOf(this.#settings.values.size) + 1) % SIZES.length]});
    }

    #toggleStatistics() {
        this.#statistics.toggle();
        find("statistics-button").setAttribute("aria-expanded", String(this.#statistics.isShown));
        press("more-statistics", this.#statistics.isShown);
    }

    async #toggleFullScreen() {
        try {
            if (document.fullscreenElement) await document.exitFullscreen();
            else {
                await document.documentElement.requestFullscreen({navigationUI: "hide"});
                // Even Escape and Alt+Tab are then sent to the host, if the browser supports that; holding Escape leaves full
                // screen.
                await navigator.keyboard?.lock?.();
            }
        } catch {
            this.#note.say(words.notes.noFullScreen);
        }
        this.#driving.focusField();
    }

    /** Shows the current choices, and which of them are available. */
    show() {
        const {values} = this.#settings, {quality} = this.#watching, {kind, pointer} = this.#driving;
        /** @type {Record<string, string>} */
        const chosen = {scale: values.size, quality: quality.choice};
        for (const input of find("size").querySelectorAll("input")) input.checked = input.value === chosen[input.name];
        find("quality").hidden = !quality.isOffered;
        press("more-place", values.keys === "place");
        press("more-exchange", values.exchangesCommand === true);
        press("more-direct", values.directTouch === true);
        press("more-clipboard", values.sharesClipboard !== false);
        press("more-natural", values.naturalScrolling);
        press("more-lock", pointer.isLocked);
        find("more-lock").hidden = kind === "touch" || !this.#stage.requestPointerLock;
        find("more-full").hidden = find("full-button").hidden = !document.fullscreenEnabled;
        for (const id of ["more-direct", "more-hint", "more-natural"]) find(id).hidden = kind !== "touch";
    }

    /** @param {any} message the host's message */
    handle(message) {
        switch (message.type) {
        case "takes": this.show(); break;
        case "monitors":
            showMonitors(find("monitors-button"), find("monitors-list"), message, (id) => {
                if (this.#driving.input.isAllowed) this.#tell({type: "selectMonitor", id});
                else this.#note.say(this.#driving.people.refusal);
            });
            break;
        case "error":
            this.#note.say(fill(words.notes.notTaken, {why: message.message ?? words.notes.noReason}));
            break;
        }
    }
}
