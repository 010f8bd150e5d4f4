/** What Python and the browser say to each other. `messages.py` holds the same on the other side. */

export type Role = "protected" | "relevant" | "decision" | "unknown";
export type Mark = "only here" | "only there" | "differs";

export interface DrawnNode {
  readonly name: string;
  readonly label: string;
  readonly role: Role;
  readonly x: number | null;
  readonly y: number | null;
  readonly note: string;
  readonly detail: string;
}

export interface DrawnEdge {
  readonly cause: string;
  readonly effect: string;
  readonly label: string;
  readonly strength: number | null;
  readonly by_hand: boolean;
  readonly note: string;
  readonly mark: Mark | null;
}

export interface Addable {
  readonly name: string;
  readonly label: string;
  readonly role: Role;
}

export type Selection =
  | { readonly kind: "node"; readonly node: string }
  | { readonly kind: "edge"; readonly cause: string; readonly effect: string };

export interface Refusal {
  readonly client: string;
  readonly seq: number;
  readonly message: string;
  readonly target: Selection | null;
}

export interface EditorData {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  readonly addable: readonly Addable[];
  readonly acknowledged: { readonly client: string; readonly seq: number } | null;
  readonly refusals: readonly Refusal[];
  readonly can_undo: boolean;
  readonly can_redo: boolean;
  readonly read_only: boolean;
  readonly selected: Selection | null;
  readonly height: number;
  readonly file_name: string;
  readonly palette?: Partial<Record<Role, string>> | null;
}

export type Edit =
  | { readonly op: "add_node"; readonly name: string; readonly x: number; readonly y: number }
  | { readonly op: "delete_node"; readonly node: string }
  | { readonly op: "rename_node"; readonly node: string; readonly name: string }
  | { readonly op: "move_nodes"; readonly positions: Readonly<Record<string, readonly [number, number]>> }
  | { readonly op: "add_edge" | "delete_edge" | "reverse_edge"; readonly cause: string; readonly effect: string }
  | { readonly op: "auto_layout" | "undo" | "redo" };

export type Operation = Edit & { readonly seq: number };

/** The state named "log": everything that Python has not yet acknowledged. */
export interface Log {
  readonly client: string;
  readonly operations: readonly Operation[];
  /** Grows when the same log is sent again, so that Streamlit takes it for a change. */
  readonly attempt: number;
}

export type Publish = (name: "log" | "selection", value: unknown) => void;

export function sameSelection(a: Selection | null, b: Selection | null): boolean {
  return selectionKey(a) === selectionKey(b);
}

export function selectionKey(selection: Selection | null): string {
  if (selection === null) return "null";
  return selection.kind === "node"
    ? JSON.stringify(["node", selection.node])
    : JSON.stringify(["edge", selection.cause, selection.effect]);
}
