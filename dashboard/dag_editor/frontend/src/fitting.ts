/** How large and where a drawing is shown so that all of it is seen and can be read. Pure. */
import { boxOf, type Box, type Point } from "./geometry";
import type { Graph } from "./reducer";
import { edgeText, lineId, linesOf, routeAll } from "./routing";

export interface Fitted {
  /** How much larger boxes and type are drawn than their places would have it. */
  readonly grow: number;
  readonly viewport: { readonly x: number; readonly y: number; readonly zoom: number };
}

export const LEAST_ZOOM = 0.15;
const MARGIN = 22;
/** Names are 14 pixels high: below this they cannot be read at a desk, and a large place is seen from afar. */
const READABLE = { barely: 0.78, least: 0.87, most: 1.7, width: 1000 };
const GROWTHS = [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6];
/** Room between boxes that must stay: where names could not be read otherwise, and where they are only made larger. */
const GAP: { readonly need: Point; readonly wish: Point } = { need: [40, 28], wish: [84, 40] };

/** Fills a room with the drawing: first with all of it, then with type as large as there is place. */
export function fitted(graph: Graph, width: number, height: number, most: number): Fitted {
  let best = withGrowth(graph, width, height, most, 1);
  const wanted = Math.min(READABLE.most, Math.max(READABLE.least, width / READABLE.width));
  const behind = hidden(graph, 1);
  for (const grow of GROWTHS.slice(1)) {
    const size = best.grow * best.viewport.zoom;
    const gap = size < READABLE.least ? GAP.need : GAP.wish;
    if (size >= wanted || crowded(graph, grow, gap)) break;
    if (size >= READABLE.barely && hidden(graph, grow) > behind) break;
    best = withGrowth(graph, width, height, most, grow);
  }
  return best;
}

function withGrowth(graph: Graph, width: number, height: number, most: number, grow: number): Fitted {
  const [left, top, right, bottom] = reach(graph, grow);
  const margin = Math.min(MARGIN, width / 12, height / 12);
  const across = (width - 2 * margin) / Math.max(1, right - left);
  const down = (height - 2 * margin) / Math.max(1, bottom - top);
  const zoom = Math.max(LEAST_ZOOM, Math.min(across, down, most));
  const x = width / 2 - (zoom * (left + right)) / 2;
  const y = height / 2 - (zoom * (top + bottom)) / 2;
  return { grow, viewport: { x, y, zoom } };
}

/** The corners of the rectangle that holds every box, every bend and every label. */
function reach(graph: Graph, grow: number): [number, number, number, number] {
  const boxes = graph.nodes.map((node) => boxOf(node, grow));
  const routes = routeAll(boxes, linesOf(graph), grow);
  const labelled = linesOf(graph).some((edge) => edgeText(edge) !== "");
  const points: Point[] = [
    ...boxes.flatMap(({ x, y, width, height }): Point[] => [[x, y], [x + width, y + height]]),
    ...[...routes.values()].flatMap(({ along, label: [x, y] }): Point[] => [
      ...along,
      ...(labelled ? [[x - 30 * grow, y - 11 * grow] as const, [x + 30 * grow, y + 11 * grow] as const] : []),
    ]),
  ];
  if (points.length === 0) return [0, 0, 320, 160];
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** How many arrows run behind boxes that are not their ends. */
function hidden(graph: Graph, grow: number): number {
  const boxes = graph.nodes.map((node) => boxOf(node, grow));
  const lines = linesOf(graph);
  const routes = routeAll(boxes, lines, grow);
  return lines.filter((edge) => {
    const others = boxes.filter(({ name }) => name !== edge.cause && name !== edge.effect);
    const along = routes.get(lineId(edge))?.along ?? [];
    return along.some(([px, py]) => others.some(({ x, y, width, height }) => px > x && px < x + width && py > y && py < y + height));
  }).length;
}

function crowded(graph: Graph, grow: number, [across, down]: Point): boolean {
  const boxes = graph.nodes.map((node) => boxOf(node, grow));
  const meet = (a: Box, b: Box) =>
    a.x < b.x + b.width + across && b.x < a.x + a.width + across && a.y < b.y + b.height + down && b.y < a.y + a.height + down;
  return boxes.some((box, index) => boxes.slice(index + 1).some((other) => meet(box, other)));
}
