// Carries out what an exchange of files asks of the disk: reads what the person chose, and puts what comes where the
// person said.

/**
 * @typedef {{create: (path: string[], size: number, modified: number) => Promise<any>, makeFolder: (path: string[]) =>
 *   Promise<string | void>, close: (isWanted: boolean) => void}} Place where the files of a batch go
 * @typedef {{last: Promise<void>, has: any, isFailed: boolean, reasonOf: (error: any) => string}} Job
 * @typedef {{size: number, lastModified: number, open: () => Promise<File>}} Source as it was when it was listed
 */

export class FileDisk {
    #reply;
    #room;
    /** @type {Map<bigint, (Source | null)[]>} */
    #sources = new Map();
    /**
     * Where the files of a batch go.
     * @type {Map<bigint, Place>}
     */
    #places = new Map();
    /**
     * Each job with what it has, and with the last of its commands: they wait for each other.
     * @type {Map<number, Job>}
     */
    #jobs = new Map();

    /**
     * @param {(reply: import("./fileexchange.js").DiskReply) => void} reply
     * @param {(count: number, size: number) => Promise<number>} room the bytes that there is room for, for so many files and
     *   bytes
     */
    constructor(reply, room) {
        this.#reply = reply;
        this.#room = room;
    }

    /** @param {bigint} batch @param {(Source | null)[]} sources of its entries; `null` of a folder */
    provide(batch, sources) { this.#sources.set(batch, sources); }

    /** @param {bigint} batch that is accepted @param {Place} place */
    use(batch, place) { this.#places.set(batch, place); }

    /**
     * What came of a batch is where it belongs, or is not wanted.
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
            // Never answered from within: the exchange is being drained.
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
     * Of a batch that is accepted.
     * @param {bigint} batch
     */
    #placeOf(batch) { return /** @type {Place} */ (this.#places.get(batch)); }

    /** @param {number} job @param {(state: Job) => Promise<object>} act */
    #begin(job, act) {
        this.#jobs.set(job, {last: Promise.resolve(), has: null, isFailed: false, reasonOf});
        this.#next(job, act);
    }

    /**
     * Does something once all before it is done, unless that failed.
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
        // A file that has its name already stays.
        if (isDiscarded) state?.last.then(() => state.has?.discard?.()).catch(() => {});
    }

    /** @param {import("./fileexchange.js").DiskCommand & {type: "openSource"}} command @param {Job} state of the job */
    async #open({batch, index}, state) {
        const source = /** @type {Source} */ (this.#sources.get(batch)?.[index]);
        state.reasonOf = () => "unreadable";
        const file = await source.open();
        // Browsers fail a read of what has changed on the disk, as they do where nothing can be read at all.
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
        // Where it is discarded meanwhile, that waits for this.
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
 * Why writing failed.
 * @param {Error} error
 */
const reasonOf = ({name}) => (name === "QuotaExceededError" ? "noSpace" : "diskFailed");
/**
 * Why there is no such file: browsers have names that they don't make.
 * @param {Error} error
 */
const nameReasonOf = (error) => (["TypeError", "TypeMismatchError"].includes(error.name) ? "badName" : reasonOf(error));
