// The panel with a row for each batch that is sent or received, and the question whether to accept the host's files.

import {sizeText, timeText} from "../language/amounts.js";
import {fill, reasonText, words} from "../language/language.js";

/**
 * The time in milliseconds for which the row of a successful batch is kept, and the maximum number of rows of ended batches.
 */
const PATIENCE = 6000, MOST_OVER = 8;

export class FilePanel {
    #elements;
    #act;
    /** @type {Map<bigint, Row>} */
    #rows = new Map();
    /**
     * The question that is shown; `null` for none.
     * @type {any}
     */
    #asked = null;

    /**
     * @param {Record<string, HTMLElement>} elements box, list, said, offer, offerText, offerYes, offerNo
     * @param {object} act
     * @param {(batch: bigint) => void} act.cancel
     * @param {(question: object) => void} act.accept called within the press, so that it may open a browser dialog
     * @param {(question: object) => void} act.decline
     * @param {() => void} act.left called when the panel gives up focus: keys are sent to the host again
     */
    constructor(elements, act) {
        this.#elements = elements;
        this.#act = act;
        elements.offerYes.onclick = () => this.#asked && act.accept(this.#asked);
        elements.offerNo.onclick = () => this.#asked && act.decline(this.#asked);
        for (const part of [elements.box, elements.offer]) {
            part.addEventListener("keydown", ({key}) => { if (key === "Escape") act.left(); });
        }
    }

    /**
     * Asks the user whether to accept a batch.
     * @param {any} question
     */
    ask(question) {
        const {offer, offerText} = this.#elements, {name, count, bytes} = question, {files} = words;
        this.#asked = question;
        offerText.textContent = fill(count > 1 ? files.askMany : files.askOne, {name, count, size: sizeText(bytes)});
        offer.hidden = false;
    }

    unask() {
        this.#asked = null;
        this.#elements.offer.hidden = true;
    }

    /**
     * Adds a row for a batch in progress or waiting.
     * @param {bigint} id @param {{isSending: boolean, name: string, count: number}} batch
     */
    add(id, {isSending, name, count}) {
        const title = count > 1 ? fill(words.files.many, {name, count}) : name;
        const row = new Row(fill(isSending ? words.files.sending : words.files.receiving, {name: title}), {
            cancel: () => this.#act.cancel(id), close: () => this.#remove(id), left: () => this.#act.left(),
        });
        row.isSending = isSending;
        row.title = title;
        row.say(isSending ? words.files.waiting : words.files.coming);
        this.#rows.set(id, row);
        this.#elements.list.append(row.element);
        this.#elements.box.hidden = false;
        this.#say(row.label);
    }

    /** @param {import("./filecounts.js").FileProgress} progress */
    progress({batch, index, count, bytes, totalBytes, rate, timeLeft, isInterrupted}) {
        const row = this.#rows.get(batch), {files} = words;
        if (!row) return;
        const parts = [fill(files.amount, {bytes: sizeText(bytes), total: sizeText(totalBytes)})];
        if (count > 1) parts.push(fill(files.number, {index, count}));
        if (isInterrupted) parts.push(files.interrupted);
        else if (rate) parts.push(fill(files.rate, {rate: sizeText(Math.round(rate))}));
        if (!isInterrupted && timeLeft !== null) parts.push(fill(files.left, {time: timeText(timeLeft)}));
        row.done = totalBytes ? bytes / totalBytes : (index - 1) / count;
        // Allow line breaks between the parts only.
        row.say(parts.map((part) => (part === files.interrupted ? part : part.replaceAll(" ", "\u00a0"))).join(" · "));
        if (isInterrupted && !row.isInterrupted) this.#say(`${row.label}: ${files.interrupted}`);
        row.isInterrupted = isInterrupted;
    }

    /**
     * Handles a failed file of a batch. The first reason is shown at the end.
     * @param {bigint} batch
     * @param {string} reason
     */
    failed(batch, reason) {
        const row = this.#rows.get(batch);
        if (row) row.failure ??= reason;
    }

    /**
     * Handles the end of a batch.
     * @param {import("./fileexchange.js").Output & {type: "over"}} output
     */
    over({batch, arrived, failed, reason}) {
        const row = this.#rows.get(batch), {files} = words;
        if (!row) return;
        const isWhole = !reason && !failed, why = reasonText(reason ?? row.failure);
        let text = row.isSending ? files.sent : files.received;
        if (reason) text = `${arrived ? fill(files.some, {arrived}) : row.isSending ? files.notSent : files.notReceived} ${why}`;
        else if (failed) text = `${fill(files.someFailed, {arrived, failed})} ${why}`;
        if (isWhole) row.done = 1;
        row.end(row.title, text, isWhole);
        this.#say(`${row.title}: ${text}`);
        if (isWhole) setTimeout(() => this.#remove(batch), PATIENCE);
        const over = [...this.#rows].filter(([, {isOver}]) => isOver);
        for (const [id] of over.slice(0, Math.max(0, over.length - MOST_OVER))) this.#remove(id);
    }

    /** @param {bigint} id */
    #remove(id) {
        const row = this.#rows.get(id);
        if (!row) return;
        // Move the focus away before its element is removed.
        if (row.element.contains(document.activeElement)) this.#act.left();
        this.#rows.delete(id);
        const rows = [...this.#rows.values()].map(({element}) => element);
        this.#elements.list.replaceChildren(...rows);
        this.#elements.box.hidden = !rows.length;
    }

    /**
     * Announces a text to screen readers: the beginning, the end and interruptions of a batch.
     * @param {string} text
     */
    #say(text) { this.#elements.said.textContent = text; }
}

class Row {
    isSending = true;
    isInterrupted = false;
    isOver = false;
    title = "";
    /** @type {string | null} */
    failure = null;
    element = document.createElement("li");
    #name = document.createElement("p");
    #bar = document.createElement("div");
    #done = document.createElement("span");
    #text = document.createElement("p");
    #button = document.createElement("button");

    /** @param {string} label @param {{close: () => void, cancel: () => void, left: () => void}} act */
    constructor(label, act) {
        this.label = label;
        this.#name.className = "name";
        this.#name.textContent = this.#name.title = label;
        this.#text.className = "hint";
        this.#bar.className = "bar";
        for (const [attribute, value] of [
            ["role", "progressbar"], ["aria-label", label], ["aria-valuemin", "0"], ["aria-valuemax", "100"],
        ]) this.#bar.setAttribute(attribute, value);
        this.#bar.append(this.#done);
        this.#button.type = "button";
        this.#label(words.files.cancel);
        this.#button.onclick = () => {
            (this.isOver ? act.close : act.cancel)();
            act.left();
        };
        this.element.append(this.#name, this.#button, this.#bar, this.#text);
        this.done = 0;
    }

    /** @param {number} part from 0 to 1 */
    set done(part) {
        const percent = Math.floor(Math.min(1, part) * 100);
        this.#bar.setAttribute("aria-valuenow", String(percent));
        this.#done.style.width = `${percent}%`;
    }

    /** @param {string} text */
    say(text) {
        this.#text.textContent = text;
        this.#bar.setAttribute("aria-valuetext", text);
    }

    /** @param {string} name @param {string} text @param {boolean} isWhole */
    end(name, text, isWhole) {
        this.isOver = true;
        this.label = this.#name.textContent = name;
        this.#bar.setAttribute("aria-label", name);
        this.say(text);
        this.element.className = isWhole ? "is-whole" : "is-failed";
        this.#label(words.files.close);
    }

    /** @param {string} word */
    #label(word) {
        this.#button.textContent = word;
        this.#button.setAttribute("aria-label", `${word}: ${this.label}`);
    }
}
