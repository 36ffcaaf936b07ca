// A host as far as numbered inputs go, for tests: the rules of docs/web/protocol.md, "Numbered inputs".

export class InputHost {
    next = 0;
    /** What was done, in order. */
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
