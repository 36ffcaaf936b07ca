// Sends batches of files, one after the other, like HelioTransfer's FileSender, the host's counterpart.

import {progressOf, RateMeter} from "./filecounts.js";
import {MOST_DATA, DATA_HEADER, RESUMABLE_SIZE, sizeOfFile} from "./filemessage.js";
import {OutgoingFile} from "./outgoingfile.js";

/** The minimum size of a piece in bytes, unless it is the last piece of a read. */
const LEAST_PIECE = 1024;

/**
 * `phase`: `waiting` to be offered, `offered`, or `underWay`. `isKnown`: true if the other end may know the batch. `next`: the
 * index of the current or next entry; `passedBytes`: the total size of the entries before it.
 * @typedef {{id: bigint, entries: import("./filemessage.js").FileEntry[], totalBytes: number, phase: string,
 *   isKnown: boolean, next: number, passedBytes: number, file: OutgoingFile | null, [member: string]: any}} OutgoingBatch
 */

export class FileSender {
    /** @type {import("./fileexchange.js").Output[]} */
    outputs = [];
    #settings;
    #counts;
    /**
     * The batches; the first is in progress, or is the next one.
     * @type {OutgoingBatch[]}
     */
    #batches = [];
    #isConnected = false;
    #lostChannel;
    /**
     * Messages that notify the other end of ended batches.
     * @type {import("./filemessage.js").FileMessage[]}
     */
    #withdrawals = [];
    /**
     * The time since which a disk command is pending.
     * @type {number | null}
     */
    #diskSince = null;
    #nextJob = 1;

    /**
     * @param {typeof import("./filecounts.js").SETTINGS} settings
     * @param {import("./filecounts.js").FileCounts} counts
     * @param {number} now
     */
    constructor(settings, counts, now) {
        this.#settings = settings;
        this.#counts = counts;
        this.#lostChannel = now;
    }

    get bufferedBytes() { return this.#batches[0]?.file?.bufferedBytes ?? 0; }

    // User actions

    /** @param {bigint} id @param {import("./filemessage.js").FileEntry[]} entries @param {number} now */
    send(id, entries, now) {
        const totalBytes = entries.reduce((sum, {size}) => sum + size, 0);
        const isNew = !this.#batches.some((batch) => batch.id === id);
        const fits = this.#batches.length < this.#settings.batches && entries.length > 0;
        if (!fits || !isNew || totalBytes > Number.MAX_SAFE_INTEGER) {
            const reason = fits && isNew ? "tooLarge" : "busy";
            this.outputs.push({
                type: "over", batch: id, direction: "sending", arrived: 0, failed: 0, reason, isPeers: false,
            });
            return;
        }
        this.#batches.push({
            id, entries, totalBytes, phase: "waiting",
            // True if the other end may know the batch.
            isKnown: false,
            // The index of the current or next entry, and the total size of the entries before it.
            next: 0, passedBytes: 0, file: null,
            // The number of entries with a verdict, and the number of these that failed.
            verdicts: 0, failed: 0,
            // The bytes sent, and the bytes permitted in total, on this channel.
            used: 0, credit: 0,
            lastProgress: now, meter: new RateMeter(),
        });
    }

    /**
     * Cancels a batch on the user's request.
     * @param {bigint} id
     * @returns {boolean} false if there is no such batch
     */
    cancel(id) {
        const batch = this.#batches.find((each) => each.id === id);
        if (batch) this.#end(batch, "cancelled", false);
        return batch !== undefined;
    }

    // Channel

    /** @param {number} now */
    opened(now) {
        this.#isConnected = true;
        if (this.#batches.length) this.#batches[0].lastProgress = now;
    }

    /** @param {number} now */
    closed(now) {
        this.#isConnected = false;
        this.#lostChannel = now;
        const [batch] = this.#batches;
        if (!batch) return;
        batch.phase = "waiting";
        batch.file?.announceAgain();
        batch.meter.reset();
    }

    /** @param {import("./filemessage.js").FileMessage} message @param {number} now */
    took(message, now) {
        const [batch] = this.#batches;
        if (batch?.id !== message.batch || batch.phase === "waiting") return this.#counts.drop("file-late");
        batch.lastProgress = now;
        switch (message.type) {
        case "accept": this.#accepted(batch, message); break;
        case "refuse": this.#end(batch, message.reason, true); break;
        case "want": this.#wanted(batch, message); break;
        case "credit":
            if (message.total < batch.credit) return this.#counts.drop("file-credit-went-back");
            batch.credit = message.total;
            break;
        case "verdict": this.#judged(batch, message); break;
        }
        this.#goOn(now);
    }

    /** @param {OutgoingBatch} batch @param {import("./filemessage.js").FileMessage & {type: "accept"}} message */
    #accepted(batch, {next, failed}) {
        if (batch.phase !== "offered" || next > batch.entries.length) return this.#breakOff(batch);
        Object.assign(batch, {phase: "underWay", used: 0, credit: 0, verdicts: next, failed});
        if (batch.next === next && batch.file) return;
        this.#closeFile(batch);
        batch.next = next;
        batch.passedBytes = batch.entries.slice(0, next).reduce((sum, {size}) => sum + size, 0);
    }

    /** @param {OutgoingBatch} batch @param {import("./filemessage.js").FileMessage & {type: "want"}} message */
    #wanted(batch, {index, offset, digest}) {
        const {file} = batch;
        if (!file || index !== batch.next || file.phase !== "asked" || offset > file.entry.size) {
            // The file may have been given up meanwhile.
            if (batch.phase !== "underWay" || index >= batch.next) return this.#breakOff(batch);
            return this.#counts.drop("file-of-given-up");
        }
        if (digest) return file.check(offset, digest);
        file.begin();
        file.phase = "beginning";
    }

    /** @param {OutgoingBatch} batch @param {import("./filemessage.js").FileMessage & {type: "verdict"}} message */
    #judged(batch, {index, reason}) {
        const isTurn = index === batch.verdicts && index <= batch.next && index < batch.entries.length;
        // An entry that is not sent yet can only have a failure verdict, for example when its earlier part is damaged.
        if (batch.phase !== "underWay" || !isTurn || (index === batch.next && !reason)) return this.#breakOff(batch);
        if (index === batch.next) {
            this.#closeFile(batch);
            this.#advance(batch);
        }
        batch.verdicts++;
        if (reason) {
            batch.failed++;
            this.#counts.filesFailed++;
        } else this.#counts.filesSent++;
        const name = batch.entries[index].path.join("/");
        this.outputs.push({type: "file", batch: batch.id, direction: "sending", index, name, failure: reason});
    }

    /**
     * Ends a batch whose receiver violates the order of messages.
     * @param {OutgoingBatch} batch
     */
    #breakOff(batch) {
        this.#counts.drop("file-out-of-order");
        this.#end(batch, "broken", false);
    }

    // Disk

    /** @param {import("./fileexchange.js").DiskReply & {job: number}} reply @param {number} now */
    tookDisk(reply, now) {
        const [batch] = this.#batches, file = batch?.file;
        if (file?.job !== reply.job) return this.#counts.drop("file-late-disk");
        this.#diskSince = null;
        switch (reply.type) {
        case "opened":
            if (file.phase !== "opening") return this.#counts.drop("file-late-disk");
            if (reply.bytes === file.entry.size) file.phase = "announcing";
            else file.skip("changed");
            break;
        case "read":
            if (!file.took(reply.bytes)) file.skip("changed");
            break;
        case "failed": file.skip(reply.reason); break;
        default: return this.#counts.drop("file-late-disk");
        }
        // Reading existing content counts as progress, too.
        batch.lastProgress = now;
        this.#goOn(now);
    }

    /** @param {OutgoingBatch} batch */
    #closeFile(batch) {
        if (batch.file && batch.file.job !== null) this.#ask({type: "close", job: batch.file.job});
        batch.file = null;
        this.#diskSince = null;
    }

    /** @param {import("./fileexchange.js").DiskCommand} command */
    #ask(command) { this.outputs.push({type: "disk", command}); }

    /** @param {OutgoingBatch} batch */
    #advance(batch) {
        batch.passedBytes += batch.entries[batch.next].size;
        batch.next++;
        batch.file = null;
    }

    /**
     * Opens or reads the next file, and ends a batch that is complete.
     * @param {number} now
     */
    #goOn(now) {
        const [batch] = this.#batches;
        if (batch?.phase !== "underWay") return;
        if (!batch.file && batch.next < batch.entries.length) {
            const entry = batch.entries[batch.next];
            let job = null;
            if (!entry.isFolder) {
                job = this.#nextJob;
                // The receiver uses even numbers.
                this.#nextJob += 2;
                this.#ask({type: "openSource", job, batch: batch.id, index: batch.next});
                this.#diskSince = now;
            }
            batch.file = new OutgoingFile(entry, job);
        }
        const {file} = batch, job = file?.job ?? null;
        const read = file && job !== null ? file.nextRead() : null;
        if (read && job !== null) {
            this.#ask({type: "read", job, ...read});
            this.#diskSince = now;
        }
        if (batch.verdicts === batch.entries.length) this.#end(batch, null, false);
    }

    /**
     * Ends a batch, and notifies the page and the other end.
     * @param {OutgoingBatch} batch
     * @param {string | null} reason
     * @param {boolean} isPeers
     */
    #end(batch, reason, isPeers) {
        if (batch === this.#batches[0]) this.#closeFile(batch);
        this.#batches.splice(this.#batches.indexOf(batch), 1);
        if (reason && !isPeers && batch.isKnown) {
            if (this.#withdrawals.length < this.#settings.answers) {
                this.#withdrawals.push({type: "withdraw", batch: batch.id, reason});
            } else this.#counts.drop("file-answer-dropped");
        }
        this.#ask({type: "forget", batch: batch.id});
        const {id, verdicts, failed} = batch;
        this.outputs.push({
            type: "over", batch: id, direction: "sending", arrived: verdicts - failed, failed, reason, isPeers,
        });
    }

    // Messages

    /**
     * Returns the next message that fits into the channel.
     * @param {number} room
     * @param {number} now
     */
    nextMessage(room, now) {
        if (!this.#isConnected) return null;
        if (this.#withdrawals.length) {
            return sizeOfFile(this.#withdrawals[0]) <= room ? this.#withdrawals.shift() : null;
        }
        this.#goOn(now);
        const [batch] = this.#batches;
        if (!batch || batch.phase === "offered") return null;
        if (batch.phase === "waiting") {
            const {id, entries, totalBytes} = batch;
            /** @type {import("./filemessage.js").FileMessage} */
            const offer = {type: "offer", batch: id, count: entries.length, size: totalBytes, name: entries[0].path[0]};
            if (sizeOfFile(offer) > room) return null;
            Object.assign(batch, {phase: "offered", isKnown: true, lastProgress: now});
            return offer;
        }
        const message = this.#nextOfFile(batch, Math.min(room, batch.credit - batch.used));
        if (!message) return null;
        batch.used += sizeOfFile(message);
        batch.lastProgress = now;
        this.#goOn(now);
        return message;
    }

    /** @param {OutgoingBatch} batch @param {number} room */
    #nextOfFile(batch, room) {
        const {file, id, next: index} = batch;
        if (!file) return null;
        /** @param {any} message */
        const fits = (message) => (sizeOfFile(message) <= room ? {batch: id, ...message} : null);
        switch (file.phase) {
        case "announcing": {
            const message = fits({type: "entry", index, entry: file.entry});
            if (!message) return null;
            if (file.entry.isFolder) this.#advance(batch);
            else if (file.entry.size >= RESUMABLE_SIZE) file.phase = "asked";
            else {
                file.begin();
                file.phase = "sending";
            }
            return message;
        }
        case "beginning": {
            const message = fits({type: "begin", offset: file.sent});
            if (message) file.phase = "sending";
            return message;
        }
        case "skipping": {
            const message = fits({type: "skip", index, reason: file.reason});
            if (message) this.#leave(batch);
            return message;
        }
        case "sending": {
            if (file.isSent) {
                const message = fits({type: "end", digest: file.digest});
                if (message) this.#leave(batch);
                return message;
            }
            const count = Math.min(file.bufferedBytes, MOST_DATA), space = room - DATA_HEADER;
            if (!count || space < Math.min(count, LEAST_PIECE)) return null;
            const bytes = file.takePiece(Math.min(count, space));
            this.#counts.bytesSent += bytes.length;
            return {type: "data", batch: id, bytes};
        }
        // `opening`, `asked` or `checking`.
        default: return null;
        }
    }

    /** @param {OutgoingBatch} batch */
    #leave(batch) {
        this.#closeFile(batch);
        this.#advance(batch);
    }

    // Time

    /** @param {number} now */
    tick(now) {
        const {deadline} = this, [batch] = this.#batches;
        if (deadline === null || deadline > now) return;
        const isDisk = this.#diskSince !== null && this.#diskSince + this.#settings.diskPatience <= now;
        if (isDisk && this.#isConnected) {
            // The disk may reply later or never, so give up the file.
            this.#diskSince = null;
            batch.file?.skip("unreadable");
        } else this.#end(batch, "timedOut", false);
        if (this.#batches.length) this.#batches[0].lastProgress = now;
        this.#goOn(now);
    }

    get deadline() {
        const [batch] = this.#batches;
        if (!batch) return null;
        const {diskPatience, absence, offerPatience, longPatience, patience} = this.#settings;
        if (!this.#isConnected) return Math.max(this.#lostChannel, batch.lastProgress) + absence;
        if (this.#diskSince !== null) return this.#diskSince + diskPatience;
        if (batch.phase === "waiting") return batch.lastProgress + longPatience;
        if (batch.phase === "offered") return batch.lastProgress + offerPatience;
        if (batch.file?.phase === "asked") return batch.lastProgress + longPatience;
        // The wait is short for credit or a verdict from the other end, and long for room in the channel.
        const isOut = batch.credit - batch.used < MOST_DATA;
        return batch.lastProgress + (!batch.file || isOut ? patience : longPatience);
    }

    /** @param {number} now */
    progress(now) {
        const [batch] = this.#batches;
        if (!batch || (batch.phase !== "underWay" && this.#isConnected)) return null;
        const bytes = batch.passedBytes + (batch.file?.sent ?? 0), count = batch.entries.length;
        batch.meter.note(bytes, now);
        return progressOf({
            batch: batch.id, direction: "sending", index: Math.min(batch.next + 1, count), count, bytes,
            totalBytes: batch.totalBytes, rate: batch.meter.rate, isInterrupted: !this.#isConnected,
        });
    }

    /** True if a batch makes progress that has to be reported. */
    get isUnderWay() { return this.#isConnected && this.#batches[0]?.phase === "underWay"; }
}
