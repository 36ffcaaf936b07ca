// One end of an exchange of files over the data channel `transfer`: sends batches of files and folders, and takes those
// of the other end. No DOM, no clock, no timers: as HelioTransfer's FileExchange is, which is the host's end.
//
// It outlives the channel: where that is cut, a batch goes on with the next one from where the receiver stands. One batch
// at a time goes each way. What is on its way without being written has a bound, and so has all that waits; a file gets
// its name when it is whole and its SHA-256 is the sender's.

import {SETTINGS} from "./filecounts.js";
import {parseFile, serialiseFile, sizeOfFile} from "./filemessage.js";
import {FileReceiver} from "./filereceiver.js";
import {FileSender} from "./filesender.js";

/** What a sender says. */
const OF_SENDERS = new Set(["offer", "entry", "begin", "data", "end", "skip", "withdraw"]);

/**
 * What the disk is asked. Of one job the commands are carried out in their order; it ends with `close`, `finish` or
 * `discard`. `openSource`, answered by `opened` with its size; `read`, by `read`; `measure`, by `space`; `create`, by
 * `opened`; `makeFolder`, by `finished`; `write`, by `wrote`, where at offset 0 all that was there before goes; `finish`, by
 * `finished`. Where one fails, `failed` is the answer. `close`, `discard` and `forget` have none.
 * @typedef {{type: "measure", batch: bigint, count: number, size: number} | {type: "forget", batch: bigint}
 *   | {type: "openSource", job: number, batch: bigint, index: number}
 *   | {type: "create", job: number, batch: bigint, path: string[], size: number, modified: number}
 *   | {type: "makeFolder", job: number, batch: bigint, path: string[]}
 *   | {type: "close", job: number} | {type: "discard", job: number} | {type: "finish", job: number}
 *   | {type: "read", job: number, offset: number, count: number}
 *   | {type: "write", job: number, offset: number, bytes: Uint8Array}} DiskCommand
 *
 * @typedef {{type: "opened", job: number, bytes: number} | {type: "read", job: number, bytes: Uint8Array}
 *   | {type: "wrote", job: number} | {type: "finished", job: number, name: string}
 *   | {type: "failed", job: number, reason: string} | {type: "space", batch: bigint, space: number | null}} DiskReply
 *
 * @typedef {{type: "send", batch: bigint, entries: import("./filemessage.js").FileEntry[]}
 *   | {type: "cancel", batch: bigint} | {type: "answer", batch: bigint, accepts: boolean}
 *   | {type: "permission", permission: "never" | "ask" | "always"} | {type: "opened"} | {type: "closed"}
 *   | {type: "received", bytes: Uint8Array} | {type: "room", bytes: number} | {type: "disk", reply: DiskReply}} Input
 *
 * `ask`: a person is to be asked; `unask`: not any more. `file`: one has arrived, or failed. `over`: a batch is; `isPeers`:
 * the other end gave the reason, `null`: all was tried.
 * @typedef {{type: "send", bytes: Uint8Array} | {type: "disk", command: DiskCommand}
 *   | {type: "ask", batch: bigint, name: string, count: number, bytes: number} | {type: "unask", batch: bigint}
 *   | {type: "progress", progress: import("./filecounts.js").FileProgress}
 *   | {type: "file", batch: bigint, direction: string, index: number, name: string, failure: string | null}
 *   | {type: "over", batch: bigint, direction: string, arrived: number, failed: number, reason: string | null,
 *   isPeers: boolean}} Output
 */
export class FileExchange {
    #settings;
    #counts;
    #sender;
    #receiver;
    /** @type {Output[]} */
    #outputs = [];
    #isConnected = false;
    #room = 0;
    #nextProgress;
    /** The newest instant that is known: `poll` has none of its own. */
    #now;

    /**
     * @param {"never" | "ask" | "always"} permission whether files of the other end are taken
     * @param {import("./filecounts.js").FileCounts} counts @param {number} now in milliseconds
     */
    constructor(permission, counts, now, settings = {}) {
        this.#settings = {...SETTINGS, ...settings};
        this.#counts = counts;
        this.#now = this.#nextProgress = now;
        this.#sender = new FileSender(this.#settings, counts, now);
        this.#receiver = new FileReceiver(permission, this.#settings, counts, now);
    }

    /** The bytes of files that are held. */
    get bufferedBytes() { return this.#sender.bufferedBytes + this.#receiver.bufferedBytes; }

    /** @param {Input} input @param {number} now */
    handle(input, now) {
        this.#now = now;
        switch (input.type) {
        case "send": this.#sender.send(input.batch, input.entries, now); break;
        case "cancel":
            if (!this.#sender.cancel(input.batch)) this.#receiver.cancel(input.batch);
            break;
        case "answer": this.#receiver.answer(input.batch, input.accepts, now); break;
        case "permission": this.#receiver.permission = input.permission; break;
        case "opened":
            // One that was not said to be cut.
            if (this.#isConnected) this.#close();
            this.#isConnected = true;
            this.#room = 0;
            this.#sender.opened(now);
            this.#receiver.opened(now);
            break;
        case "closed":
            if (this.#isConnected) this.#close();
            break;
        case "received": this.#received(input.bytes); break;
        case "room": this.#room = Math.min(Math.max(0, input.bytes), this.#settings.queue); break;
        case "disk": this.#tookDisk(input.reply); break;
        }
    }

    /**
     * Does what is due.
     * @param {number} now
     */
    tick(now) {
        this.#now = now;
        this.#sender.tick(now);
        this.#receiver.tick(now);
        if (this.#isUnderWay && now >= this.#nextProgress) this.#tellProgress();
    }

    /**
     * What is for this page ahead of what is for the other end; that as far as the channel takes it.
     * @returns {?Output}
     */
    poll() {
        const output = this.#nextOutput();
        if (output) return output;
        const message = this.#receiver.nextMessage(this.#room, this.#now)
            ?? this.#sender.nextMessage(this.#room, this.#now);
        // Looking for one may have begun something at the disk.
        if (!message) return this.#nextOutput();
        this.#room -= sizeOfFile(message);
        return {type: "send", bytes: serialiseFile(message)};
    }

    /** When `tick` is next needed, or `null`. */
    get deadline() {
        const all = [this.#sender.deadline, this.#receiver.deadline].filter((each) => each !== null);
        if (this.#isUnderWay) all.push(this.#nextProgress);
        return all.length ? Math.min(...all) : null;
    }

    #nextOutput() {
        return [this.#outputs, this.#receiver.outputs, this.#sender.outputs].find(({length}) => length)?.shift() ?? null;
    }

    get #isUnderWay() { return this.#sender.isUnderWay || this.#receiver.isUnderWay; }

    #close() {
        this.#isConnected = false;
        this.#room = 0;
        this.#sender.closed(this.#now);
        this.#receiver.closed(this.#now);
        this.#tellProgress();
    }

    #tellProgress() {
        this.#nextProgress = this.#now + this.#settings.progressInterval;
        for (const end of [this.#sender, this.#receiver]) {
            const progress = end.progress(this.#now);
            if (progress) this.#outputs.push({type: "progress", progress});
        }
    }

    /** @param {Uint8Array} bytes */
    #received(bytes) {
        if (!this.#isConnected) return this.#counts.drop("file-no-channel");
        const message = parseFile(bytes);
        if (!message) return this.#counts.drop("file-malformed");
        (OF_SENDERS.has(message.type) ? this.#receiver : this.#sender).took(message, this.#now);
    }

    /** @param {DiskReply} reply */
    #tookDisk(reply) {
        if (reply.type === "space") return this.#receiver.tookSpace(reply.batch, reply.space, this.#now);
        // The sender's jobs have odd numbers, the receiver's even ones.
        (reply.job % 2 ? this.#sender : this.#receiver).tookDisk(reply, this.#now);
    }
}
