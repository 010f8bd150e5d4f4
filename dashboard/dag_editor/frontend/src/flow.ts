/** From the graph to what React Flow draws; what did not change keeps its identity. */
import { useMemo, useRef } from "react";
import { Position } from "@xyflow/react";
import type { FlowEdge } from "./edge";
import { boxOf, type Box, type Point } from "./geometry";
import type { FlowNode } from "./node";
import { sameSelection, type Selection } from "./protocol";
import type { Graph } from "./reducer";
import { lineId, linesOf, routeAll, selectionOf, type Route } from "./routing";
import { describeEdge, describeNode } from "./wording";

export type Moved = ReadonlyMap<string, Point>;

const CROWDED = 15;
const DOT = 24;

export interface Flow {
  readonly nodes: FlowNode[];
  readonly edges: FlowEdge[];
  readonly boxes: readonly Box[];
}

/** React Flow puts ids into selectors, so names, which may hold anything, are numbered. */
export class Ids {
  private readonly byName = new Map<string, string>();
  private readonly names = new Map<string, string>();

  of(name: string): string {
    const known = this.byName.get(name);
    if (known !== undefined) return known;
    const id = `n${this.byName.size + 1}`;
    this.byName.set(name, id);
    this.names.set(id, name);
    return id;
  }

  name(id: string): string {
    return this.names.get(id) ?? "";
  }
}

interface Options {
  readonly ids: Ids;
  readonly graph: Graph;
  readonly moved: Moved;
  readonly selection: Selection | null;
  readonly renaming: string | null;
  readonly readOnly: boolean;
  readonly helpId: string;
  readonly grow: number;
  readonly refused: ReadonlySet<string>;
}

export function useFlow(options: Options): Flow {
  const { ids, graph, moved, selection, renaming, readOnly, helpId, grow, refused } = options;
  const cache = useRef(new Map<string, { key: readonly unknown[]; made: FlowNode | FlowEdge }>());
  const routeCache = useRef(new Map<string, Route>());

  return useMemo(() => {
    const kept = cache.current;
    const boxes = graph.nodes.map((node) => {
      const place = moved.get(node.name);
      return boxOf(place ? { ...node, x: place[0], y: place[1] } : node, grow);
    });
    const nodes = graph.nodes.map((node, index) => {
      const box = boxes[index] ?? boxOf(node, grow);
      const isRefused = refused.has(node.name);
      const selected = selection?.kind === "node" && selection.node === node.name;
      const out = graph.edges.filter((edge) => edge.cause === node.name).length;
      const into = graph.edges.filter((edge) => edge.effect === node.name).length;
      const key = [node, box.x, box.y, grow, selected, isRefused, renaming === node.name, readOnly, out, into];
      return keep(kept, ids.of(node.name), key, () => ({
        id: ids.of(node.name),
        type: "attribute" as const,
        className: isRefused ? "refused" : "",
        position: { x: box.x, y: box.y },
        width: box.width,
        height: box.height,
        measured: { width: box.width, height: box.height },
        handles: [
          { id: "in", type: "target" as const, position: Position.Left, x: 0, y: 0, width: box.width, height: box.height },
          { id: "right", type: "source" as const, position: Position.Right, x: box.width - DOT / 2, y: (box.height - DOT) / 2, width: DOT, height: DOT },
          { id: "bottom", type: "source" as const, position: Position.Bottom, x: (box.width - DOT) / 2, y: box.height - DOT / 2, width: DOT, height: DOT },
        ],
        selected,
        draggable: !readOnly && renaming !== node.name,
        data: { node, box, renaming: renaming === node.name, readOnly },
        ariaLabel: describeNode(node, out, into),
        domAttributes: { "aria-roledescription": "attribute", "aria-describedby": `${helpId}-node` },
      })) as FlowNode;
    });
    const lines = linesOf(graph);
    const routes = routeAll(boxes, lines, grow);
    const label = new Map(graph.nodes.map((node) => [node.name, node.label]));
    // In a crowded drawing the selected node's own arrows stand out.
    const focus = selection?.kind === "node" && lines.length > CROWDED ? selection.node : null;
    const edges = lines.flatMap((edge) => {
      const id = lineId(edge);
      const fresh = routes.get(id);
      if (!fresh) return [];
      const old = routeCache.current.get(id);
      const route = old && old.path === fresh.path && old.width === fresh.width && old.head === fresh.head && old.tail === fresh.tail && String(old.label) === String(fresh.label) ? old : fresh;
      routeCache.current.set(id, route);
      const selected = sameSelection(selection, selectionOf(edge));
      const [cause, effect] = [label.get(edge.cause) ?? edge.cause, label.get(edge.effect) ?? edge.effect];
      const aside = focus !== null && edge.cause !== focus && edge.effect !== focus;
      const made = keep(kept, id, [edge, route, selected, cause, effect, aside], () => ({
        id,
        type: "arrow" as const,
        className: aside ? "aside" : "",
        source: ids.of(edge.cause),
        target: ids.of(edge.effect),
        sourceHandle: "right",
        targetHandle: "in",
        selected,
        data: { edge, route, cause, effect, aside },
        ariaLabel: describeEdge(edge, cause, effect),
        domAttributes: { "aria-roledescription": "arrow", "aria-describedby": `${helpId}-edge` },
      })) as FlowEdge;
      return [made];
    });
    return { nodes, edges, boxes };
  }, [ids, graph, moved, selection, renaming, readOnly, helpId, grow, refused]);
}

function keep<T extends FlowNode | FlowEdge>(
  kept: Map<string, { key: readonly unknown[]; made: FlowNode | FlowEdge }>,
  id: string,
  key: readonly unknown[],
  make: () => T,
): FlowNode | FlowEdge {
  const old = kept.get(id);
  if (old && old.key.every((part, index) => part === key[index])) return old.made;
  const made = make();
  kept.set(id, { key, made });
  return made;
}
