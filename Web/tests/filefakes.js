// Files, a disk that answers at once, and two ends of an exchange on virtual time with a channel that can be cut.

import {FileCounts} from "../viewer/files/filecounts.js";
import {FileExchange} from "../viewer/files/fileexchange.js";
import {parseFile} from "../viewer/files/filemessage.js";

/** The content of a file: different sizes or seeds have different beginnings. */
export function bytesOf(size, seed = 1) {
    let state = seed * 2654435761 >>> 0;
    return Uint8Array.from({length: size}, () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state >>> 24;
    });
}

export const entryOf = (path, content, modified = 1000) =>
    ({path: path.split("/"), isFolder: content === null, size: content?.length ?? 0, modified});

/** A disk in memory. `fails` is called before each command, and returns a reason of failure, or "silent". */
export class FakeDisk {
    sources = new Map();
    /** The files by path; `null` is a folder. */
    files = new Map();
    space = 1e15;
    fails = () => null;
    #parts = new Map();

    get partCount() { return this.#parts.size; }

    perform(command) {
        const {type, job, batch, index, offset, count, path, bytes} = command, failure = this.fails(command);
        if (failure === "silent") return null;
        if (failure) return type === "measure" ? {type: "space", batch, space: null} : {type: "failed", job, reason: failure};
        switch (type) {
        case "measure": return {type: "space", batch, space: this.space};
        case "openSource":
            this.#parts.set(job, {content: this.sources.get(batch)[index]});
            return {type: "opened", job, bytes: this.#parts.get(job).content.length};
        case "read": return {type: "read", job, bytes: this.#parts.get(job).content.slice(offset, offset + count)};
        case "create":
            this.#parts.set(job, {path: path.join("/"), pieces: [], size: 0});
            return {type: "opened", job, bytes: 0};
        case "makeFolder":
            this.files.set(path.join("/"), null);
            return {type: "finished", job, name: path.join("/")};
        case "write": {
            const part = this.#parts.get(job);
            if (!part) return null;
            if (offset === 0) Object.assign(part, {pieces: [], size: 0});
            if (offset !== part.size) throw new Error("a gap");
            part.pieces.push(bytes.slice());
            part.size += bytes.length;
            return {type: "wrote", job};
        }
        case "finish": {
            const part = this.#parts.get(job);
            if (this.files.has(part.path)) throw new Error(`${part.path} came twice`);
            this.files.set(part.path, new Uint8Array(Buffer.concat(part.pieces)));
            this.#parts.delete(job);
            return {type: "finished", job, name: part.path};
        }
        default:
            this.#parts.delete(job);
            return null;
        }
    }
}

/** One end: its exchange, its disk, and its messages. */
export class FileEnd {
    counts = new FileCounts();
    disk = new FakeDisk();
    room = 32 * 1024;
    /** The user's immediate answer; `null` for none. */
    consent = true;
    sent = [];
    questions = [];
    open = new Set();
    files = [];
    overs = [];
    progress = [];
    mostBuffered = 0;

    constructor({permission = "ask", settings = {}, now = 0} = {}) {
        this.now = now;
        this.exchange = new FileExchange(permission, this.counts, now, settings);
    }

    /** @param {Record<string, Uint8Array | null>} contents by path; `null`: a folder */
    send(batch, contents) {
        const all = Object.entries(contents);
        this.disk.sources.set(batch, all.map(([, content]) => content));
        this.handle({type: "send", batch, entries: all.map(([path, content]) => entryOf(path, content))});
    }

    handle(input) {
        this.exchange.handle(input, this.now);
        this.drain();
    }

    pass(time) {
        this.now += time;
        this.exchange.tick(this.now);
        this.drain();
    }

    drain() {
        let room = this.room;
        this.exchange.handle({type: "room", bytes: room}, this.now);
        for (let output; (output = this.exchange.poll()); ) {
            switch (output.type) {
            case "send":
                room -= output.bytes.length;
                if (room < 0) throw new Error("more than there is room for");
                this.room = room;
                this.sent.push(output.bytes);
                break;
            case "disk": {
                const reply = this.disk.perform(output.command);
                if (reply) this.exchange.handle({type: "disk", reply}, this.now);
                break;
            }
            case "ask":
                this.questions.push(output);
                this.open.add(output.batch);
                if (this.consent !== null) this.answer(output.batch, this.consent);
                break;
            case "unask": this.open.delete(output.batch); break;
            case "progress": this.progress.push(output.progress); break;
            case "file": this.files.push(output); break;
            case "over": this.overs.push(output); break;
            }
            this.mostBuffered = Math.max(this.mostBuffered, this.exchange.bufferedBytes);
        }
    }

    answer(batch, accepts) {
        this.open.delete(batch);
        this.exchange.handle({type: "answer", batch, accepts}, this.now);
    }

    /** Returns and clears the messages sent so far, parsed. */
    take() {
        this.room = 32 * 1024;
        return this.sent.splice(0).map((bytes) => parseFile(bytes));
    }

    over(batch) { return this.overs.findLast((over) => over.batch === batch); }
}

/** Two ends, and the channel between them. */
export class FilePair {
    now = 0;
    bytes = 0;

    constructor({sender = {}, receiver = {}} = {}) {
        this.sender = new FileEnd(sender);
        this.receiver = new FileEnd(receiver);
        this.open();
    }

    get ends() { return [this.sender, this.receiver]; }

    open() { for (const end of this.ends) end.handle({type: "opened"}); }

    cut() {
        for (const end of this.ends) {
            end.sent = [];
            end.room = 32 * 1024;
            end.handle({type: "closed"});
            end.sent = [];
        }
    }

    /** Advances by 10 ms, in each direction. */
    step(time = 10) {
        const ways = this.ends.map((end) => {
            end.room = 32 * 1024;
            return end.sent.splice(0);
        });
        for (const end of this.ends) end.pass(time);
        ways.forEach((messages, index) => {
            for (const bytes of messages) {
                this.bytes += bytes.length;
                this.ends[1 - index].handle({type: "received", bytes: bytes.slice()});
            }
        });
        for (const end of this.ends) end.drain();
    }

    /** @param {() => boolean} isDone @returns {number} steps */
    run(isDone, most = 20_000) {
        for (let steps = 0; steps < most; steps++) {
            if (isDone()) return steps;
            this.step();
        }
        throw new Error("it does not end");
    }

    isOver(batch) { return this.ends.every((end) => end.over(batch)); }
}
