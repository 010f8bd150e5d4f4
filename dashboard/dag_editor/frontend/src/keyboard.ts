/** Which key asks for what, and whether a key belongs to a text field instead. */

export type KeyWish =
  | { readonly wish: "move"; readonly dx: number; readonly dy: number }
  | { readonly wish: "delete" | "rename" | "select" | "escape" | "undo" | "redo" };

const STEPS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const STEP = 10;

interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

export function wishOf(key: Key, onNode: boolean, onEdge: boolean): KeyWish | null {
  const name = key.key.length === 1 ? key.key.toLowerCase() : key.key;
  if (key.altKey) return null;
  if (key.ctrlKey || key.metaKey) {
    if (name === "z") return { wish: key.shiftKey ? "redo" : "undo" };
    return name === "y" ? { wish: "redo" } : null;
  }
  const step = STEPS[name];
  if (step && onNode) {
    const length = key.shiftKey ? 4 * STEP : STEP;
    return { wish: "move", dx: step[0] * length, dy: step[1] * length };
  }
  if (name === "Delete" || name === "Backspace") return { wish: "delete" };
  if (name === "Escape") return { wish: "escape" };
  if (name === "F2" || (name === "Enter" && onNode)) return { wish: "rename" };
  if ((name === " " && (onNode || onEdge)) || (name === "Enter" && onEdge)) return { wish: "select" };
  return null;
}

/** Whether the element takes typed text or keys of its own. */
export function takesKeys(element: Element | null): boolean {
  return element !== null && element.closest("input, textarea, select, [contenteditable]") !== null;
}
