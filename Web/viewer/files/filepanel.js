// What is sent and received, a row for each batch, and the question whether files of the host are wanted.

import {sizeText, timeText} from "../language/amounts.js";
import {fill, reasonText, words} from "../language/language.js";

/** Milliseconds that a row stays after all went well, and rows of what is over that stay until they are closed. */
const PATIENCE = 6000, MOST_OVER = 8;

export class FilePanel {
    #elements;
    #act;
    /** @type {Map<bigint, Row>} */
    #rows = new Map();
    /**
     * The batch that the person is asked about.
     * @type {any}
     */
    #asked = null;

    /**
     * @param {Record<string, HTMLElement>} elements box, list, said, offer, offerText, offerYes, offerNo
     * @param {object} act
     * @param {(batch: bigint) => void} act.cancel
     * @param {(question: object) => void} act.accept the press may open a dialogue of the browser's
     * @param {(question: object) => void} act.decline
     * @param {() => void} act.left the person is done here: keys go to the host again
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
     * A person is asked.
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
     * A batch is on its way, or waits to be.
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
        // A line ends between them.
        row.say(parts.map((part) => (part === files.interrupted ? part : part.replaceAll(" ", "\u00a0"))).join(" · "));
        if (isInterrupted && !row.isInterrupted) this.#say(`${row.label}: ${files.interrupted}`);
        row.isInterrupted = isInterrupted;
    }

    /**
     * One of a batch did not come: the first reason is told at the end.
     * @param {bigint} batch
     * @param {string} reason
     */
    failed(batch, reason) {
        const row = this.#rows.get(batch);
        if (row) row.failure ??= reason;
    }

    /**
     * A batch is over.
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
        // What has the focus is not to go from under the person.
        if (row.element.contains(document.activeElement)) this.#act.left();
        this.#rows.delete(id);
        const rows = [...this.#rows.values()].map(({element}) => element);
        this.#elements.list.replaceChildren(...rows);
        this.#elements.box.hidden = !rows.length;
    }

    /**
     * To who does not see it: at the beginning, at the end, and where it halts.
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
