/** The words of the editor, for eyes and for screen readers. */
import type { DrawnNode, Role } from "./protocol";
import type { Graph } from "./reducer";
import type { Line } from "./routing";

export const LONGEST_NAME = 200;

/** The small line on a node. */
export const ROLE_CAPTION: Record<Role, string> = {
  protected: "protected",
  relevant: "relevant",
  decision: "decision",
  unknown: "not in the data",
};

export const ROLE_NAME: Record<Role, string> = {
  protected: "protected attribute",
  relevant: "relevant attribute",
  decision: "decision",
  unknown: "attribute not in the data",
};

export const ROLE_GROUP: Record<Role, string> = {
  protected: "Protected",
  relevant: "Relevant",
  decision: "Decision",
  unknown: "Other",
};

export const NODE_HELP =
  "Enter or F2 renames, Space selects, the arrow keys move, Delete removes. Draw an arrow with the button above.";
export const DRAW_HINT = "Drag from a dot at an attribute’s edge to draw an arrow.";
export const FULL_HINT = "Ctrl+Z undoes, Escape leaves.";
export const EDGE_HELP = "Space or Enter selects, Delete removes.";

export function labelOf(graph: Graph, name: string): string {
  return graph.nodes.find((node) => node.name === name)?.label ?? name;
}

export function describeNode(node: DrawnNode, out: number, into: number): string {
  const parts = [node.label, ROLE_NAME[node.role]];
  if (node.label !== node.name) parts.push(`column ${node.name}`);
  if (into > 0) parts.push(`${arrows(into)} in`);
  if (out > 0) parts.push(`${arrows(out)} out`);
  if (into + out === 0) parts.push("no arrows");
  if (node.detail !== "") parts.push(node.detail);
  return parts.join(", ");
}

const UNMEASURED = "something unmeasured moves both";

export function describeEdge(edge: Line, cause: string, effect: string): string {
  const parts = edge.both ? [`two-headed arrow between ${cause} and ${effect}`, UNMEASURED] : [`arrow from ${cause} to ${effect}`];
  if (edge.label !== "") parts.push(`coefficient ${edge.label}`, edge.by_hand ? "set by hand" : "fitted");
  else if (edge.by_hand) parts.push("set by hand");
  if (edge.accepted !== "") parts.push(`accepted as justified: ${edge.accepted}`);
  if (edge.mark !== null) parts.push(edge.mark);
  return parts.join(", ");
}

/** What the pointer shows when it rests on a node: the full name and what is known about it. */
export function nodeTitle(node: DrawnNode): string {
  const column = node.label === node.name ? "" : `column ${node.name}`;
  return [node.label, column, ROLE_NAME[node.role], node.detail, node.note].filter((line) => line !== "").join("\n");
}

export function edgeTitle(edge: Line, cause: string, effect: string): string {
  const source = edge.by_hand ? "by hand" : edge.label === "" ? "" : "fitted";
  const value = [edge.label, source].filter((part) => part !== "").join(", ");
  const accepted = edge.accepted === "" ? "" : `accepted: ${edge.accepted}`;
  return [`${cause} ${edge.both ? "↔" : "→"} ${effect}`, edge.both ? UNMEASURED : value, accepted, edge.mark ?? "", edge.note].filter((line) => line !== "").join("\n");
}

function arrows(count: number): string {
  return count === 1 ? "1 arrow" : `${count} arrows`;
}

/** A name that nobody can guess; also where `crypto.randomUUID` is missing (plain http). */
export function token(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
