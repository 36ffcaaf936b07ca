// The clipboard and files: their buttons, and their shared data channel.

import {SharedClipboard} from "../clipboard/sharedclipboard.js";
import {SharedFiles} from "../files/sharedfiles.js";
import {TransferLink} from "../files/transferlink.js";
import {NEWS_PATIENCE} from "../ui/bar.js";
import {click, find} from "../ui/elements.js";

export class Transferring {
    #bar;
    #driving;
    #watching;

    /**
     * @param {object} page
     * @param {HTMLElement} page.stage
     * @param {import("./watching.js").Watching} page.watching
     * @param {import("./driving.js").Driving} page.driving
     * @param {import("../ui/bar.js").Bar} page.bar
     * @param {import("../ui/note.js").Note} page.note
     * @param {import("./settings.js").Settings} page.settings
     */
    constructor({stage, watching, driving, bar, note, settings}) {
        this.#bar = bar;
        this.#driving = driving;
        this.#watching = watching;
        const {input, typing} = driving, say = (/** @type {string} */ text) => note.say(text);
        const clipboard = this.clipboard = new SharedClipboard(stage, input, {
            isShared: settings.values.sharesClipboard !== false,
            isMac: typing.keyboard.platform === "mac",
            press: () => typing.paste(),
            changed: () => this.#showClipboard(),
            say,
        });
        typing.pastes = (event) => clipboard.pastes(event);
        this.files = new SharedFiles(stage, {
            box: find("files"), list: find("files-list"), said: find("files-said"), offer: find("offer"),
            offerText: find("offer-text"), offerYes: find("offer-yes"), offerNo: find("offer-no"),
            files: find("files-input"), folder: find("folder-input"),
        }, {changed: () => this.#showFiles(), say, left: () => driving.focusField()});
        this.link = new TransferLink(clipboard, this.files);
        click("more-clipboard", () => {
            settings.change({sharesClipboard: settings.values.sharesClipboard === false});
            clipboard.isShared = settings.values.sharesClipboard;
        });
        click("copy-button", () => clipboard.copy());
        click("more-send", () => this.#choose("files-input"));
        click("more-folder", () => this.#choose("folder-input"));
    }

    /** The counters of both as text; empty if there are none. */
    get facts() { return [this.clipboard.facts, this.files.facts].filter(Boolean).join(" · "); }

    /** @param {RTCDataChannel} channel the session's open channel @param {string} host the host's name */
    begin(channel, host) {
        this.files.peer = host;
        this.link.begin(channel);
    }

    #showClipboard() {
        const button = find("copy-button"), {label, isThere} = this.clipboard, isNew = button.hidden && label !== "";
        button.hidden = label === "";
        button.title = label;
        button.setAttribute("aria-label", label);
        find("copy-text").textContent = label;
        find("more-clipboard").hidden = !isThere;
        // Show the bar, because the user would not see the new button otherwise.
        if (isNew && this.#watching.isOpen) this.#bar.show(NEWS_PATIENCE);
    }

    #showFiles() {
        find("more-send").hidden = !this.files.isThere;
        find("more-folder").hidden = !this.files.isThere || !("webkitdirectory" in find("folder-input"));
    }

    /** @param {"files-input" | "folder-input"} id */
    #choose(id) {
        this.#bar.hide();
        // Release all keys, because their releases are not reported while the browser's dialog is open.
        this.#driving.letGo();
        find(id).click();
    }
}
