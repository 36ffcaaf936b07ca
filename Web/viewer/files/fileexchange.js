// One end of a file exchange over the data channel `transfer`: sends batches of files and folders, and receives batches of the
// other end. Uses no DOM, clock or timers, like HelioTransfer's FileExchange, the host's end.
//
// The exchange outlives its channel: when the channel is lost, a batch resumes on the next channel at the receiver's position.
// One batch at a time is sent in each direction. The bytes in flight and all queues are bounded. A file gets its name when it
// is complete and its SHA-256 matches the sender's.

import {SETTINGS} from "./filecounts.js";
import {parseFile, serialiseFile, sizeOfFile} from "./filemessage.js";
import {FileReceiver} from "./filereceiver.js";
import {FileSender} from "./filesender.js";

/** The types of messages that senders send. */
const OF_SENDERS = new Set(["offer", "entry", "begin", "data", "end", "skip", "withdraw"]);

/**
 * Commands for the disk. A job's commands are executed in order; its last one is `close`, `finish` or `discard`. The replies:
 * `openSource`: `opened` with the file's size; `read`: `read`; `measure`: `space`; `create`: `opened`; `makeFolder`:
 * `finished`; `write`: `wrote`, where a write at offset 0 first discards all content; `finish`: `finished`. A failed command is
 * answered by `failed`. `close`, `discard` and `forget` have no reply.
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
 * `ask`: the user has to be asked; `unask`: the question is obsolete. `file`: a file has arrived or failed. `over`: a batch
 * has ended; `reason` is `null` if every file was tried, `isPeers` is true if the other end gave the reason.
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
    /** The time of the last call that passed one, for `poll`. */
    #now;

    /**
     * @param {"never" | "ask" | "always"} permission the permission for files of the other end
     * @param {import("./filecounts.js").FileCounts} counts @param {number} now in milliseconds
     */
    constructor(permission, counts, now, settings = {}) {
        this.#settings = {...SETTINGS, ...settings};
        this.#counts = counts;
        this.#now = this.#nextProgress = now;
        this.#sender = new FileSender(this.#settings, counts, now);
        this.#receiver = new FileReceiver(permission, this.#settings, counts, now);
    }

    /** The number of file bytes held in memory. */
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
            // The loss of the previous channel was not reported.
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
     * Handles expired deadlines.
     * @param {number} now
     */
    tick(now) {
        this.#now = now;
        this.#sender.tick(now);
        this.#receiver.tick(now);
        if (this.#isUnderWay && now >= this.#nextProgress) this.#tellProgress();
    }

    /**
     * Returns the next output, with outputs for the page before messages to the other end, which the channel's free space
     * limits.
     * @returns {?Output}
     */
    poll() {
        const output = this.#nextOutput();
        if (output) return output;
        const message = this.#receiver.nextMessage(this.#room, this.#now)
            ?? this.#sender.nextMessage(this.#room, this.#now);
        // `nextMessage` may have queued a disk command.
        if (!message) return this.#nextOutput();
        this.#room -= sizeOfFile(message);
        return {type: "send", bytes: serialiseFile(message)};
    }

    /** The time of the next necessary call of `tick`; `null` for none. */
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
        // The sender's jobs have odd numbers, the receiver's jobs even numbers.
        (reply.job % 2 ? this.#sender : this.#receiver).tookDisk(reply, this.#now);
    }
}
