/** One mounted editor: what Python said last, what is still pending, and what is selected. */
import { placeMissing, keepSame } from "./placing";
import { token } from "./wording";
import { apply, holds, type Graph } from "./reducer";
import {
  sameSelection,
  selectionKey,
  type Edit,
  type EditorData,
  type Log,
  type Operation,
  type Publish,
  type Refusal,
  type Selection,
} from "./protocol";

const PAUSE_BETWEEN_LOGS = 120;
const FIRST_RETRY = 5_000;
const LAST_RETRY = 60_000;

export interface View {
  readonly data: EditorData;
  readonly graph: Graph;
  readonly selection: Selection | null;
  readonly refusals: readonly Refusal[];
  readonly pending: number;
  /** The last operation that Python has done or refused. */
  readonly acknowledged: number;
  /** Python is working something out that the browser cannot draw by itself. */
  readonly waiting: boolean;
}

export class Session {
  readonly client = token();
  private seq = 0;
  private acknowledged = 0;
  private dismissed = 0;
  private published = 0;
  private attempt = 0;
  private lastLog = 0;
  private pending: readonly Operation[] = [];
  private base: Graph = { nodes: [], edges: [], bidirected: [], addable: [] };
  private selection: Selection | null = null;
  /** Selections that Python may still echo, oldest first. */
  private echoes: string[] = [];
  private heard: string | null = null;
  private readonly places = new Map<string, readonly [number, number]>();
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private view: View;

  constructor(
    private data: EditorData,
    private publish: Publish,
  ) {
    this.view = this.compose();
    this.receive(data, publish);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): View => this.view;

  /** Takes what a rerun brought: the graph, and how far Python has come with the operations. */
  receive(data: EditorData, publish: Publish): void {
    this.data = data;
    this.publish = publish;
    const edges = keepSame(this.base.edges, data.edges, (edge) => JSON.stringify([edge.cause, edge.effect]));
    const placed = placeMissing(data.nodes, data.edges, this.places);
    this.base = {
      nodes: keepSame(this.base.nodes, placed, (node) => node.name),
      edges,
      bidirected: keepSame(this.base.bidirected, data.bidirected, (arrow) => JSON.stringify([arrow.one, arrow.other])),
      addable: data.addable,
    };
    if (data.acknowledged?.client === this.client && data.acknowledged.seq > this.acknowledged) {
      this.acknowledged = data.acknowledged.seq;
      this.pending = this.pending.filter((operation) => operation.seq > this.acknowledged);
      this.attempt = 0;
    }
    this.hearSelection(data.selected);
    this.refresh();
  }

  /** Makes an operation: drawn at once, and sent with everything else that is pending. Returns its number. */
  readonly dispatch = (edit: Edit): number => {
    if (this.data.read_only) return 0;
    this.seq += 1;
    const before = this.view.graph;
    this.pending = [...this.pending, { ...edit, seq: this.seq }];
    this.followSelection(edit, apply(before, edit));
    this.refresh();
    if (this.timer === undefined) {
      const wait = this.lastLog + PAUSE_BETWEEN_LOGS - Date.now();
      this.timer = setTimeout(this.flush, Math.max(0, wait));
    }
    return this.seq;
  };

  readonly select = (selection: Selection | null): void => {
    if (sameSelection(selection, this.selection)) return;
    this.adopt(selection);
    this.refresh();
  };

  readonly dismiss = (): void => {
    this.dismissed = Math.max(this.dismissed, ...this.view.refusals.map((refusal) => refusal.seq));
    this.refresh();
  };

  /** Sends what is waiting to be sent, now. */
  readonly flush = (): void => {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.published < this.seq) this.sendLog();
  };

  close(): void {
    this.flush();
    clearTimeout(this.retry);
    this.listeners.clear();
  }

  private sendLog(): void {
    const log: Log = { client: this.client, operations: this.pending, attempt: this.attempt };
    this.lastLog = Date.now();
    this.published = this.seq;
    this.publish("log", log);
    clearTimeout(this.retry);
    this.retry = setTimeout(this.sendAgain, Math.min(LAST_RETRY, FIRST_RETRY * 2 ** this.attempt));
  }

  /** A rerun may have been stopped before Python took the log: say it again, ever more slowly. */
  private readonly sendAgain = (): void => {
    if (this.pending.length === 0) return;
    this.attempt += 1;
    this.sendLog();
  };

  private adopt(selection: Selection | null): void {
    this.selection = selection;
    this.echoes = [...this.echoes.slice(-20), selectionKey(selection)];
    this.publish("selection", selection);
  }

  /** Follows Python's own choice, but not the echo of a choice made here that is already outdated. */
  private hearSelection(selected: Selection | null): void {
    const key = selectionKey(selected);
    const before = this.heard;
    this.heard = key;
    if (key === selectionKey(this.selection)) this.echoes = [];
    else if (key !== before) {
      const echo = this.echoes.indexOf(key);
      if (echo >= 0) this.echoes.splice(0, echo + 1);
      else this.adopt(selected);
    }
  }

  private followSelection(edit: Edit, after: Graph): void {
    const chosen = this.selection;
    if (chosen === null || holds(after, chosen)) return;
    let next: Selection | null = null;
    if (edit.op === "rename_node") {
      const renamed = (name: string) => (name === edit.node ? edit.name : name);
      if (chosen.kind === "node") next = { kind: "node", node: renamed(chosen.node) };
      else if (chosen.kind === "edge") next = { kind: "edge", cause: renamed(chosen.cause), effect: renamed(chosen.effect) };
      else next = { kind: "bidirected", one: renamed(chosen.one), other: renamed(chosen.other) };
    } else if (edit.op === "reverse_edge" && chosen.kind === "edge") {
      next = { kind: "edge", cause: chosen.effect, effect: chosen.cause };
    }
    this.adopt(next !== null && holds(after, next) ? next : null);
  }

  private compose(): View {
    const graph = this.pending.reduce<Graph>(apply, this.base);
    const waiting = this.pending.some(({ op }) => op === "auto_layout" || op === "undo" || op === "redo");
    return {
      data: this.data,
      graph,
      selection: this.selection,
      refusals: this.shownRefusals(),
      pending: this.pending.length,
      acknowledged: this.acknowledged,
      waiting,
    };
  }

  /** A refusal stays until it is dismissed or a later operation succeeds. */
  private shownRefusals(): Refusal[] {
    const mine = this.data.refusals.filter((refusal) => refusal.client === this.client);
    const refused = new Set(mine.map((refusal) => refusal.seq));
    let success = this.acknowledged;
    while (refused.has(success)) success -= 1;
    const shown = new Map<string, Refusal>();
    for (const refusal of mine) {
      if (refusal.seq > success && refusal.seq > this.dismissed) {
        shown.set(selectionKey(refusal.target), refusal);
      }
    }
    return [...shown.values()].slice(-3);
  }

  private refresh(): void {
    this.view = this.compose();
    if (this.selection !== null && !holds(this.view.graph, this.selection)) {
      this.adopt(null);
      this.view = { ...this.view, selection: null };
    }
    for (const listener of this.listeners) listener();
  }
}
