/** The way of each arrow: a gentle curve between two outlines that goes around other nodes. */
import { centre, inside, polygon, round, textWidth, type Box, type Point } from "./geometry";
import type { DrawnBidirected, DrawnEdge, Selection } from "./protocol";
import type { Graph } from "./reducer";

/** What is drawn between two nodes: an arrow, or a two-headed one, which has no number. */
export interface Line extends DrawnEdge {
  readonly both: boolean;
}

export interface Route {
  readonly path: string;
  readonly head: string;
  /** The head at the beginning of a two-headed arrow. */
  readonly tail: string;
  readonly label: Point;
  readonly width: number;
  /** Points of the curve, to know how far it bends. */
  readonly along: readonly Point[];
}

export const LABEL_FONT = '600 12px "Source Sans", "Source Sans Pro", system-ui, sans-serif';

const BEND_OF_BOTH = 40;
const BENDS = [30, -30, 60, -60, 95, -95, 135, -135, 180, -180, 240, -240];
const LABEL_PLACES = [0.5, 0.46, 0.54, 0.42, 0.58, 0.38, 0.62, 0.34, 0.66, 0.3, 0.7, 0.26, 0.74, 0.22, 0.78, 0.18, 0.82];
const STEPS = Array.from({ length: 33 }, (_, step) => step / 32);
const CLEARANCE = 9;
const GAP = 2;

type Curve = readonly [Point, Point, Point];

const known = new WeakMap<DrawnEdge | DrawnBidirected, Line>();

/** All arrows of a graph; the same object for the same arrow, so that what is drawn stays memoised. */
export function linesOf(graph: Pick<Graph, "edges" | "bidirected">): Line[] {
  const once = <Arrow extends DrawnEdge | DrawnBidirected>(arrow: Arrow, make: (arrow: Arrow) => Line): Line => {
    const line = known.get(arrow) ?? make(arrow);
    known.set(arrow, line);
    return line;
  };
  const plain = { label: "", strength: null, by_hand: false, accepted: "" };
  return [
    ...graph.edges.map((edge) => once(edge, () => ({ ...edge, both: false }))),
    ...graph.bidirected.map((arrow) =>
      once(arrow, ({ one, other, note, mark }) => ({ ...plain, cause: one, effect: other, note, mark, both: true })),
    ),
  ];
}

type Ends = Pick<Line, "cause" | "effect" | "both">;

export function lineId({ cause, effect, both }: Ends): string {
  return JSON.stringify(both ? [cause, effect, "both"] : [cause, effect]);
}

export function lineIdOf(selection: Exclude<Selection, { kind: "node" }>): string {
  return selection.kind === "edge"
    ? lineId({ ...selection, both: false })
    : lineId({ cause: selection.one, effect: selection.other, both: true });
}

export function selectionOf({ cause, effect, both }: Ends): Selection {
  return both ? { kind: "bidirected", one: cause, other: effect } : { kind: "edge", cause, effect };
}

export function edgeText(edge: DrawnEdge): string {
  return [edge.label, edge.accepted === "" ? "" : "✓ accepted", edge.mark ?? ""].filter((part) => part !== "").join(" · ");
}

export function strokeWidth(edge: DrawnEdge): number {
  return edge.strength === null ? 1.75 : 1.5 + 4.5 * Math.min(1, Math.max(0, edge.strength));
}

/** Long dashes for a number set by hand, long and short ones where accepted, short ones for two heads, dots for what only the other drawing has. */
export function dashes(edge: Line): string | undefined {
  const width = strokeWidth(edge);
  if (edge.mark === "only there") return `0.1 ${round(2.2 * width + 1)}`;
  if (edge.both) return "5 4";
  if (edge.accepted !== "") return `${round(5 + 3 * width)} 4 ${round(width)} 4`;
  return edge.by_hand ? `${round(4 + 2 * width)} ${round(3 + width)}` : undefined;
}

/** The way of every arrow, and then a place for every label: on its own arrow and on no other. */
export function routeAll(boxes: readonly Box[], edges: readonly Line[], grow = 1): Map<string, Route> {
  const byName = new Map(boxes.map((box) => [box.name, box]));
  const curves: { edge: Line; curve: Curve; along: Point[] }[] = [];
  const drawn = new Map<string, Curve[]>();
  for (const edge of edges) {
    const from = byName.get(edge.cause);
    const to = byName.get(edge.effect);
    if (!from || !to || from === to) continue;
    const near = [...(drawn.get(edge.cause) ?? []), ...(drawn.get(edge.effect) ?? [])];
    const others = boxes.filter((box) => box !== from && box !== to);
    const curve = clip(choose(centre(from), centre(to), others, near, edge.both), from, to);
    for (const end of [edge.cause, edge.effect]) drawn.set(end, [...(drawn.get(end) ?? []), curve]);
    curves.push({ edge, curve, along: STEPS.map((step) => at(curve, step)) });
  }
  const taken: Box[] = [];
  return new Map(curves.map(({ edge, curve, along }) => {
    const others = curves.flatMap((other) => (other.edge === edge ? [] : [other.along]));
    const label = placeLabel(edge, curve, boxes, taken, others, grow);
    return [lineId(edge), { ...shaped(edge, curve, grow), label, along }];
  }));
}

function shaped(edge: Line, curve: Curve, grow: number): Pick<Route, "path" | "head" | "tail" | "width"> {
  const width = strokeWidth(edge) * grow;
  const size = 8 * grow + 1.6 * width;
  const length = distance(curve[0], curve[2]);
  const tipAt = Math.max(0.5, 1 - GAP / Math.max(1, length));
  const baseAt = Math.max(0.3, 1 - (size + GAP) / Math.max(1, length));
  const half = size * 0.5 + width * 0.25;
  const pointed = (tip: Point, base: Point): string => {
    const [ux, uy] = unit(base, tip);
    return polygon([
      tip,
      [base[0] - uy * half, base[1] + ux * half],
      [base[0] + uy * half, base[1] - ux * half],
    ]);
  };
  const head = pointed(at(curve, tipAt), at(curve, baseAt));
  const tail = edge.both ? pointed(at(curve, 1 - tipAt), at(curve, 1 - baseAt)) : "";
  const end = Math.min(1, baseAt + 0.25 * (tipAt - baseAt));
  const shaft = part(curve, edge.both ? 1 - end : 0, end);
  return { path: draw(shaft), head, tail, width };
}

/** The flattest curve that meets no other node and runs along no neighbour, or the best there is. */
function choose(start: Point, end: Point, others: readonly Box[], near: readonly Curve[], both: boolean): Curve {
  const length = distance(start, end);
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
  const gentle = Math.abs(dx) < 40 || Math.abs(dy) < 40 ? 0 : Math.sign(dx * dy) * Math.min(16, length * 0.05);
  const cost = (curve: Curve) => 10 * meets(curve, others) + follows(curve, near);
  let best: Curve = bent(start, end, both ? BEND_OF_BOTH : gentle);
  let least = cost(best);
  for (const bend of BENDS) {
    if (least === 0 || Math.abs(bend) > Math.max(60, length * 0.6)) break;
    const curve = bent(start, end, bend);
    const found = cost(curve);
    if (found < least) [best, least] = [curve, found];
  }
  return best;
}

/** How long a curve runs beside arrows with which it shares an end. */
function follows(curve: Curve, near: readonly Curve[]): number {
  let count = 0;
  for (const step of [0.35, 0.45, 0.55, 0.65]) {
    const point = at(curve, step);
    const beside = near.some((other) =>
      [0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85].some((place) => {
        const [a, b] = [at(other, place - 0.05), at(other, place + 0.05)];
        const [ux, uy] = unit(a, b);
        const along = (point[0] - a[0]) * ux + (point[1] - a[1]) * uy;
        const aside = Math.abs((point[0] - a[0]) * uy - (point[1] - a[1]) * ux);
        return along >= 0 && along <= distance(a, b) && aside < 10;
      }),
    );
    if (beside) count += 1;
  }
  return count > 1 ? count : 0;
}

function bent(start: Point, end: Point, bend: number): Curve {
  const [ux, uy] = unit(start, end);
  const middle: Point = [(start[0] + end[0]) / 2 - uy * 2 * bend, (start[1] + end[1]) / 2 + ux * 2 * bend];
  return [start, middle, end];
}

function meets(curve: Curve, others: readonly Box[]): number {
  const hit = new Set<Box>();
  const steps = Math.min(48, Math.max(12, Math.ceil(distance(curve[0], curve[2]) / 24)));
  for (let step = 1; step < steps; step += 1) {
    const [x, y] = at(curve, step / steps);
    for (const box of others) {
      const across = x > box.x - CLEARANCE && x < box.x + box.width + CLEARANCE;
      if (across && y > box.y - CLEARANCE && y < box.y + box.height + CLEARANCE) hit.add(box);
    }
  }
  return hit.size;
}

/** The part of the curve between the two outlines. */
function clip(curve: Curve, from: Box, to: Box): Curve {
  const leave = border(curve, 0, 0.5, (point) => inside(from, point));
  const enter = border(curve, 1, 0.5, (point) => inside(to, point));
  return part(curve, leave, Math.max(leave + 0.02, enter));
}

function border(curve: Curve, inner: number, outer: number, within: (point: Point) => boolean): number {
  let [low, high] = [inner, outer];
  for (let step = 0; step < 14; step += 1) {
    const middle = (low + high) / 2;
    if (within(at(curve, middle))) low = middle;
    else high = middle;
  }
  return high;
}

function placeLabel(
  edge: DrawnEdge, curve: Curve, boxes: readonly Box[], taken: Box[], others: readonly (readonly Point[])[], grow: number,
): Point {
  const text = edgeText(edge);
  if (text === "") return at(curve, 0.5);
  const width = (Math.min(180, textWidth(text, LABEL_FONT)) + 14) * grow;
  const height = 22 * grow;
  const boxAt = ([x, y]: Point): Box => ({
    name: "", role: "relevant", x: x - width / 2, y: y - height / 2, width, height,
  });
  let best = at(curve, 0.5);
  let least = Infinity;
  for (const place of LABEL_PLACES) {
    const point = at(curve, place);
    const box = boxAt(point);
    const count =
      5 * boxes.filter((other) => overlaps(box, other)).length +
      4 * taken.filter((other) => overlaps(box, other)).length +
      2 * others.filter((along) => crosses(along, box)).length;
    if (count < least) [best, least] = [point, count];
    if (count === 0) break;
  }
  taken.push(boxAt(best));
  return [round(best[0]), round(best[1])];
}

function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Whether an arrow runs through or close by a label that is not its own. */
function crosses(along: readonly Point[], { x, y, width, height }: Box): boolean {
  const near = 5;
  return along.some(([px, py], index) => {
    const [qx, qy] = along[index + 1] ?? [px, py];
    return [0, 0.25, 0.5, 0.75].some((part) => {
      const [mx, my] = [px + part * (qx - px), py + part * (qy - py)];
      return mx > x - near && mx < x + width + near && my > y - near && my < y + height + near;
    });
  });
}

function at([start, middle, end]: Curve, t: number): Point {
  const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t * t];
  return [a * start[0] + b * middle[0] + c * end[0], a * start[1] + b * middle[1] + c * end[1]];
}

function part(curve: Curve, low: number, high: number): Curve {
  const [start, middle, end] = curve;
  const blend = (first: number, second: number): Point => {
    const [a, b, c] = [(1 - first) * (1 - second), first * (1 - second) + second * (1 - first), first * second];
    return [a * start[0] + b * middle[0] + c * end[0], a * start[1] + b * middle[1] + c * end[1]];
  };
  return [blend(low, low), blend(low, high), blend(high, high)];
}

function draw([start, middle, end]: Curve): string {
  const say = ([x, y]: Point) => `${round(x)} ${round(y)}`;
  return `M ${say(start)} Q ${say(middle)} ${say(end)}`;
}

function distance(a: Point, b: Point): number {
  return Math.hypot(b[0] - a[0], b[1] - a[1]);
}

function unit(a: Point, b: Point): Point {
  const length = distance(a, b) || 1;
  return [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
}
