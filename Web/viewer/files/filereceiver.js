// Receives files, one batch at a time, like HelioTransfer's FileReceiver, the host's counterpart. Unlike the host, a page keeps
// nothing of an abandoned file, so it never reads back existing content.

import {isEqual} from "../bytes/bytes.js";
import {Sha256} from "../bytes/sha256.js";
import {progressOf, RateMeter} from "./filecounts.js";
import {RESUMABLE_SIZE, sizeOfFile} from "./filemessage.js";
import {safeName} from "./safename.js";

/** The maximum number of ended batches whose outcome is remembered. */
const MOST_ENDED = 8;

/** @typedef {import("./filemessage.js").FileMessage} Message */

/** An incoming batch. */
class IncomingBatch {
    /** `measuring`: the disk determines the free space; `asking`: the user is asked; `underWay`: files are received. */
    phase = "measuring";
    /** True if the channel was lost, and the batch has not been offered on a new one. */
    isInterrupted = false;
    /** The index of the current or next entry. */
    next = 0;
    failed = 0;
    /** @type {IncomingFile | null} */
    file = null;
    /** The total announced size of the entries before `next`, in bytes. */
    claimedBytes = 0;
    /**
     * The received messages that wait for the disk.
     * @type {import("./filemessage.js").FileMessage[]}
     */
    inbox = [];
    /** Flow control on this channel, in bytes: received, processed, and permitted in total. */
    received = 0;
    consumed = 0;
    given = 0;
    isCreditDue = false;
    meter = new RateMeter();
    #window;

    /**
     * @param {import("./filemessage.js").FileMessage & {type: "offer"}} offer
     * @param {number} window
     * @param {number} now
     */
    constructor(offer, window, now) {
        this.offer = offer;
        this.#window = window;
        this.lastProgress = now;
    }

    get id() { return this.offer.batch; }

    get doneBytes() {
        const {file} = this;
        return this.claimedBytes + (file ? (file.phase === "givenUp" ? file.entry.size : file.position) : 0);
    }

    /** Resets the flow control for a new channel, and grants the first credit. */
    giveFirstCredit() {
        this.received = this.consumed = 0;
        this.given = this.#window;
        this.isCreditDue = true;
        this.inbox = [];
    }

    /**
     * Counts processed bytes; 0 for data that was received on an earlier channel.
     * @param {number} bytes
     */
    consume(bytes) {
        if (!bytes) return;
        this.consumed += bytes;
        if (this.given - this.consumed > this.#window / 2) return;
        this.given = this.consumed + this.#window;
        this.isCreditDue = true;
    }

    /**
     * Interrupts the batch until it is offered on a new channel.
     * @param {number} now
     */
    interrupt(now) {
        this.isInterrupted = true;
        this.isCreditDue = false;
        this.received = this.consumed = this.given = 0;
        this.inbox = [];
        this.lastProgress = now;
        this.meter.reset();
    }
}

/** An incoming file or folder. */
class IncomingFile {
    /**
     * `opening`: the disk creates the file; `wanting`: the sender was told the position, and replies where it begins;
     * `writing`; `finishing`: the disk gives the file its name; `held`: the channel was lost, and the file resumes on the next
     * one; `givenUp`: the verdict was sent, and further messages about the file are ignored.
     */
    phase = "opening";
    /** The hash of all bytes before `position`, up to which data was passed to the disk. */
    hash = new Sha256();
    /**
     * The pending writes: the credit in bytes that each returns, 0 for data of an earlier channel.
     * @type {number[]}
     */
    writing = [];

    /** @param {import("./filemessage.js").FileEntry} entry @param {number} job */
    constructor(entry, job) {
        this.entry = entry;
        this.job = job;
    }

    get position() { return this.hash.length; }
    get isResumable() { return this.entry.size >= RESUMABLE_SIZE; }

    /** True if a disk command is pending. */
    get waitsForDisk() {
        if (this.phase === "opening" || this.phase === "finishing") return true;
        return this.phase !== "givenUp" && this.writing.length > 0;
    }
}

export class FileReceiver {
    /** @type {import("./fileexchange.js").Output[]} */
    outputs = [];
    #settings;
    #counts;
    #permission;
    #isConnected = false;
    /** @type {IncomingBatch | null} */
    #batch = null;
    /**
     * The outcomes of ended batches that the sender may not know yet.
     * @type {{id: bigint, reason: string | null, count: number, failed: number}[]}
     */
    #ended = [];
    /**
     * Refusals, requests and verdicts that wait for the channel.
     * @type {import("./filemessage.js").FileMessage[]}
     */
    #answers = [];
    /**
     * The time since which a disk command is pending.
     * @type {number | null}
     */
    #diskSince = null;
    /** True while the disk determines the free space, even if the batch has ended meanwhile. */
    #isMeasuring = false;
    #nextJob = 2;
    #nextQuestion;
    #questionInterval;

    /**
     * @param {"never" | "ask" | "always"} permission
     * @param {typeof import("./filecounts.js").SETTINGS} settings
     * @param {import("./filecounts.js").FileCounts} counts
     * @param {number} now
     */
    constructor(permission, settings, counts, now) {
        this.#permission = permission;
        this.#settings = settings;
        this.#counts = counts;
        this.#nextQuestion = now;
        this.#questionInterval = settings.questionInterval;
    }

    /** The batch; only used while there is one. */
    get #current() { return /** @type {IncomingBatch} */ (this.#batch); }
    /** The batch's file; only used while there is one. */
    get #currentFile() { return /** @type {IncomingFile} */ (this.#current.file); }

    /** The number of bytes that wait for the disk. */
    get bufferedBytes() { return this.#batch ? this.#batch.received - this.#batch.consumed : 0; }

    // User decisions

    /** @param {"never" | "ask" | "always"} permission */
    set permission(permission) {
        this.#permission = permission;
        if (permission === "never") this.#end("notAllowed");
    }

    /** @param {bigint} id @param {boolean} accepts @param {number} now */
    answer(id, accepts, now) {
        const batch = this.#batch;
        if (!batch || batch.id !== id || batch.phase !== "asking") return;
        if (!accepts) return this.#end("declined");
        this.#questionInterval = this.#settings.questionInterval;
        this.#nextQuestion = now;
        this.#accept(now);
    }

    /** @param {bigint} id */
    cancel(id) { if (this.#batch?.id === id) this.#end("cancelled"); }

    // Channel

    /** @param {number} now */
    opened(now) {
        this.#isConnected = true;
        if (this.#batch) this.#batch.lastProgress = now;
    }

    /** @param {number} now */
    closed(now) {
        this.#isConnected = false;
        // Answers are given again when the batch is offered again.
        this.#answers = [];
        const batch = this.#batch, file = batch?.file;
        batch?.interrupt(now);
        if (!batch || !file) return;
        // Pending writes return no credit on the next channel.
        file.writing = file.writing.map(() => 0);
        if (file.phase === "givenUp") return this.#passFile();
        if (file.phase === "finishing") return;
        if (file.phase !== "opening" && file.isResumable) {
            file.phase = "held";
            return;
        }
        // The file starts again on the next channel.
        this.#ask({type: "discard", job: file.job});
        batch.file = null;
        this.#diskSince = null;
    }

    /** @param {import("./filemessage.js").FileMessage} message @param {number} now */
    took(message, now) {
        if (message.type === "offer") return this.#offered(message, now);
        const batch = this.#batch;
        if (!batch || batch.id !== message.batch) return this.#counts.drop("file-late");
        if (message.type === "withdraw") return this.#end(message.reason, {isPeers: true});
        if (batch.isInterrupted) return this.#counts.drop("file-late");
        if (batch.phase !== "underWay") return this.#breakOff("file-out-of-order");
        batch.received += sizeOfFile(message);
        if (batch.received > batch.given) return this.#breakOff("file-over-credit");
        batch.lastProgress = now;
        batch.inbox.push(message);
        this.#goOn(now);
    }

    /** @param {string} drop */
    #breakOff(drop) {
        this.#counts.drop(drop);
        this.#end("broken");
    }

    /** @param {import("./filemessage.js").FileMessage & {type: "offer"}} offer @param {number} now */
    #offered(offer, now) {
        const {batch: id, count, size, name} = offer, batch = this.#batch;
        const known = this.#ended.find((each) => each.id === id);
        if (known?.reason) return this.#refuse(id, known.reason, "file-late");
        if (known) {
            if (known.count !== count) return this.#refuse(id, "broken", "file-out-of-order");
            return this.#answer({type: "accept", batch: id, next: count, failed: known.failed});
        }
        if (batch && batch.id === id) {
            if (!batch.isInterrupted) return this.#counts.drop("file-offer-twice");
            const before = batch.offer;
            if (before.count !== count || before.size !== size || before.name !== name) {
                return this.#breakOff("file-out-of-order");
            }
            batch.isInterrupted = false;
            batch.lastProgress = now;
            // While a file is being finished, it is unknown whether it has to be sent again, so `accept` is sent later.
            if (batch.phase === "underWay" && batch.file?.phase !== "finishing") this.#tellAccepted();
            return;
        }
        if (batch) {
            if (!batch.isInterrupted && batch.phase === "underWay") return this.#refuse(id, "busy", "file-offer-busy");
            // The sender has given up the earlier batch, because it offers one batch at a time.
            this.#end("cancelled", {isPeers: true, mayComeAgain: true});
        }
        if (this.#permission === "never") return this.#refuse(id, "notAllowed", "file-offer-not-allowed");
        if (count > this.#settings.mostFiles) return this.#refuse(id, "tooMany", "file-offer-too-large");
        if (size > this.#settings.mostBytes) return this.#refuse(id, "tooLarge", "file-offer-too-large");
        if (this.#permission !== "always" && now < this.#nextQuestion) {
            return this.#refuse(id, "busy", "file-offer-too-soon");
        }
        // Measure for one batch at a time, so that repeated offers can't flood the disk.
        if (this.#isMeasuring) return this.#refuse(id, "busy", "file-offer-too-soon");
        this.#isMeasuring = true;
        this.#batch = new IncomingBatch(offer, this.#settings.window, now);
        this.#ask({type: "measure", batch: id, count, size});
        this.#diskSince = now;
    }

    /** @param {number} now */
    #accept(now) {
        const batch = this.#current;
        batch.phase = "underWay";
        batch.lastProgress = now;
        if (!batch.isInterrupted) this.#tellAccepted();
    }

    #tellAccepted() {
        const {id, next, failed} = this.#current;
        this.#current.giveFirstCredit();
        this.#answer({type: "accept", batch: id, next, failed});
    }

    /**
     * Queues an answer until the channel accepts it.
     * @param {import("./filemessage.js").FileMessage} message
     */
    #answer(message) {
        // Verdicts always fit, because no messages are processed while many answers are queued.
        if (this.#answers.length < 2 * this.#settings.answers) this.#answers.push(message);
        else this.#counts.drop("file-answer-dropped");
    }

    /** @param {bigint} batch @param {string} reason @param {string} drop */
    #refuse(batch, reason, drop) {
        this.#counts.drop(drop);
        if (this.#answers.length < this.#settings.answers) this.#answers.push({type: "refuse", batch, reason});
        else this.#counts.drop("file-answer-dropped");
    }

    /** @param {import("./fileexchange.js").DiskCommand} command */
    #ask(command) { this.outputs.push({type: "disk", command}); }

    /**
     * Ends the batch, and notifies the page and the sender. `reason` is `null` if all entries were processed.
     * @param {string | null} reason
     */
    #end(reason, {isPeers = false, mayComeAgain = false} = {}) {
        const batch = this.#batch;
        if (!batch) return;
        const {id, next, failed, file} = batch;
        this.#batch = null;
        this.#diskSince = null;
        if (file && file.phase !== "givenUp") this.#ask({type: "discard", job: file.job});
        this.#ask({type: "forget", batch: id});
        if (batch.phase === "asking") this.outputs.push({type: "unask", batch: id});
        if (this.#ended.length === MOST_ENDED) this.#ended.shift();
        if (!mayComeAgain) this.#ended.push({id, reason, count: batch.offer.count, failed});
        if (reason && !isPeers && this.#isConnected && !batch.isInterrupted) {
            this.#answer({type: "refuse", batch: id, reason});
        }
        this.outputs.push({
            type: "over", batch: id, direction: "receiving", arrived: next - failed, failed, reason, isPeers,
        });
    }

    // Entries

    /**
     * Processes received messages until one has to wait for the disk.
     * @param {number} now
     */
    #goOn(now) {
        for (;;) {
            const batch = this.#batch, phase = batch?.file?.phase;
            if (!batch || !batch.inbox.length || phase === "opening" || phase === "finishing") break;
            if (this.#answers.length >= this.#settings.answers) break;
            const message = /** @type {Message} */ (batch.inbox.shift());
            if (message.type === "data" && phase === "writing") {
                this.#write(message.bytes, sizeOfFile(message), now);
                continue;
            }
            batch.consume(sizeOfFile(message));
            if (!this.#take(message, now)) return this.#breakOff("file-out-of-order");
        }
        const batch = this.#batch;
        if (batch?.phase !== "underWay") return;
        // The sender sends nothing more about a last file that was given up.
        if (batch.file?.phase === "givenUp" && batch.next + 1 === batch.offer.count) this.#passFile();
        if (batch.next === batch.offer.count) this.#end(null);
    }

    /**
     * Processes a message.
     * @param {import("./filemessage.js").FileMessage} message
     * @param {number} now
     * @returns {boolean} false if the message is out of order
     */
    #take(message, now) {
        const batch = this.#current, {type} = message, index = "index" in message ? message.index : -1;
        if (batch.file?.phase === "givenUp") {
            const isOfIt = ["entry", "skip"].includes(type) ? index === batch.next : true;
            if (isOfIt) {
                this.#counts.drop("file-of-given-up");
                return true;
            }
            this.#passFile();
        }
        const {file} = batch;
        switch (type) {
        case "entry": return this.#announced(index, message.entry, now);
        case "skip":
            if (index !== batch.next || index >= batch.offer.count) return false;
            this.#discard();
            batch.file = null;
            this.#judge(message.reason, file?.entry.path.at(-1) ?? "");
            batch.next++;
            return true;
        case "begin":
            if (file?.phase !== "wanting" || (message.offset !== file.position && message.offset !== 0)) return false;
            if (message.offset === 0) file.hash = new Sha256();
            file.phase = "writing";
            return true;
        case "end":
            if (file?.phase !== "writing" || file.position !== file.entry.size) return false;
            if (!isEqual(file.hash.digest(), message.digest)) {
                this.#giveUp("damaged");
                return true;
            }
            file.phase = "finishing";
            this.#ask({type: "finish", job: file.job});
            this.#diskSince ??= now;
            return true;
        default: return false;
        }
    }

    /** @param {number} index @param {import("./filemessage.js").FileEntry} entry @param {number} now */
    #announced(index, entry, now) {
        const batch = this.#current, {file, id} = batch;
        if (index !== batch.next || index >= batch.offer.count) return false;
        if (batch.claimedBytes + entry.size > batch.offer.size) {
            this.#counts.drop("file-over-size");
            return false;
        }
        if (file) {
            if (file.phase !== "held") return false;
            const {path, isFolder, size, modified} = file.entry, isSamePath = path.join("/") === entry.path.join("/");
            if (isSamePath && isFolder === entry.isFolder && size === entry.size && modified === entry.modified) {
                this.#want();
                return true;
            }
            this.#ask({type: "discard", job: file.job});
        }
        const job = this.#nextJob, path = entry.path.map(safeName);
        this.#nextJob += 2;
        batch.file = new IncomingFile(entry, job);
        this.#diskSince = now;
        if (entry.isFolder) {
            batch.file.phase = "finishing";
            this.#ask({type: "makeFolder", job, batch: id, path});
        } else this.#ask({type: "create", job, batch: id, path, size: entry.size, modified: entry.modified});
        return true;
    }

    /** Sends the sender the position from which the file is needed. */
    #want() {
        const {id, next} = this.#current, file = this.#currentFile, {position} = file;
        file.phase = "wanting";
        this.#answer({
            type: "want", batch: id, index: next, offset: position, digest: position ? file.hash.digest() : null,
        });
    }

    /** @param {Uint8Array} bytes @param {number} size @param {number} now */
    #write(bytes, size, now) {
        const file = this.#currentFile, offset = file.position;
        if (bytes.length > file.entry.size - offset) return this.#breakOff("file-over-size");
        this.#counts.bytesReceived += bytes.length;
        this.#ask({type: "write", job: file.job, offset, bytes});
        file.hash.update(bytes);
        file.writing.push(size);
        this.#diskSince ??= now;
    }

    /**
     * Sends a failure verdict for the current file, whose further messages are ignored.
     * @param {string} reason
     */
    #giveUp(reason) {
        const file = this.#currentFile;
        this.#discard();
        file.phase = "givenUp";
        this.#judge(reason, file.entry.path[file.entry.path.length - 1]);
    }

    /** Discards the current file. Pending writes are no longer awaited. */
    #discard() {
        const {file} = this.#current;
        if (!file) return;
        this.#ask({type: "discard", job: file.job});
        for (const size of file.writing) this.#current.consume(size);
        file.writing = [];
        this.#diskSince = null;
    }

    /** Advances to the next entry after a file was given up or finished. */
    #passFile() {
        const batch = this.#current;
        batch.claimedBytes += this.#currentFile.entry.size;
        batch.next++;
        batch.file = null;
    }

    /** @param {string | null} failure @param {string} name */
    #judge(failure, name) {
        const batch = this.#current, {id, next: index} = batch;
        if (failure) {
            this.#counts.filesFailed++;
            batch.failed++;
        } else this.#counts.filesReceived++;
        this.outputs.push({
            type: "file", batch: id, direction: "receiving", index, name: failure ? safeName(name) : name, failure,
        });
        // If the channel was lost meanwhile, `accept` on the next channel reports the outcome by `next` and `failed`.
        if (batch.given > 0) this.#answer({type: "verdict", batch: id, index, reason: failure});
    }

    // Replies of the disk

    /** @param {bigint} id @param {number | null} space @param {number} now */
    tookSpace(id, space, now) {
        this.#isMeasuring = false;
        const batch = this.#batch;
        if (!batch || batch.id !== id || batch.phase !== "measuring") return this.#counts.drop("file-late-disk");
        this.#diskSince = null;
        if (space === null) return this.#end("diskFailed");
        const {size, count, name} = batch.offer;
        if (size > space) return this.#end("noSpace");
        if (this.#permission === "always") return this.#accept(now);
        batch.phase = "asking";
        batch.lastProgress = now;
        this.#nextQuestion = now + this.#questionInterval;
        this.#questionInterval = Math.min(this.#questionInterval * 2, this.#settings.longestQuestionInterval);
        this.outputs.push({type: "ask", batch: id, name: safeName(name), count, bytes: size});
    }

    /** @param {import("./fileexchange.js").DiskReply & {job: number}} reply @param {number} now */
    tookDisk(reply, now) {
        const batch = this.#batch, file = batch?.file;
        if (!batch || !file || file.job !== reply.job || file.phase === "givenUp") return this.#counts.drop("file-late-disk");
        batch.lastProgress = now;
        if (reply.type === "failed") this.#fail(reply.reason);
        else if (reply.type === "opened" && file.phase === "opening") {
            if (file.isResumable) this.#want();
            else file.phase = "writing";
        } else if (reply.type === "wrote" && file.writing.length) batch.consume(file.writing.shift() ?? 0);
        else if (reply.type === "finished" && file.phase === "finishing") {
            this.#judge(null, reply.name);
            this.#passFile();
            this.#tellIfKnownNow();
        } else return this.#counts.drop("file-late-disk");
        this.#diskSince = this.#batch?.file?.waitsForDisk ? now : null;
        this.#goOn(now);
    }

    /** Sends `accept` if it was delayed when the sender offered the batch again. */
    #tellIfKnownNow() {
        if (!this.#current.isInterrupted && this.#current.given === 0) this.#tellAccepted();
    }

    /**
     * Handles a failed disk command, which ends the file or the batch.
     * @param {string} reason
     */
    #fail(reason) {
        if (reason === "noSpace" || reason === "diskFailed") return this.#end(reason);
        this.#giveUp(reason);
        if (this.#current.given > 0) return;
        this.#passFile();
        this.#tellIfKnownNow();
    }

    // Messages

    /**
     * Returns the next message that fits into the channel.
     * @param {number} room
     * @param {number} now
     */
    nextMessage(room, now) {
        if (!this.#isConnected) return null;
        if (this.#answers.length) {
            if (sizeOfFile(this.#answers[0]) > room) return null;
            const message = this.#answers.shift();
            this.#goOn(now);
            return message;
        }
        const batch = this.#batch;
        if (!batch?.isCreditDue) return null;
        const message = /** @type {const} */ ({type: "credit", batch: batch.id, total: batch.given});
        if (sizeOfFile(message) > room) return null;
        batch.isCreditDue = false;
        return message;
    }

    // Time

    /** @param {number} now */
    tick(now) {
        const {deadline} = this;
        if (deadline === null || deadline > now) return;
        if (this.#diskSince !== null && this.#diskSince + this.#settings.diskPatience <= now) this.#end("diskFailed");
        else this.#end("timedOut", {mayComeAgain: this.#current.phase === "underWay"});
    }

    get deadline() {
        const batch = this.#batch;
        if (!batch) return null;
        const {diskPatience, questionPatience, absence, longPatience} = this.#settings;
        if (this.#diskSince !== null) return this.#diskSince + diskPatience;
        if (batch.phase === "asking") return batch.lastProgress + questionPatience;
        return batch.lastProgress + (batch.isInterrupted || !this.#isConnected ? absence : longPatience);
    }

    /** @param {number} now */
    progress(now) {
        const batch = this.#batch;
        if (batch?.phase !== "underWay") return null;
        const {count, size} = batch.offer;
        batch.meter.note(batch.doneBytes, now);
        return progressOf({
            batch: batch.id, direction: "receiving", index: Math.min(batch.next + 1, count), count,
            bytes: batch.doneBytes, totalBytes: size, rate: batch.meter.rate, isInterrupted: batch.isInterrupted,
        });
    }

    /** True if the batch makes progress that has to be reported. */
    get isUnderWay() { return this.#batch?.phase === "underWay" && !this.#batch.isInterrupted; }
}
