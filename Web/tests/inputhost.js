// A host's handling of numbered inputs for tests, by docs/web/protocol.md, "Numbered inputs".

export class InputHost {
    next = 0;
    /** The executed inputs, in order. */
    done = [];

    /** @returns {{type: "inputsDone", next: number, at: number}} its answer */
    take({first, list, at}) {
        list.forEach((input, index) => {
            if (first + index !== this.next) return;
            this.next += 1;
            if (input) this.done.push(input);
        });
        return {type: "inputsDone", next: this.next, at};
    }
}
