/** What Python and the browser say to each other; the types are made from `protocol.py`. */
import type { Operation, Selection } from "./generated/protocol";

export type * from "./generated/protocol";

/** An operation before it has a number. */
export type Edit = Operation extends infer Each ? (Each extends Operation ? Omit<Each, "seq"> : never) : never;

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
  switch (selection.kind) {
    case "node": return JSON.stringify(["node", selection.node]);
    case "edge": return JSON.stringify(["edge", selection.cause, selection.effect]);
    case "bidirected": return JSON.stringify(["bidirected", selection.one, selection.other]);
  }
}
