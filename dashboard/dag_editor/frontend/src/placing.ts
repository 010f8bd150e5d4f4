/** Keeps what did not change, and finds places for nodes that have none yet. */
import type { DrawnEdge, DrawnNode } from "./protocol";
import { COLUMN_GAP, ROW_GAP } from "./geometry";

/** Takes over the earlier object wherever the new one says the same, so that React can skip it. */
export function keepSame<T extends object>(before: readonly T[], after: readonly T[], key: (item: T) => string): T[] {
  const known = new Map(before.map((item) => [key(item), item]));
  return after.map((item) => {
    const old = known.get(key(item));
    return old !== undefined && same(old, item) ? old : item;
  });
}

function same(a: object, b: object): boolean {
  const left = Object.entries(a);
  const right = b as Record<string, unknown>;
  return left.length === Object.keys(b).length && left.every(([name, value]) => right[name] === value);
}

/** Nodes without a place stand in columns by their depth, below everything that has one. */
export function placeMissing(
  nodes: readonly DrawnNode[],
  edges: readonly DrawnEdge[],
  remembered: Map<string, readonly [number, number]>,
): DrawnNode[] {
  const missing = nodes.filter((node) => node.x === null || node.y === null);
  if (missing.length === 0) return [...nodes];
  const depth = depths(nodes, edges);
  const lowest = Math.max(-ROW_GAP, ...nodes.map((node) => node.y ?? -ROW_GAP));
  const rows = new Map<number, number>();
  for (const node of missing) {
    if (remembered.has(node.name)) continue;
    const column = depth.get(node.name) ?? 0;
    const row = rows.get(column) ?? 0;
    rows.set(column, row + 1);
    remembered.set(node.name, [column * COLUMN_GAP, lowest + (row + 1) * ROW_GAP]);
  }
  return nodes.map((node) => {
    if (node.x !== null && node.y !== null) return node;
    const [x, y] = remembered.get(node.name) ?? [0, 0];
    return { ...node, x, y };
  });
}

function depths(nodes: readonly DrawnNode[], edges: readonly DrawnEdge[]): Map<string, number> {
  const depth = new Map(nodes.map((node) => [node.name, 0]));
  for (let round = 0; round < nodes.length; round += 1) {
    let changed = false;
    for (const { cause, effect } of edges) {
      const wanted = (depth.get(cause) ?? 0) + 1;
      if (wanted > (depth.get(effect) ?? 0) && wanted < nodes.length) {
        depth.set(effect, wanted);
        changed = true;
      }
    }
    if (!changed) break;
  }
  return depth;
}
