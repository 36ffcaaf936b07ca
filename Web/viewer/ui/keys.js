// The special keyboard: the rows of keys that keyboard.js defines, which touch keyboards lack, with sticky modifiers.

import {specialRows} from "../input/keyboard.js";
import {words} from "../language/language.js";
import {labelOf} from "./keylabels.js";

export class Keys {
    #panel;
    #typing;
    #modifiers = new Map();
    #touchKey;

    /** @param {HTMLElement} panel @param {HTMLElement} rows @param {import("../input/typing.js").Typing} typing */
    constructor(panel, rows, typing) {
        this.#panel = panel;
        this.#typing = typing;
        for (const row of specialRows) {
            const line = document.createElement("div");
            line.className = "key-row";
            line.role = "group";
            for (const key of row) line.append(this.#button(key));
            rows.append(line);
        }
        this.#touchKey = this.#plain("abc", words.keys.touchKeyboard, () => {
            if (typing.isTouch) typing.hideTouchKeyboard();
            else typing.showTouchKeyboard();
        });
        this.#touchKey.setAttribute("aria-pressed", "false");
        rows.lastElementChild?.append(this.#touchKey);
        this.system = "";
        typing.touchKeyboardChanged = () => this.#touchKey.setAttribute("aria-pressed", String(typing.isTouch));
    }

    /** @param {boolean} isTouch true if the button for the touch keyboard has to be shown */
    show(isTouch) {
        this.#touchKey.hidden = !isTouch;
        this.#panel.hidden = false;
        this.update();
    }

    hide() {
        this.#panel.hidden = true;
        this.#typing.hideTouchKeyboard();
    }

    /**
     * Labels the modifiers in the terms of the host's system.
     * @param {string} system for example "linux"; empty if it is unknown
     */
    set system(system) {
        for (const [modifier, button] of this.#modifiers) {
            const {label, name} = labelOf(modifier, system);
            button.textContent = label;
            button.setAttribute("aria-label", name);
            // Single symbols have their own font size, because they look smaller than words.
            button.classList.toggle("is-symbol", label.length === 1);
        }
    }

    get isShown() { return !this.#panel.hidden; }
    get height() { return this.#panel.hidden ? 0 : this.#panel.offsetHeight; }

    /** Shows which modifiers are down. */
    update() {
        const {sticky} = this.#typing.keyboard;
        for (const [name, button] of this.#modifiers) {
            button.setAttribute("aria-pressed", String(sticky.includes(name)));
        }
    }

    /** @param {any} key */
    #button(key) {
        if (!key.modifier) {
            /** @type {Record<string, string>} */
            const names = words.keys;
            return this.#plain(key.label, names[key.code] ?? key.name, () => this.#typing.press(key.code));
        }
        const button = this.#plain(key.label, key.name, () => {
            this.#typing.toggle(key.modifier);
            this.update();
        });
        button.setAttribute("aria-pressed", "false");
        this.#modifiers.set(key.modifier, button);
        return button;
    }

    /** @param {string} label @param {string} name @param {() => void} act */
    #plain(label, name, act) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = label;
        button.setAttribute("aria-label", name);
        // Keep the focus, and with it the touch keyboard.
        button.addEventListener("pointerdown", (event) => event.preventDefault());
        button.addEventListener("mousedown", (event) => event.preventDefault());
        button.addEventListener("click", act);
        return button;
    }
}
