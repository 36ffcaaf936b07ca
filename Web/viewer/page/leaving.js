// The page's lifecycle in the browser: loss of focus, hiding, leaving, returning, and the switch to HTTPS.

import {ALIVE_INTERVAL} from "../input/input.js";
import {words} from "../language/language.js";
import {Departure} from "../session/departure.js";
import {SIGN_INTERVAL} from "../session/keep.js";
import {secureAddress} from "../session/secure.js";
import {click} from "../ui/elements.js";

/**
 * @param {object} page
 * @param {import("../session/keep.js").Keep} page.keep
 * @param {import("../ui/note.js").Note} page.note
 * @param {import("../session/client.js").Client} page.client
 * @param {import("./watching.js").Watching} page.watching
 * @param {import("./driving.js").Driving} page.driving
 * @param {import("./transferring.js").Transferring} page.transferring
 */
export function connectLeaving({keep, note, client, watching, driving, transferring}) {
    window.addEventListener("blur", () => driving.letGo());
    document.addEventListener("visibilitychange", () => {
        watching.visibilityChanged();
        if (document.hidden) return driving.letGo();
        watching.seen();
        client.hurry();
    });
    window.addEventListener("online", () => client.hurry());
    const departure = new Departure(window, () => watching.isOpen && driving.people.state === "yours");
    window.addEventListener("pagehide", () => {
        driving.letGo();
        client.depart();
        keep.leave();
    });
    setInterval(() => keep.sign(), SIGN_INTERVAL);
    // Reload a page that is restored from the back/forward cache, because its session has ended.
    window.addEventListener("pageshow", ({persisted}) => { if (persisted) location.reload(); });
    setInterval(() => driving.input.tick(), ALIVE_INTERVAL);
    // Pass the ticket along, because the page over HTTPS has its own storage.
    for (const id of ["secure-button", "more-secure"]) {
        click(id, () => departure.go(() => location.assign(secureAddress(location.href, keep.ticket))));
    }
    click("more-leave", () => client.leave());
    click("more-forget", () => {
        keep.forgetAll();
        transferring.files.peer = null;
        client.leave();
        note.say(words.notes.forgotten);
    });
}
