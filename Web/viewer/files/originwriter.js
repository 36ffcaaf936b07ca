// A worker that writes received files into the browser's private file system for the page's origin. Safari before 26 allows
// writing in workers only, and other browsers write to a copy first outside workers.

/** The open files with their sizes, by name. */
const files = new Map();

const acts = {
    /** @param {{folders: string[], name: string}} what */
    async open({folders, name}) {
        let folder = await navigator.storage.getDirectory();
        for (const each of folders) folder = await folder.getDirectoryHandle(each);
        const handle = await folder.getFileHandle(name, {create: true});
        files.set(name, {access: await handle.createSyncAccessHandle(), size: 0});
    },
    /** @param {{name: string, bytes: Uint8Array}} what */
    append({name, bytes}) {
        const file = files.get(name);
        for (let done = 0; done < bytes.length; ) {
            const count = file.access.write(bytes.subarray(done), {at: file.size});
            if (!count) throw new DOMException("nothing more is written", "QuotaExceededError");
            done += count;
            file.size += count;
        }
    },
    /** @param {{name: string}} what */
    empty({name}) {
        const file = files.get(name);
        file.access.truncate(0);
        file.size = 0;
    },
    /** @param {{name: string}} what */
    close({name}) {
        const {access} = files.get(name);
        files.delete(name);
        access.flush();
        access.close();
    },
    /** Closes all files, whatever their state. */
    end() {
        for (const {access} of files.values()) access.close();
        files.clear();
    },
};

onmessage = async ({data: {number, act, ...what}}) => {
    try {
        await /** @type {Record<string, (what: any) => unknown>} */ (acts)[act](what);
        postMessage({number});
    } catch ({name, message}) {
        postMessage({number, error: {name, message}});
    }
};
