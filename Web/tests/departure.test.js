// A page that is closed while its user has control.

import assert from "node:assert/strict";
import test from "node:test";
import {Departure} from "../viewer/session/departure.js";
import {fire} from "./fakes.js";

test("who drives is asked before the page goes, and not where going was meant", () => {
    const window = new EventTarget();
    let drives = false, gone = 0;
    const departure = new Departure(window, () => drives);
    const goes = () => fire(window, "beforeunload");
    assert.equal(goes(), true);
    drives = true;
    assert.equal(goes(), false);
    departure.go(() => { gone += 1; });
    assert.equal(goes(), true);
    assert.equal(gone, 1);
});
