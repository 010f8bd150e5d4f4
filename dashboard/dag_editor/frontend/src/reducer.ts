/** The effect of an operation on the drawing, before Python has answered. Pure. */
import type { Addable, DrawnBidirected, DrawnEdge, DrawnNode, Edit, Selection } from "./protocol";

export interface Graph {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  readonly bidirected: readonly DrawnBidirected[];
  readonly addable: readonly Addable[];
}

/** Applies one operation; what Python will refuse, or must work out itself, changes nothing here. */
export function apply(graph: Graph, edit: Edit): Graph {
  switch (edit.op) {
    case "add_node":
      return addNode(graph, edit.name, edit.x, edit.y);
    case "delete_node":
      return deleteNode(graph, edit.node);
    case "rename_node":
      return renameNode(graph, edit.node, edit.name);
    case "move_nodes": {
      const nodes = graph.nodes.map((node) => {
        const place = Object.hasOwn(edit.positions, node.name) ? edit.positions[node.name] : undefined;
        return place ? { ...node, x: place[0], y: place[1] } : node;
      });
      return { ...graph, nodes };
    }
    case "add_edge":
      return addEdge(graph, edit.cause, edit.effect);
    case "delete_edge": {
      const edges = graph.edges.filter((edge) => !joins(edge, edit.cause, edit.effect));
      return edges.length === graph.edges.length ? graph : { ...graph, edges };
    }
    case "reverse_edge": {
      const rest = graph.edges.filter((edge) => !joins(edge, edit.cause, edit.effect));
      if (rest.length === graph.edges.length) return graph;
      const turned = addEdge({ ...graph, edges: rest }, edit.effect, edit.cause);
      return turned.edges.length > rest.length ? turned : graph;
    }
    case "add_bidirected":
      return addBidirected(graph, edit.one, edit.other);
    case "delete_bidirected":
      return { ...graph, bidirected: graph.bidirected.filter((arrow) => !between(arrow, edit.one, edit.other)) };
    case "auto_layout":
    case "undo":
    case "redo":
      return graph;
  }
}

export function joins(edge: DrawnEdge, cause: string, effect: string): boolean {
  return edge.cause === cause && edge.effect === effect;
}

/** Whether a two-headed arrow has these ends, in either order. */
export function between(arrow: DrawnBidirected, one: string, other: string): boolean {
  return (arrow.one === one && arrow.other === other) || (arrow.one === other && arrow.other === one);
}

export function holds(graph: Graph, selection: Selection): boolean {
  switch (selection.kind) {
    case "node": return graph.nodes.some((node) => node.name === selection.node);
    case "edge": return graph.edges.some((edge) => joins(edge, selection.cause, selection.effect));
    case "bidirected": return graph.bidirected.some((arrow) => between(arrow, selection.one, selection.other));
  }
}

/** Whether `to` can be reached from `from` along the arrows. */
export function reaches(edges: readonly DrawnEdge[], from: string, to: string): boolean {
  const seen = new Set<string>([from]);
  const open = [from];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node === to) return true;
    for (const edge of edges) {
      if (edge.cause === node && !seen.has(edge.effect)) {
        seen.add(edge.effect);
        open.push(edge.effect);
      }
    }
  }
  return false;
}

function addNode(graph: Graph, name: string, x: number, y: number): Graph {
  if (name.trim() === "" || graph.nodes.some((node) => node.name === name)) return graph;
  const known = graph.addable.find((item) => item.name === name);
  const node: DrawnNode = {
    name,
    label: known?.label ?? name,
    role: known?.role ?? "unknown",
    x,
    y,
    note: "",
    detail: "",
  };
  const addable = graph.addable.filter((item) => item.name !== name);
  return { ...graph, nodes: [...graph.nodes, node], addable };
}

function deleteNode(graph: Graph, name: string): Graph {
  const gone = graph.nodes.find((node) => node.name === name);
  if (!gone) return graph;
  const back: Addable[] = gone.role === "unknown" ? [] : [{ name, label: gone.label, role: gone.role }];
  return {
    nodes: graph.nodes.filter((node) => node.name !== name),
    edges: graph.edges.filter((edge) => edge.cause !== name && edge.effect !== name),
    bidirected: graph.bidirected.filter((arrow) => arrow.one !== name && arrow.other !== name),
    addable: [...graph.addable, ...back],
  };
}

/** A column of the data keeps its name and changes its label; any other node changes its name. */
function renameNode(graph: Graph, name: string, wanted: string): Graph {
  const node = graph.nodes.find((item) => item.name === name);
  if (!node || wanted.trim() === "") return graph;
  if (node.role !== "unknown") {
    return { ...graph, nodes: graph.nodes.map((item) => (item === node ? { ...node, label: wanted } : item)) };
  }
  if (graph.nodes.some((item) => item.name === wanted)) return graph;
  const renamed = (end: string) => (end === name ? wanted : end);
  return {
    ...graph,
    nodes: graph.nodes.map((item) => (item === node ? { ...node, name: wanted, label: wanted } : item)),
    edges: graph.edges.map((edge) =>
      edge.cause === name || edge.effect === name
        ? { ...edge, cause: renamed(edge.cause), effect: renamed(edge.effect) }
        : edge,
    ),
    bidirected: graph.bidirected.map((arrow) =>
      arrow.one === name || arrow.other === name
        ? { ...arrow, one: renamed(arrow.one), other: renamed(arrow.other) }
        : arrow,
    ),
  };
}

function addEdge(graph: Graph, cause: string, effect: string): Graph {
  const known = (name: string) => graph.nodes.some((node) => node.name === name);
  if (!known(cause) || !known(effect) || graph.edges.some((edge) => joins(edge, cause, effect))) return graph;
  if (reaches(graph.edges, effect, cause)) return graph;
  const edge: DrawnEdge = { cause, effect, label: "", strength: null, by_hand: false, accepted: "", note: "", mark: null };
  return { ...graph, edges: [...graph.edges, edge] };
}

function addBidirected(graph: Graph, one: string, other: string): Graph {
  const known = (name: string) => graph.nodes.some((node) => node.name === name);
  if (!known(one) || !known(other) || one === other) return graph;
  if (graph.bidirected.some((arrow) => between(arrow, one, other))) return graph;
  return { ...graph, bidirected: [...graph.bidirected, { one, other, note: "", mark: null }] };
}
