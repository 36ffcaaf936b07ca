// The page's entry point: creates its subjects and connects them. The modules under page/ connect the parts of each subject;
// each part is implemented in its own module.

import {translate} from "./language/language.js";
import {Connecting} from "./page/connecting.js";
import {Controls} from "./page/controls.js";
import {Driving} from "./page/driving.js";
import {Hearing} from "./page/hearing.js";
import {connectLeaving} from "./page/leaving.js";
import {meet} from "./page/meeting.js";
import {Settings} from "./page/settings.js";
import {Transferring} from "./page/transferring.js";
import {Watching} from "./page/watching.js";
import {Keep} from "./session/keep.js";
import {parseFragment, publicFragment} from "./session/sharelink.js";
import {Bar} from "./ui/bar.js";
import {find} from "./ui/elements.js";
import {offerInstallation} from "./ui/install.js";
import {Note} from "./ui/note.js";

// Remove the secret from the address bar and the history first, before anything can fail.
function takeFragment() {
    const fragment = location.hash.slice(1), link = parseFragment(fragment);
    const rest = isAtRendezvous ? publicFragment(link) : "";
    if (fragment) history.replaceState(null, "", location.pathname + location.search + rest);
    return {link, isEmpty: fragment.toLowerCase() === rest.slice(1)};
}
/** True if this page comes from a rendezvous, not from the host itself. */
const isAtRendezvous = find("service").getAttribute("content") === "rendezvous";
const {link, isEmpty} = takeFragment();
const meeting = meet(link, isAtRendezvous, storage("localStorage"));
translate(document);
offerInstallation(document, isSecureContext);

const stage = find("stage"), video = find("picture");
const keep = new Keep(
    storage("sessionStorage"), storage("localStorage"), location.protocol === "https:", () => Date.now(), meeting.host);
const settings = new Settings(keep);
const note = new Note(find("note"), find("note-text"), find("note-action"));
const bar = new Bar(find("top"), find("bar"), find("handle"));

/** @type {Connecting} */
const connecting = new Connecting({
    keep, note, meeting,
    play: () => watching.playing.again(),
    thaw: () => watching.view.thaw(),
    handlers: {
        pictureReady: () => watching.own?.awaited ?? null,
        pictureAsked: (transceiver) => watching.own?.stand(transceiver),
        picture: (stream) => watching.show(stream),
        sound: (track, receiver) => hearing.sound.heard(track, receiver),
        soundAsked: (receiver, isInStep) => hearing.decode(receiver, isInStep),
        soundRefused: () => hearing.sound.refused(),
        opened,
        transfer: (channel) => transferring.begin(channel, client.host?.name ?? ""),
        message: heard,
        interrupted: (isInterrupted) => watching.interrupted(isInterrupted),
        ending: () => watching.ending(),
        closed,
    },
});
const {card, client} = connecting;
/** @type {Connecting["send"]} */
const send = (channel, message) => connecting.send(channel, message);
/** @param {object} message */
const tell = (message) => send("control", message);
/** @type {Watching} */
const watching = new Watching({
    stage, video, card, keep, settings, send, shown,
    session: () => client.session,
    pictured: () => hearing.sound.pictured(), renew: () => client.session?.renew(), turned: () => hearing.follow(),
});
/** @type {Driving} */
const driving = new Driving({stage, watching, bar, note, settings, send, command: (code) => controls.command(code)});
const hearing = new Hearing({settings, tell, session: () => client.session, step: {
    canDraw: () => watching.own?.isProven ?? false, isDrawn: () => watching.own?.isDrawn ?? false,
    heard: (sound) => watching.own?.hear(sound),
    tied: (isTied) => { if (watching.own) watching.own.isWanted = !isTied; },
}});
const transferring = new Transferring({stage, watching, driving, bar, note, settings});
/** @type {Controls} */
const controls = new Controls({stage, bar, note, settings, client, watching, driving, hearing, transferring, tell});
connectLeaving({keep, note, client, watching, driving, transferring});

function opened() {
    connecting.introduce();
    driving.keys.system = client.host?.system ?? "";
    watching.opened();
}

/** Handles that the picture is visible from now on. */
function shown() {
    bar.isPresent = true;
    watching.view.layout();
    driving.focusStage();
    driving.hintOnce();
}

function closed() {
    watching.end();
    driving.letGo();
    const {numbered, input} = driving, {unseen, quality} = watching;
    for (const part of [numbered, unseen, quality, hearing.sound, transferring.link]) part.end();
    input.state = "forbidden";
    bar.isPresent = false;
    watching.interrupted(false);
    driving.end();
}

/** @param {any} message the host's message */
function heard(message) {
    if (client.handle(message)) return;
    for (const subject of [driving, watching, hearing, controls]) subject.handle(message);
}

/**
 * Returns a storage; `null` if the browser forbids it, because then even reading the property throws.
 * @param {"sessionStorage" | "localStorage"} name
 */
function storage(name) {
    try {
        return window[name];
    } catch {
        return null;
    }
}

settings.changed = apply;
function apply() {
    watching.apply(settings.values);
    hearing.follow();
    driving.apply(settings.values);
    controls.show();
}
apply();
driving.choosePointer();
connecting.begin(link, isEmpty);
// Connects if a link is pasted into the address bar of this page. A session is not interrupted, because another site that has
// opened the page may change the address, too.
window.addEventListener("hashchange", () => {
    if (watching.isOpen) return void takeFragment();
    // Another host's link at a rendezvous: what is kept about hosts is kept for each.
    if (isAtRendezvous) return location.reload();
    const pasted = takeFragment();
    if (!pasted.isEmpty) connecting.begin(pasted.link, false);
});
