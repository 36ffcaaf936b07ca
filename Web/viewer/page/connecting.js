// The connection to the host: the client, the card that shows its state, and the names in the page.

import {words} from "../language/language.js";
import {Client} from "../session/client.js";
import {isPhone, nameOf} from "../session/device.js";
import {gainsByHTTPS} from "../session/secure.js";
import {Card} from "../ui/card.js";
import {find} from "../ui/elements.js";
import {warningFor} from "../ui/words.js";

export class Connecting {
    /**
     * @param {object} page
     * @param {import("../session/keep.js").Keep} page.keep
     * @param {import("../ui/note.js").Note} page.note
     * @param {import("../session/signalling.js").Meeting} page.meeting the way to the host
     * @param {() => void} page.play called when the user starts the picture
     * @param {() => void} page.thaw called when the last picture is no longer shown
     * @param {Omit<ConstructorParameters<typeof Client>[0]["handlers"], "entered">} page.handlers the handlers of each session
     */
    constructor({keep, note, meeting, play, thaw, handlers}) {
        const name = nameOf(navigator.userAgent);
        /** @type {Card} */
        const card = this.card = new Card({
            join: (secret) => client.join(secret),
            pair: (name) => client.pair(name),
            confirm: (areSame) => client.confirm(areSame),
            retry: () => client.retry(),
            stop: () => client.leave(),
            play,
        }, name);
        /** @type {Client} */
        const client = this.client = new Client({
            meeting,
            name,
            isPhone: isPhone(navigator.userAgent),
            keep,
            view: {
                connecting: (name) => {
                    card.connecting(name || "Heliograph", name ? words.card.connecting : words.card.connectingHost);
                },
                ask: (host, why) => {
                    thaw();
                    card.ask(host, why);
                    find("secure-offer").hidden = !gainsByHTTPS(isSecureContext, host);
                },
                compare: (code) => card.compare(code),
                retrying: (_, isWatching) => card.retrying(isWatching),
                ended: (ending) => {
                    thaw();
                    card.ended(ending);
                },
                paired: () => note.say(keep.keepsPairings ? words.notes.paired : words.notes.pairedVisit),
            },
            handlers: {
                ...handlers,
                entered: () => card.connecting(client.host?.name || "Heliograph", words.card.letIn),
            },
        });
        const warning = warningFor(navigator.userAgent, location.hostname);
        for (const id of ["secure-warning", "more-secure-warning"]) find(id).textContent = warning;
        find("pair-kept").hidden = !keep.keepsPairings;
        find("pair-visit").hidden = keep.keepsPairings;
    }

    /**
     * @param {import("../session/sharelink.js").SharedLink} link the link that opened the page
     * @param {boolean} isEmpty true if there was none
     */
    begin({secret, isDamaged}, isEmpty) { this.client.begin(isDamaged ? null : secret, !isEmpty); }

    /** Shows the host's name, and the alternatives that the host offers. */
    introduce() {
        const {host} = this.client;
        // Hidden on this machine's own address, which browsers treat as secure.
        for (const id of ["more-secure", "more-secure-hint", "more-secure-warning"]) {
            find(id).hidden = !gainsByHTTPS(isSecureContext, host);
        }
        find("host-name").textContent = host?.name || location.host;
        document.title = host?.name ? `${host.name} · Heliograph` : "Heliograph";
    }

    /** @param {"control" | "moves"} channel @param {object} message @returns {boolean} false if it could not be sent */
    send(channel, message) { return this.client.session?.send(channel, message) ?? false; }
}
