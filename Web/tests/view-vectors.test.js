// The position of the picture by the golden vectors, which Swift's ZoomedView is tested with too.

import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import test from "node:test";
import {Geometry} from "../viewer/picture/geometry.js";

const {cases} = JSON.parse(readFileSync(new URL("../../Testing/Vectors/view.json", import.meta.url), "utf8"));

function perform(geometry, step) {
    if (step.zoom) {
        const [scale, x, y] = step.zoom;
        return geometry.zoomBy(scale / geometry.zoom, x, y);
    }
    if (step.pan) return geometry.pan(...step.pan);
    if (step.reveal) return geometry.reveal(...step.reveal);
    if (step.view) return geometry.setStage(...step.view);
    return geometry.resetZoom();
}

for (const {name, picture, view, steps} of cases) {
    test(name, () => {
        const geometry = new Geometry();
        geometry.setPicture(...picture);
        geometry.setStage(...view, 1);
        steps.forEach((step, index) => {
            const place = `step ${index + 1}: ${JSON.stringify(step)}`;
            const moved = perform(geometry, step);
            if (step.moved !== undefined) assert.equal(moved, step.moved, place);
            const {x, y, width, height} = geometry.frame;
            [x, y, width, height].forEach((value, i) => {
                assert.ok(Math.abs(value - step.frame[i]) < 1e-6, `${place}, ${value}`);
            });
        });
    });
}
