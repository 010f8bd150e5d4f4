/** Why an edit was refused, said beside what it concerns. */
import { useStore, useViewport } from "@xyflow/react";
import { centre, type Box, type Point } from "./geometry";
import { Icon } from "./icons";
import type { Refusal } from "./protocol";
import { selectionKey } from "./protocol";

const WIDTH = 300;
const MARGIN = 10;
const ROOM_BELOW = 96;

export function Callouts(props: {
  readonly refusals: readonly Refusal[];
  readonly boxes: readonly Box[];
  readonly onDismiss: () => void;
}) {
  const { x, y, zoom } = useViewport();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const byName = new Map(props.boxes.map((box) => [box.name, box]));
  const wide = Math.min(WIDTH, width - 2 * MARGIN);
  return props.refusals.map((refusal, index) => {
    const [px, py] = anchor(refusal, byName) ?? [(width / 2 - x) / zoom, (40 * index + MARGIN - y) / zoom];
    const left = clamp(px * zoom + x - wide / 2, MARGIN, width - wide - MARGIN);
    const top = clamp(py * zoom + y + MARGIN, MARGIN, height - ROOM_BELOW);
    return (
      <div key={selectionKey(refusal.target)} className="callout" role="alert" style={{ left, top, width: wide }}>
        <p>{refusal.message}</p>
        <button type="button" className="close" aria-label="Dismiss" title="Dismiss (Escape)" onClick={props.onDismiss}>
          <Icon name="close" />
        </button>
      </div>
    );
  });
}

function anchor({ target }: Refusal, boxes: ReadonlyMap<string, Box>): Point | null {
  if (target === null) return null;
  // An arrow is refused where it was dropped: at its effect.
  const names = target.kind === "node" ? [target.node] : target.kind === "edge" ? [target.effect, target.cause] : [target.other, target.one];
  const box = names.map((name) => boxes.get(name)).find((found) => found !== undefined);
  return box ? [centre(box)[0], box.y + box.height] : null;
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
