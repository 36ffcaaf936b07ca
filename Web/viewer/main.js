// The page: puts the parts together. What each does is in its own module.

import {secretOf} from "./bytes/base32.js";
import {SharedClipboard} from "./clipboard/sharedclipboard.js";
import {SharedFiles} from "./files/sharedfiles.js";
import {TransferLink} from "./files/transferlink.js";
import {ALIVE_INTERVAL, Input} from "./input/input.js";
import {NumberedInputs} from "./input/numbered.js";
import {Pointer} from "./input/pointer.js";
import {Touch} from "./input/touch.js";
import {Typing} from "./input/typing.js";
import {fill, translate, words} from "./language/language.js";
import {Awake} from "./picture/awake.js";
import {Cursor} from "./picture/cursor.js";
import {Playing} from "./picture/playing.js";
import {Quality} from "./picture/quality.js";
import {Unseen} from "./picture/unseen.js";
import {View} from "./picture/view.js";
import {Client} from "./session/client.js";
import {Departure} from "./session/departure.js";
import {nameOf} from "./session/device.js";
import {Keep, SIGN_INTERVAL} from "./session/keep.js";
import {gainsByHTTPS, secureAddress, ticketOf} from "./session/secure.js";
import {hasUndecodedPicture} from "./session/session.js";
import {canPlayLive, LiveSound, SoundDecoder} from "./sound/livesound.js";
import {Sound, wishOf} from "./sound/sound.js";
import {Bar, NEWS_PATIENCE} from "./ui/bar.js";
import {Card} from "./ui/card.js";
import {Hint} from "./ui/hint.js";
import {offerInstallation} from "./ui/install.js";
import {Keys} from "./ui/keys.js";
import {showMonitors} from "./ui/monitors.js";
import {Note} from "./ui/note.js";
import {People} from "./ui/people.js";
import {Statistics} from "./ui/statistics.js";
import {warningFor} from "./ui/words.js";

// First of all, before anything can fail: the secret leaves the address bar and the history.
function takeFragment() {
    const fragment = location.hash.slice(1);
    if (fragment) history.replaceState(null, "", location.pathname + location.search);
    return fragment;
}
const fragment = takeFragment();
translate(document);
offerInstallation(document, isSecureContext);
/** What the browser will say where the page is changed to HTTPS. */
const warning = warningFor(navigator.userAgent, location.hostname);

/** Milliseconds that the first picture may take without a word. */
const PICTURE_LIMIT = 6000;

const find = (id) => document.getElementById(id);
const stage = find("stage"), video = find("picture");

const keep = new Keep(storage("sessionStorage"), storage("localStorage"), location.protocol === "https:");
const settings = {
    size: "fit", keys: "character", exchangesCommand: false, directTouch: false, naturalScrolling: true,
    hasSeenHint: false, hasSeenWayOut: false, quality: "automatic", sound: true, volume: 1, inStep: false, sharesClipboard: true, ...keep.settings,
};

const card = new Card({
    join: (secret) => client.join(secret),
    pair: (name) => client.pair(name),
    confirm: (areSame) => client.confirm(areSame),
    retry: () => client.retry(),
    stop: () => client.leave(),
    play: () => playing.again(),
}, nameOf(navigator.userAgent));
const awake = new Awake();
const note = new Note(find("note"), find("note-text"), find("note-action"));

const client = new Client({
    url: `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/signaling`,
    name: nameOf(navigator.userAgent),
    keep,
    view: {
        connecting: (name) => {
            card.connecting(name || "Heliograph", name ? words.card.connecting : words.card.connectingHost);
        },
        ask: (host, why) => {
            view.thaw();
            card.ask(host, why);
            find("secure-offer").hidden = !gainsByHTTPS(isSecureContext, host);
            find("secure-warning").textContent = warning;
        },
        compare: (code) => card.compare(code),
        retrying: (_, isWatching) => card.retrying(isWatching),
        ended: (ending) => {
            view.thaw();
            card.ended(ending);
        },
        paired: () => note.say(keep.keepsPairings ? words.notes.paired : words.notes.pairedVisit),
    },
    handlers: {
        entered: () => card.connecting(client.host?.name || "Heliograph", words.card.letIn),
        picture: show,
        sound: (track, receiver) => sound.heard(track, receiver),
        soundAsked: decode,
        soundRefused: () => sound.refused(),
        opened,
        transfer: (channel) => {
            files.peer = client.host?.name ?? "";
            transfer.begin(channel);
        },
        message: heard,
        interrupted: (isInterrupted) => {
            stage.classList.toggle("is-interrupted", isInterrupted);
            find("light").classList.toggle("is-bad", isInterrupted);
        },
        ending: () => { if (card.isHidden) view.freeze(); },
        closed,
    },
});

const numbered = new NumberedInputs((channel, message) => client.session?.send(channel, message) ?? false);
const unseen = new Unseen(tell);
const quality = new Quality(tell, settings.quality);
const input = new Input(
    (channel, message) => numbered.send(channel, message),
    (state) => {
        const ask = {label: words.people.ask, act: () => tell({type: "requestControl"})};
        note.say(people.refusal, state === "taken" && ask);
    },
);
const playing = new Playing(video, window, playingChanged);
const view = new View(stage, video, find("still"), () => cursor?.update());
const cursor = new Cursor(stage, find("pointer"), view);
const pointer = new Pointer(stage, input, view, cursor, used, choosePointer);
input.lost = () => pointer.leaveLock();
const touch = new Touch(stage, input, pointer, view, used);
const sound = new Sound(wishOf(settings), {
    ask: askForSound, tell, player, changed: showSound,
});
const typing = new Typing(stage, find("typing"), input, command);
const clipboard = new SharedClipboard(stage, input, {
    isShared: settings.sharesClipboard !== false,
    isMac: typing.keyboard.platform === "mac",
    press: () => typing.paste(),
    changed: showClipboard,
    say: (text) => note.say(text),
});
typing.pastes = (event) => clipboard.pastes(event);
const files = new SharedFiles(stage, {
    box: find("files"), list: find("files-list"), said: find("files-said"), offer: find("offer"),
    offerText: find("offer-text"), offerYes: find("offer-yes"), offerNo: find("offer-no"),
    files: find("files-input"), folder: find("folder-input"),
}, {changed: showFiles, say: (text) => note.say(text), left: () => typing.focus(kind)});
const transfer = new TransferLink(clipboard, files);
const keys = new Keys(find("keys"), find("key-rows"), typing);
const hint = new Hint(find("hint"), find("hint-list"), find("hint-close"), () => change({hasSeenHint: true}));
const bar = new Bar(find("top"), find("bar"), find("handle"));
const statistics = new Statistics(find("statistics"), find("figures"), find("facts"), video, () => client.session,
    () => sound.figures, () => [clipboard.facts, files.facts].filter(Boolean).join(" · "));
const people = new People({
    driver: find("driver"), list: find("people-list"), control: find("control-button"), request: find("request"),
    requestText: find("request-text"), requestYes: find("request-yes"), requestNo: find("request-no"),
}, tell);

/** What the person uses: "mouse" or "touch". */
let kind = matchMedia("(pointer: coarse)").matches ? "touch" : "mouse";
let hasPicture = false, isOpen = false, patience;

// The session

function tell(message) { return client.session?.send("control", message) ?? false; }

function show(stream) {
    hasPicture = false;
    playing.show(stream);
}

/** A browser that wants a touch first is given one, or has had it. */
function playingChanged() {
    if (playing.isRefused) card.play(words.card.ready, words.card.readyText);
    else reveal();
}

function opened() {
    isOpen = true;
    // Not on this machine's own address: browsers trust that as it is.
    for (const id of ["more-secure", "more-secure-hint", "more-secure-warning"]) {
        find(id).hidden = !gainsByHTTPS(isSecureContext, client.host);
    }
    find("more-secure-warning").textContent = warning;
    keys.system = client.host?.system ?? "";
    find("host-name").textContent = client.host?.name || location.host;
    document.title = client.host?.name ? `${client.host.name} · Heliograph` : "Heliograph";
    awake.hold();
    reveal();
    clearTimeout(patience);
    patience = setTimeout(async () => {
        const isSent = await hasUndecodedPicture(client.session?.connection);
        if (hasPicture || !isOpen || playing.isRefused) return;
        card.play(words.card.noPicture, isSent ? words.card.notDecodedText : words.card.noPictureText);
    }, PICTURE_LIMIT);
}

function reveal() {
    if (!isOpen || !hasPicture || playing.isRefused || card.isHidden) return;
    card.hide();
    view.thaw();
    bar.isPresent = true;
    view.layout();
    focusStage();
    hintOnce();
}

/** Who touches the picture for the first time in this browser, and may, is told what that does. */
function hintOnce() {
    if (kind === "touch" && !settings.hasSeenHint && input.isAllowed && card.isHidden) hint.show(touch.isDirect);
}

video.addEventListener("loadeddata", () => {
    hasPicture = true;
    reveal();
    sound.pictured();
});

function closed() {
    isOpen = hasPicture = false;
    playing.end();
    clearTimeout(patience);
    awake.release();
    letGo();
    numbered.end();
    unseen.end();
    quality.end();
    sound.end();
    transfer.end();
    input.state = "forbidden";
    bar.isPresent = false;
    keys.hide();
    afterKeys();
    hint.hide();
    find("request").hidden = true;
    stage.classList.remove("is-interrupted");
    find("light").classList.remove("is-bad");
    pointer.leaveLock();
    choosePointer();
}

function heard(message) {
    if (client.handle(message)) return;
    switch (message.type) {
    case "screenInfo":
        cursor.setScreen(message.width, message.height, message.scale);
        view.setScreen(message.width, message.height);
        break;
    case "takes":
        if (message.types?.includes?.("inputs")) numbered.begin();
        if (message.types?.includes?.("videoEnabled")) unseen.begin();
        if (message.types?.includes?.("quality")) quality.begin();
        if (message.types?.includes?.("keepsCursors")) {
            cursor.forget();
            tell({type: "keepsCursors"});
        }
        showSettings();
        break;
    case "inputsDone": numbered.done(message); break;
    case "audioSources": sound.offered(message); break;
    case "inputRate": input.rate = message.perSecond; break;
    case "cursorPos": cursor.moved(message); break;
    case "cursorShape": cursor.shape(message); break;
    case "cursorAgain": cursor.again(message); break;
    case "control":
        // What was down here is not down there any more.
        if (message.state !== "yours" && message.state !== "free") letGo();
        if (message.state !== people.state && isOpen) announce(message.state);
        input.state = message.state;
        people.control(message);
        choosePointer();
        if (!hint.isShown) hintOnce();
        break;
    case "controlRequested": people.requested(message); break;
    case "viewers": people.viewers(message); break;
    case "monitors":
        showMonitors(find("monitors-button"), find("monitors-list"), message, (id) => {
            if (input.isAllowed) tell({type: "selectMonitor", id});
            else note.say(people.refusal);
        });
        break;
    case "error": note.say(fill(words.notes.notTaken, {why: message.message ?? words.notes.noReason})); break;
    }
}

function announce(state) {
    if (state === "yours" && people.state === "taken") note.say(words.notes.youDrive);
    if (state === "taken" && people.state === "yours") note.say(words.notes.anotherDrives);
}

// Sound

/** Decoders that wait for a track, and those that have a receiver. */
const decoders = [], standing = new WeakMap();

/** The browser alone can make the picture wait for the sound that belongs to it: then there is nothing to decode here. */
async function askForSound(count, isInStep) {
    const {session} = client;
    while (!isInStep && canPlayLive() && decoders.length < count) decoders.push(new SoundDecoder());
    await Promise.all(decoders.map(({ready}) => ready));
    session?.askForSound(count, isInStep);
}

function decode(receiver, isInStep) {
    const at = isInStep ? -1 : decoders.findIndex(({isReady}) => isReady);
    if (at < 0) return;
    const [decoder] = decoders.splice(at, 1);
    decoder.stand(receiver);
    standing.set(receiver, decoder);
}

function player(track, receiver) {
    const element = new Audio(), decoder = standing.get(receiver);
    element.srcObject = new MediaStream([track]);
    return decoder ? new LiveSound(element, receiver, decoder) : element;
}

function showSound() {
    const {state, wish} = sound, button = find("sound-button"), isOn = state === "on";
    button.hidden = state === "none";
    button.classList.toggle("is-asking", state === "blocked");
    button.setAttribute("aria-pressed", String(isOn));
    button.setAttribute("aria-label", state === "blocked" ? words.sound.blockedLabel : words.sound.label);
    button.title = {on: words.sound.mute, muted: words.sound.hear}[state] ?? words.sound.click;
    find("sound-icon").setAttribute("href", isOn ? "#icon-sound" : "#icon-silent");
    find("sound-text").hidden = state !== "blocked";
    find("volume-row").hidden = state === "none" || !hasVolume;
    find("volume").value = Math.round(wish.volume * 100);
    find("more-step").hidden = state === "none";
    press("more-step", wish.isInStep);
}

/** Phones whose own keys alone say how loud it is take no other number. */
const hasVolume = (() => {
    const element = new Audio();
    element.volume = 0.5;
    return element.volume === 0.5;
})();

/** Milliseconds in which the keys that let the browser play are the same wish as the last of them. */
const WAKING = 1000;
let wokenAt = -Infinity;

function toggleSound() {
    if (sound.state === "blocked" || performance.now() - wokenAt < WAKING) sound.touched();
    else if (sound.state !== "none") changeSound({sound: !sound.wish.isOn}, {isOn: !sound.wish.isOn});
}

function changeSound(changes, wish) {
    change(changes);
    sound.want(wish);
}

// Whatever the person does first lets the browser play; what the button is pressed for it does itself.
for (const type of ["pointerup", "keydown", "touchend"]) {
    window.addEventListener(type, ({target}) => {
        if (sound.state !== "blocked" || find("sound-button").contains(target)) return;
        wokenAt = performance.now();
        sound.touched();
    }, {capture: true, passive: true});
}

// The clipboard

function showClipboard() {
    const button = find("copy-button"), {label} = clipboard, isNew = button.hidden && label !== "";
    button.hidden = label === "";
    button.title = label;
    button.setAttribute("aria-label", label);
    find("copy-text").textContent = label;
    find("more-clipboard").hidden = !clipboard.isThere;
    // Where it is hidden, nobody would know.
    if (isNew && isOpen) bar.show(NEWS_PATIENCE);
}

// Files

function showFiles() {
    find("more-send").hidden = !files.isThere;
    find("more-folder").hidden = !files.isThere || !("webkitdirectory" in find("folder-input"));
}

function choose(id) {
    bar.hide();
    // What is down would not go up while the browser asks.
    letGo();
    find(id).click();
}

// Input

function used(what) {
    if (what !== kind) {
        kind = what;
        choosePointer();
        hintOnce();
    }
}

/** Whether a mouse, a pen or a finger was used since keys last went through the page. */
let hasPointed = false;

/** Keys go to the host from now on. Who came here by keys alone sees that, and is told the way back. */
function focusStage() {
    typing.focus(kind);
    if (kind === "touch") return;
    stage.classList.toggle("is-entered", !hasPointed);
    // What was just said is not to go unread: this comes the next time then.
    if (note.isShown || settings.hasSeenWayOut) return;
    note.hint(words.notes.wayOut);
    change({hasSeenWayOut: true});
}
stage.addEventListener("keydown", () => note.typed(), {capture: true, passive: true});

for (const type of ["pointerdown", "pointermove"]) {
    window.addEventListener(type, () => {
        if (hasPointed) return;
        hasPointed = true;
        stage.classList.remove("is-entered");
    }, {capture: true, passive: true});
}
window.addEventListener("keydown", ({target}) => {
    if (!stage.contains(target)) hasPointed = false;
}, {capture: true, passive: true});

/** A mouse that drives has its own cursor; otherwise the host's pointer is shown where it is. */
function choosePointer() { cursor.isLocal = kind === "touch" || pointer.isLocked || !input.isAllowed; }

stage.addEventListener("pointerdown", (event) => {
    // Who acts in vain has just been told why.
    if (input.isAllowed) note.hide();
    bar.hide();
    typing.focus(kind);
    typing.tellLocks(event);
});

/** Nothing is down any more, here or there. */
function letGo() {
    touch.reset();
    pointer.forget();
    typing.forget();
    keys.update();
    input.releaseAll();
}

window.addEventListener("blur", letGo);
stage.addEventListener("focusout", ({relatedTarget}) => {
    if (stage.contains(relatedTarget)) return;
    stage.classList.remove("is-entered");
    letGo();
});
document.addEventListener("visibilitychange", () => {
    unseen.changed();
    if (document.hidden) return letGo();
    if (isOpen) awake.hold();
    // Phones stop the picture of a page that is not seen.
    if (video.paused) playing.again();
    client.hurry();
});
window.addEventListener("online", () => client.hurry());
const departure = new Departure(window, () => isOpen && people.state === "yours");
window.addEventListener("pagehide", () => {
    letGo();
    client.depart();
    keep.leave();
});
setInterval(() => keep.sign(), SIGN_INTERVAL);
// Out of the browser's memory of pages: without its session it is nothing.
window.addEventListener("pageshow", ({persisted}) => { if (persisted) location.reload(); });
setInterval(() => input.tick(), ALIVE_INTERVAL);
// Keys of a bar or panel that has gone go to the host again.
bar.dismissed = focusStage;

/** Control, Alt, Shift and a key. */
function command(code) {
    const act = {
        KeyF: toggleFullScreen, KeyS: toggleStatistics, KeyZ: nextSize, KeyK: toggleKeys,
        KeyA: toggleSound,
        KeyM: () => pointer.toggleLock(), KeyH: () => bar.enter(), KeyQ: () => client.leave(),
    }[code];
    if (!act) return false;
    // The host has seen the three go down.
    letGo();
    act();
    return true;
}

// The bar

bar.addPanel(find("people-button"), find("people"));
bar.addPanel(find("monitors-button"), find("monitors"));
bar.addPanel(find("size-button"), find("size"), showSettings);
bar.addPanel(find("more-button"), find("more"), showSettings);

const press = (id, isPressed) => find(id).setAttribute("aria-pressed", String(isPressed));
const click = (id, act) => find(id).addEventListener("click", act);

const SIZES = ["fit", "fill", "actual"];
/** How much larger each press of "Larger" makes the view. */
const ZOOM_STEP = 1.25;

function nextSize() { change({size: SIZES[(SIZES.indexOf(settings.size) + 1) % SIZES.length]}); }

find("size").addEventListener("change", ({target: {name, value}}) => {
    if (name === "scale") change({size: value});
    else change({quality: value});
});
click("zoom-in", () => view.zoomBy(ZOOM_STEP));
click("zoom-out", () => view.zoomBy(1 / ZOOM_STEP));

// What lets this tab back in goes along: the page by HTTPS knows nothing of this one.
for (const id of ["secure-button", "more-secure"]) {
    click(id, () => departure.go(() => location.assign(secureAddress(location.href, keep.ticket))));
}

click("sound-button", toggleSound);
click("keys-button", toggleKeys);
for (const id of ["statistics-button", "more-statistics"]) click(id, toggleStatistics);
for (const id of ["full-button", "more-full"]) click(id, toggleFullScreen);
click("more-lock", () => {
    bar.hide();
    typing.focus(kind);
    pointer.toggleLock();
});
click("more-place", () => {
    // What is down would go up as another key.
    letGo();
    change({keys: settings.keys === "place" ? "character" : "place"});
    note.say(settings.keys === "place" ? words.notes.keysByPlace : words.notes.keysByCharacter);
});
click("more-exchange", () => {
    // What is down would go up as another key.
    letGo();
    change({exchangesCommand: !settings.exchangesCommand});
});
click("more-clipboard", () => {
    change({sharesClipboard: settings.sharesClipboard === false});
    clipboard.isShared = settings.sharesClipboard;
});
click("copy-button", () => clipboard.copy());
click("more-send", () => choose("files-input"));
click("more-folder", () => choose("folder-input"));
click("more-direct", () => {
    change({directTouch: !settings.directTouch});
    if (hint.isShown) hint.show(touch.isDirect);
});
click("more-hint", () => {
    bar.hide();
    hint.show(touch.isDirect);
});
click("more-natural", () => change({naturalScrolling: !settings.naturalScrolling}));
click("more-step", () => changeSound({inStep: !sound.wish.isInStep}, {isInStep: !sound.wish.isInStep}));
find("volume").addEventListener("input", ({target}) => sound.want({volume: target.value / 100}, false));
find("volume").addEventListener("change", ({target}) => {
    changeSound({volume: target.value / 100}, {volume: target.value / 100});
});
click("more-leave", () => client.leave());
click("more-forget", () => {
    keep.forgetAll();
    files.peer = null;
    client.leave();
    note.say(words.notes.forgotten);
});

function toggleKeys() {
    if (keys.isShown) keys.hide();
    else {
        // Both are not for one phone.
        hint.close();
        keys.show(kind === "touch");
        if (kind === "touch") typing.showTouchKeyboard();
    }
    afterKeys();
}

function afterKeys() {
    find("keys-button").setAttribute("aria-expanded", String(keys.isShown));
    view.covered = keys.height;
}

function toggleStatistics() {
    statistics.toggle();
    find("statistics-button").setAttribute("aria-expanded", String(statistics.isShown));
    press("more-statistics", statistics.isShown);
}

async function toggleFullScreen() {
    try {
        if (document.fullscreenElement) await document.exitFullscreen();
        else {
            await document.documentElement.requestFullscreen({navigationUI: "hide"});
            // Then even Escape and Alt+Tab are the host's, where the browser gives them; holding Escape leaves.
            await navigator.keyboard?.lock?.();
        }
    } catch {
        note.say(words.notes.noFullScreen);
    }
    typing.focus(kind);
}

document.addEventListener("fullscreenchange", () => {
    const isFull = document.fullscreenElement !== null;
    if (!isFull) navigator.keyboard?.unlock?.();
    press("full-button", isFull);
    press("more-full", isFull);
});

function change(changes) {
    Object.assign(settings, changes);
    keep.settings = settings;
    apply();
}

function apply() {
    if (!SIZES.includes(settings.size)) settings.size = "fit";
    if (view.sizing !== settings.size) view.sizing = settings.size;
    quality.choice = settings.quality;
    typing.keyboard.byCharacter = settings.keys !== "place";
    typing.keyboard.exchangesCommand = settings.exchangesCommand === true;
    touch.naturalScrolling = settings.naturalScrolling;
    touch.isDirect = settings.directTouch === true;
    showSettings();
}

function showSettings() {
    const chosen = {scale: settings.size, quality: quality.choice};
    for (const input of find("size").querySelectorAll("input")) input.checked = input.value === chosen[input.name];
    find("quality").hidden = !quality.isOffered;
    press("more-place", settings.keys === "place");
    press("more-exchange", settings.exchangesCommand === true);
    press("more-direct", settings.directTouch === true);
    press("more-clipboard", settings.sharesClipboard !== false);
    press("more-natural", settings.naturalScrolling);
    press("more-lock", pointer.isLocked);
    find("more-lock").hidden = kind === "touch" || !stage.requestPointerLock;
    find("more-full").hidden = find("full-button").hidden = !document.fullscreenEnabled;
    for (const id of ["more-direct", "more-hint", "more-natural"]) find(id).hidden = kind !== "touch";
}

/** Reading the property alone throws where the browser forbids storage. */
function storage(name) {
    try {
        return window[name];
    } catch {
        return null;
    }
}

find("pair-kept").hidden = !keep.keepsPairings;
find("pair-visit").hidden = keep.keepsPairings;
apply();
choosePointer();
client.begin(secretOf(fragment) ?? ticketOf(fragment), fragment !== "");
// A link that is pasted into the address bar of this very page. A site that has opened the page may change it too, and is not
// to end a session by that.
window.addEventListener("hashchange", () => {
    const pasted = takeFragment();
    if (pasted && !isOpen) client.begin(secretOf(pasted) ?? ticketOf(pasted), true);
});
