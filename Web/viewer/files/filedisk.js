// Executes the disk commands of a file exchange: reads the files that the user chose, and writes received files to the chosen
// place.

/**
 * @typedef {{create: (path: string[], size: number, modified: number) => Promise<any>, makeFolder: (path: string[]) =>
 *   Promise<string | void>, close: (isWanted: boolean) => void}} Place the destination of a batch's files
 * @typedef {{last: Promise<void>, has: any, isFailed: boolean, reasonOf: (error: any) => string}} Job
 * @typedef {{size: number, lastModified: number, open: () => Promise<File>}} Source a file's properties at the time of listing
 */

export class FileDisk {
    #reply;
    #room;
    /** @type {Map<bigint, (Source | null)[]>} */
    #sources = new Map();
    /**
     * The destinations of the batches' files.
     * @type {Map<bigint, Place>}
     */
    #places = new Map();
    /**
     * The jobs, each with its open file and its last command, because a job's commands are executed one after the other.
     * @type {Map<number, Job>}
     */
    #jobs = new Map();

    /**
     * @param {(reply: import("./fileexchange.js").DiskReply) => void} reply
     * @param {(count: number, size: number) => Promise<number>} room returns the number of free bytes at the destination of a
     *   batch of this many files and bytes
     */
    constructor(reply, room) {
        this.#reply = reply;
        this.#room = room;
    }

    /** @param {bigint} batch @param {(Source | null)[]} sources the sources of its entries; `null` for a folder */
    provide(batch, sources) { this.#sources.set(batch, sources); }

    /** @param {bigint} batch an accepted batch @param {Place} place */
    use(batch, place) { this.#places.set(batch, place); }

    /**
     * Ends a batch: its received files are kept if wanted, and discarded otherwise.
     * @param {bigint} batch
     * @param {boolean} isWanted
     */
    close(batch, isWanted) {
        this.#sources.delete(batch);
        this.#places.get(batch)?.close(isWanted);
        this.#places.delete(batch);
    }

    /** @param {import("./fileexchange.js").DiskCommand} command */
    perform(command) {
        switch (command.type) {
        case "measure": {
            const {batch} = command;
            // Reply asynchronously, because the exchange is still being drained.
            return void this.#room(command.count, command.size)
                .then((space) => this.#reply({type: "space", batch, space}));
        }
        case "forget": return void this.#sources.delete(command.batch);
        case "openSource": return this.#begin(command.job, (state) => this.#open(command, state));
        case "create": return this.#begin(command.job, (state) => this.#create(command, state));
        case "makeFolder": return this.#begin(command.job, (state) => this.#makeFolder(command, state));
        case "close": case "discard": return this.#end(command.job, command.type === "discard");
        default: return this.#next(command.job, (state) => this.#step(command, state));
        }
    }

    /**
     * Returns the destination of an accepted batch.
     * @param {bigint} batch
     */
    #placeOf(batch) { return /** @type {Place} */ (this.#places.get(batch)); }

    /** @param {number} job @param {(state: Job) => Promise<object>} act */
    #begin(job, act) {
        this.#jobs.set(job, {last: Promise.resolve(), has: null, isFailed: false, reasonOf});
        this.#next(job, act);
    }

    /**
     * Queues an action behind the job's earlier actions. It is skipped if one of them has failed.
     * @param {number} job
     * @param {(state: Job) => Promise<object>} act
     */
    #next(job, act) {
        const state = this.#jobs.get(job);
        if (!state) return;
        state.last = state.last.then(async () => {
            if (state.isFailed) return;
            let reply;
            try {
                reply = await act(state);
            } catch (error) {
                state.isFailed = true;
                reply = {type: "failed", reason: state.reasonOf(error)};
            }
            this.#reply(/** @type {any} */ ({job, ...reply}));
        });
    }

    /** @param {number} job @param {boolean} isDiscarded */
    #end(job, isDiscarded) {
        const state = this.#jobs.get(job);
        this.#jobs.delete(job);
        // A file that is complete and has its name is kept.
        if (isDiscarded) state?.last.then(() => state.has?.discard?.()).catch(() => {});
    }

    /** @param {import("./fileexchange.js").DiskCommand & {type: "openSource"}} command @param {Job} state of the job */
    async #open({batch, index}, state) {
        const source = /** @type {Source} */ (this.#sources.get(batch)?.[index]);
        state.reasonOf = () => "unreadable";
        const file = await source.open();
        // Browsers report the same error for a changed file as for an unreadable one, so compare the file first.
        if (file.size !== source.size || file.lastModified !== source.lastModified) {
            state.reasonOf = () => "changed";
            throw new Error("changed");
        }
        state.has = {
            read: async (/** @type {number} */ offset, /** @type {number} */ count) => {
                const bytes = new Uint8Array(await file.slice(offset, offset + count).arrayBuffer());
                state.reasonOf = () => "changed";
                return bytes;
            },
        };
        return {type: "opened", bytes: file.size};
    }

    /** @param {import("./fileexchange.js").DiskCommand & {type: "create"}} command @param {Job} state of the job */
    async #create({batch, path, size, modified}, state) {
        state.reasonOf = nameReasonOf;
        // A command to discard the file waits for this one.
        state.has = await this.#placeOf(batch).create(path, size, modified);
        state.reasonOf = reasonOf;
        return {type: "opened", bytes: 0};
    }

    /** @param {import("./fileexchange.js").DiskCommand & {type: "makeFolder"}} command @param {Job} state of the job */
    async #makeFolder({batch, path}, state) {
        state.reasonOf = nameReasonOf;
        return {type: "finished", name: await this.#placeOf(batch).makeFolder(path)};
    }

    /**
     * @param {import("./fileexchange.js").DiskCommand & {type: "read" | "write" | "finish"}} command
     * @param {Job} state of the job
     */
    async #step(command, state) {
        if (command.type === "read") return {type: "read", bytes: await state.has.read(command.offset, command.count)};
        if (command.type === "write") {
            await state.has.write(command.offset, command.bytes);
            return {type: "wrote"};
        }
        const name = await state.has.finish();
        state.has = null;
        return {type: "finished", name};
    }
}

/**
 * Returns the reason for a failed write.
 * @param {Error} error
 */
const reasonOf = ({name}) => (name === "QuotaExceededError" ? "noSpace" : "diskFailed");
/**
 * Returns the reason why a file could not be made: browsers reject some names.
 * @param {Error} error
 */
const nameReasonOf = (error) => (["TypeError", "TypeMismatchError"].includes(error.name) ? "badName" : reasonOf(error));
