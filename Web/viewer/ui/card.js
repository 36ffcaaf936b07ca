// The card that is shown without a picture: connecting, asking for the code, comparing codes, reconnecting to a lost host, and
// errors.

import {secretOf, tidyCode} from "../bytes/base32.js";
import {words} from "../language/language.js";
import {tidyName} from "../session/device.js";
import {find} from "./elements.js";
import {wordsFor} from "./words.js";

export class Card {
    #on;

    /**
     * @param {object} handlers
     * @param {(secret: Uint8Array) => void} handlers.join
     * @param {(name: string) => void} handlers.pair
     * @param {(areSame: boolean) => void} handlers.confirm
     * @param {() => void} handlers.retry
     * @param {() => void} handlers.stop
     * @param {() => void} handlers.play
     * @param {string} name the default name of this device
     */
    constructor(handlers, name) {
        this.#on = handlers;
        const code = find("code");
        code.addEventListener("input", () => {
            code.removeAttribute("aria-invalid");
            // Format the code only while typing at its end, because the cursor would jump otherwise.
            if (code.selectionStart !== code.value.length) return;
            code.value = tidyCode(code.value);
        });
        find("name").value = name;
        find("code-form").addEventListener("submit", (event) => {
            event.preventDefault();
            const secret = secretOf(code.value);
            if (!secret) {
                code.setAttribute("aria-invalid", "true");
                code.focus();
                return this.#say(words.card.notLetIn, words.card.codeForm);
            }
            code.value = "";
            handlers.join(secret);
        });
        find("pair-form").addEventListener("submit", (event) => {
            event.preventDefault();
            const tidy = tidyName(find("name").value);
            if (tidy) handlers.pair(tidy);
            else find("name").focus();
        });
        find("compare-yes").onclick = () => {
            this.connecting(words.card.almost, words.card.almostText);
            handlers.confirm(true);
        };
        find("compare-no").onclick = () => handlers.confirm(false);
        find("again-button").onclick = () => handlers.retry();
        find("play-button").onclick = () => handlers.play();
        find("stop-button").onclick = () => handlers.stop();
    }

    /** @param {string} title @param {string} text */
    connecting(title, text = "") {
        this.#screen("connecting");
        this.#say(title, text);
        find("progress").hidden = false;
    }

    /**
     * Shows a button to start the picture, because it needs a press, or is late.
     * @param {string} title
     * @param {string} text
     */
    play(title, text) {
        this.#screen("connecting");
        this.#say(title, text);
        find("play").hidden = false;
        find("play-button").focus({preventScroll: true});
    }

    /**
     * @param {import("../session/admission.js").Host | null} host
     * @param {import("../session/session.js").Ending | null} why
     */
    ask(host, why) {
        this.#screen("ask");
        const greeting = {title: host?.name || "Heliograph", text: words.card.greeting};
        const {title, text} = why ? wordsFor(why) : greeting;
        this.#say(title, text);
        find("code-form").hidden = false;
        find("pair-form").hidden = !host?.pairing;
        find("code").focus();
    }

    /** @param {string} code */
    compare(code) {
        this.#screen("compare");
        this.#say(words.card.compare, words.card.compareText);
        find("compare").hidden = false;
        find("digits").textContent = code;
        // Screen readers read the code digit by digit.
        find("digits").setAttribute("aria-label", [...code].join(" "));
        this.#focusTitle();
    }

    /** @param {boolean} isWatching true if the last picture is shown meanwhile */
    retrying(isWatching) {
        if (document.body.dataset.screen === "retrying") return;
        this.#screen(isWatching ? "retrying" : "connecting");
        this.#say(words.card.lost, words.card.lostText);
        find("progress").hidden = false;
        find("again").hidden = false;
        find("again-button").textContent = words.card.tryNow;
        find("stop-button").hidden = false;
    }

    /** @param {import("../session/session.js").Ending} ending */
    ended(ending) {
        this.#screen("ended");
        const {title, text} = wordsFor(ending);
        this.#say(title, text);
        find("again").hidden = false;
        const isOver = ending.kind === "left" || ending.kind === "bye";
        find("again-button").textContent = isOver ? words.card.openAgain : words.card.tryAgain;
        find("stop-button").hidden = true;
        this.#focusTitle();
    }

    hide() { this.#screen("watching"); }

    get isHidden() { return document.body.dataset.screen === "watching"; }

    /** @param {string} name */
    #screen(name) {
        document.body.dataset.screen = name;
        for (const id of ["progress", "code-form", "pair-form", "secure-offer", "compare", "play", "again"]) {
            find(id).hidden = true;
        }
    }

    /** @param {string} title @param {string} text */
    #say(title, text) {
        find("title").textContent = title;
        find("message").textContent = text;
    }

    #focusTitle() { find("title").focus({preventScroll: true}); }
}
