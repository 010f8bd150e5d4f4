/** The editor: toolbar, forms, drawing and callouts around one session. */
import { useCallback, useEffect, useId, useMemo, useRef, useState, useSyncExternalStore, type CSSProperties, type KeyboardEvent } from "react";
import { Background, ReactFlow, ReactFlowProvider, useReactFlow, useStore, type Connection, type NodeChange } from "@xyflow/react";
import { ActionsContext, type Actions } from "./actions";
import { EdgeView, type FlowEdge } from "./edge";
import { download, toPng, toSvg } from "./export";
import { fitted, LEAST_ZOOM } from "./fitting";
import { Ids, useFlow, type Moved } from "./flow";
import { AddForm, ArrowForm } from "./forms";
import { freePlace } from "./geometry";
import { takesKeys, wishOf } from "./keyboard";
import { NodeView, type FlowNode } from "./node";
import type { Selection } from "./protocol";
import { holds } from "./reducer";
import { lineIdOf, selectionOf } from "./routing";
import { useSaying } from "./saying";
import type { Session } from "./session";
import { refusedNames, Strip } from "./strip";
import { Toolbar, type Command, type Panel } from "./toolbar";
import { useFullScreen, useKeptFit, useSlowSaving } from "./view";
import { DRAW_HINT, EDGE_HELP, FULL_HINT, labelOf, NODE_HELP } from "./wording";

const NODE_TYPES = { attribute: NodeView };
const EDGE_TYPES = { arrow: EdgeView };
/** How large a small drawing may become: type of 30 pixels beside other things, of 42 for a full screen. */
const MOST_ZOOM = { page: 2.1, screen: 3 };
const NOTHING_MOVED: Moved = new Map();
const MOVE_PAUSE = 350;

export function Editor({ session }: { session: Session }) {
  return (
    <ReactFlowProvider>
      <Drawing session={session} />
    </ReactFlowProvider>
  );
}

function Drawing({ session }: { session: Session }) {
  const view = useSyncExternalStore(session.subscribe, session.snapshot);
  const { data, graph, selection } = view;
  const readOnly = data.read_only;
  const helpId = useId();
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const [ids] = useState(() => new Ids());
  const [moved, setMoved] = useState<Moved>(NOTHING_MOVED);
  const [renaming, setRenaming] = useState<string | null>(null);
  const [panel, setPanel] = useState<Panel | null>(null);
  const [connecting, setConnecting] = useState(false);
  const [isReady, setReady] = useState(false);
  const [grow, setGrow] = useState(1);
  const { said, sayNow, sayDone } = useSaying(view);
  const editor = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLDivElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const arrowButton = useRef<HTMLButtonElement>(null);
  const stepped = useRef<{ timer: ReturnType<typeof setTimeout> | undefined; places: Map<string, readonly [number, number]> }>({ timer: undefined, places: new Map() });
  const fitNext = useRef(false);
  const refused = useMemo(() => refusedNames(view.refusals), [view.refusals]);
  const { nodes, edges, boxes } = useFlow({ ids, graph, moved, selection, renaming, readOnly, helpId, grow, refused });
  const saving = useSlowSaving(view.pending);
  const zoom = useStore((state) => state.transform[2]);
  const [isFull, toggleFull] = useFullScreen(editor);

  const fit = () => {
    const room = canvas.current;
    if (room === null) return;
    const best = fitted(session.snapshot().graph, room.clientWidth, room.clientHeight, isFull ? MOST_ZOOM.screen : MOST_ZOOM.page);
    setGrow(best.grow);
    void flow.setViewport(best.viewport);
  };
  const { moved: movedByHand, fitNow } = useKeptFit(canvas, isReady && graph.nodes.length > 0, fit);
  useEffect(() => {
    if (isReady) fitNow();
  }, [isFull, isReady, fitNow]);

  useEffect(() => {
    if (fitNext.current && !view.waiting) {
      fitNext.current = false;
      fitNow();
    }
  }, [view.waiting, fitNow]);

  /** Sends the steps made with the arrow keys as one move. */
  const settle = useCallback(() => {
    const { timer, places } = stepped.current;
    clearTimeout(timer);
    if (places.size === 0) return;
    stepped.current = { timer: undefined, places: new Map() };
    session.dispatch({ op: "move_nodes", positions: Object.fromEntries(places) });
    setMoved(NOTHING_MOVED);
  }, [session]);

  const focusOn = useCallback((target: Selection | null) => {
    requestAnimationFrame(() => {
      const id = target === null ? null : target.kind === "node" ? ids.of(target.node) : lineIdOf(target);
      const found = id === null ? null : [...(canvas.current?.querySelectorAll<HTMLElement>("[data-id]") ?? [])].find((item) => item.dataset.id === id && item.tabIndex >= 0);
      (found ?? canvas.current)?.focus({ preventScroll: true });
    });
  }, [ids]);

  const actions = useMemo<Actions>(() => ({
    select: (target) => {
      session.select(target);
      focusOn(target);
    },
    startRename: (node) => setRenaming(node),
    finishRename: (node, name) => {
      setRenaming(null);
      const known = session.snapshot().graph.nodes.find((item) => item.name === node);
      const wanted = name?.trim() ?? "";
      const changed = known !== undefined && wanted !== "" && wanted !== known.label;
      if (changed) {
        sayDone(session.dispatch({ op: "rename_node", node, name: wanted }), `${known.label} is now called ${wanted}.`);
      }
      focusOn({ kind: "node", node: changed && known.role === "unknown" ? wanted : node });
    },
  }), [session, focusOn, sayDone]);

  const addArrow = (cause: string, effect: string, both = false) => {
    const seq = session.dispatch(both ? { op: "add_bidirected", one: cause, other: effect } : { op: "add_edge", cause, effect });
    const drawn = selectionOf({ cause, effect, both });
    sayDone(seq, `Arrow drawn ${ends(cause, effect, both)}.`, (now) => holds(now, drawn));
  };

  const ends = (one: string, other: string, both: boolean) =>
    `${both ? "between" : "from"} ${labelOf(graph, one)} ${both ? "and" : "to"} ${labelOf(graph, other)}`;

  const addNode = (name: string) => {
    const frame = canvas.current?.getBoundingClientRect();
    const middle = flow.screenToFlowPosition({ x: (frame?.left ?? 0) + (frame?.width ?? 0) / 2 - 64, y: (frame?.top ?? 0) + (frame?.height ?? 0) / 2 });
    const taken = session.snapshot().graph.nodes.map((node) => ({ name: node.name, role: node.role, x: node.x ?? 0, y: node.y ?? 0, width: 160, height: 60 }));
    const [x, y] = freePlace(taken, [middle.x, middle.y]);
    sayDone(session.dispatch({ op: "add_node", name, x, y }), `${name} added to the drawing.`);
  };

  const remove = (target: Selection | null) => {
    if (target === null || readOnly) return;
    settle();
    if (target.kind === "node") {
      sayDone(session.dispatch({ op: "delete_node", node: target.node }), `${labelOf(graph, target.node)} deleted.`);
    } else if (target.kind === "edge") {
      const seq = session.dispatch({ op: "delete_edge", cause: target.cause, effect: target.effect });
      sayDone(seq, `Arrow ${ends(target.cause, target.effect, false)} deleted.`);
    } else {
      const seq = session.dispatch({ op: "delete_bidirected", one: target.one, other: target.other });
      sayDone(seq, `Arrow ${ends(target.one, target.other, true)} deleted.`);
    }
    focusOn(null);
  };

  const step = (name: string, dx: number, dy: number) => {
    const box = boxes.find((item) => item.name === name);
    if (!box || readOnly) return;
    const { places } = stepped.current;
    const [x, y] = places.get(name) ?? [box.x, box.y];
    places.set(name, [x + dx, y + dy]);
    clearTimeout(stepped.current.timer);
    stepped.current.timer = setTimeout(settle, MOVE_PAUSE);
    setMoved(new Map(places));
  };

  const closePanel = () => {
    const button = panel === "add" ? addButton : arrowButton;
    setPanel(null);
    button.current?.focus();
  };

  const onCommand = (command: Command) => {
    settle();
    switch (command) {
      case "rename": if (selection?.kind === "node") setRenaming(selection.node); break;
      case "reverse":
        if (selection?.kind === "edge") {
          const { cause, effect } = selection;
          const turned: Selection = { kind: "edge", cause: effect, effect: cause };
          sayDone(session.dispatch({ op: "reverse_edge", cause, effect }), "Arrow turned around.", (now) => holds(now, turned));
        }
        break;
      case "delete": remove(selection); break;
      case "undo": sayDone(session.dispatch({ op: "undo" }), "Undone."); break;
      case "redo": sayDone(session.dispatch({ op: "redo" }), "Redone."); break;
      case "tidy":
        fitNext.current = true;
        sayDone(session.dispatch({ op: "auto_layout" }), "Drawing tidied up.");
        break;
      case "fit": fitNow(); break;
      case "closer": movedByHand(); void flow.zoomIn(); break;
      case "farther": movedByHand(); void flow.zoomOut(); break;
      case "full": toggleFull(); break;
      case "svg": download(new Blob([toSvg(graph, data.file_name)], { type: "image/svg+xml" }), data.file_name, "svg"); break;
      case "png":
        toPng(toSvg(graph, data.file_name)).then((picture) => download(picture, data.file_name, "png"), () => sayNow("The picture could not be made."));
        break;
    }
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const element = event.target as Element;
    const inCanvas = canvas.current?.contains(element) ?? false;
    if (event.key === "Escape" && panel !== null && !inCanvas) {
      event.stopPropagation();
      closePanel();
      return;
    }
    if (takesKeys(element) || event.nativeEvent.isComposing) return;
    const id = element.closest<HTMLElement>(".react-flow__node, .react-flow__edge")?.dataset.id;
    const focused: Selection | null = id === undefined ? null : asSelection(id, ids);
    const wish = wishOf(event, focused?.kind === "node", focused !== null && focused.kind !== "node");
    const everywhere = wish?.wish === "undo" || wish?.wish === "redo" || (wish?.wish === "escape" && isFull);
    if (wish === null || (!inCanvas && !everywhere) || (readOnly && wish.wish !== "select" && wish.wish !== "escape")) return;
    const target = focused ?? selection;
    event.preventDefault();
    event.stopPropagation();
    switch (wish.wish) {
      case "move": if (focused?.kind === "node") step(focused.node, wish.dx, wish.dy); break;
      case "delete": remove(target); break;
      case "rename": if (target?.kind === "node") { settle(); setRenaming(target.node); } break;
      case "select": session.select(focused); break;
      case "undo": if (canUndo) onCommand("undo"); break;
      case "redo": if (data.can_redo) onCommand("redo"); break;
      case "escape":
        if (isFull && view.refusals.length === 0 && selection === null) toggleFull();
        session.dismiss();
        session.select(null);
        setPanel(null);
        break;
    }
  };

  const onNodesChange = (changes: NodeChange<FlowNode>[]) => {
    const places = changes.flatMap((change) => change.type === "position" && change.position && change.dragging ? [[ids.name(change.id), [change.position.x, change.position.y]] as const] : []);
    if (places.length > 0) setMoved((before) => new Map([...before, ...places]));
  };

  const onDragStop = (_: unknown, node: FlowNode, dragged: FlowNode[]) => {
    const before = boxes.find((box) => box.name === ids.name(node.id));
    const places = (dragged.length > 0 ? dragged : [node]).map(({ id, position }) => [ids.name(id), [position.x, position.y]] as const);
    const shifted = moved.size > 0 || before === undefined || before.x !== node.position.x || before.y !== node.position.y;
    if (shifted) session.dispatch({ op: "move_nodes", positions: Object.fromEntries(places) });
    setMoved(NOTHING_MOVED);
  };

  const onConnect = ({ source, target }: Connection) => {
    if (source !== target) addArrow(ids.name(source), ids.name(target));
  };

  const canUndo = data.can_undo || view.pending > 0;
  const colours = Object.fromEntries(Object.entries(data.palette ?? {}).map(([role, colour]) => [`--dag-${role}`, colour])) as CSSProperties;
  return (
    <ActionsContext.Provider value={actions}>
      <div className={`dag-editor ${connecting ? "connecting" : ""} ${data.fills ? "fills" : ""}`} style={{ ...colours, ...numbers({ height: `${data.height}px`, grow, near: 1 / zoom }) }} ref={editor} onKeyDown={onKeyDown}>
        <Toolbar
          readOnly={readOnly} panel={panel} canDraw={graph.nodes.length > 1} chosen={selection?.kind ?? null}
          isEmpty={graph.nodes.length === 0} working={view.waiting} saving={saving} full={document.fullscreenEnabled ? isFull : null}
          addButton={addButton} arrowButton={arrowButton}
          onPanel={(wanted) => setPanel(panel === wanted ? null : wanted)} onCommand={onCommand}
        />
        <div className="stage">
          {panel === "add" && <AddForm addable={graph.addable} onAdd={addNode} onClose={closePanel} />}
          {panel === "arrow" && <ArrowForm nodes={graph.nodes} start={selection?.kind === "node" ? selection.node : ""} onAdd={addArrow} onClose={closePanel} />}
          <div className="canvas" ref={canvas} tabIndex={-1} role="group" aria-label="Causal drawing">
            <ReactFlow<FlowNode, FlowEdge>
              className={isReady ? "" : "unfitted"} onInit={() => setReady(true)} onMoveStart={(event) => { if (event !== null) movedByHand(); }}
              nodes={nodes} edges={edges} nodeTypes={NODE_TYPES} edgeTypes={EDGE_TYPES}
              onNodesChange={onNodesChange}
              onNodeClick={(_, node) => session.select({ kind: "node", node: ids.name(node.id) })}
              onNodeDoubleClick={(_, node) => { if (!readOnly) setRenaming(ids.name(node.id)); }}
              onNodeDragStart={() => settle()}
              onNodeDragStop={onDragStop}
              onEdgeClick={(_, edge) => { if (edge.data) actions.select(selectionOf(edge.data.edge)); }}
              onPaneClick={() => actions.select(null)}
              onConnect={onConnect}
              onConnectStart={() => setConnecting(true)}
              onConnectEnd={() => setConnecting(false)}
              isValidConnection={({ source, target }) => source !== target}
              nodesDraggable={!readOnly} nodesConnectable={!readOnly} nodesFocusable edgesFocusable
              connectionRadius={30} nodeDragThreshold={3} minZoom={LEAST_ZOOM} maxZoom={4}
              preventScrolling={false} zoomOnDoubleClick={false}
              deleteKeyCode={null} selectionKeyCode={null} multiSelectionKeyCode={null} panActivationKeyCode={null} zoomActivationKeyCode={null}
              disableKeyboardA11y connectOnClick={false} elevateNodesOnSelect
            >
              <Background gap={24} size={1} />
            </ReactFlow>
            {graph.nodes.length === 0 && <p className="empty">Nothing is drawn yet. {readOnly ? "" : "Start with “Add attribute”."}</p>}
          </div>
        </div>
        <Strip graph={graph} refusals={view.refusals} hint={readOnly ? "" : isFull ? FULL_HINT : DRAW_HINT} onDismiss={session.dismiss} />
        <p id={`${helpId}-node`} hidden>{NODE_HELP}</p>
        <p id={`${helpId}-edge`} hidden>{EDGE_HELP}</p>
        <p className="said" role="status" aria-live="polite">{said}</p>
      </div>
    </ActionsContext.Provider>
  );
}

/** Numbers for the style sheet. */
function numbers(values: Readonly<Record<string, number | string>>): CSSProperties {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`--${name}`, value])) as CSSProperties;
}

function asSelection(id: string, ids: Ids): Selection {
  if (!id.startsWith("[")) return { kind: "node", node: ids.name(id) };
  const [cause = "", effect = "", both] = JSON.parse(id) as string[];
  return selectionOf({ cause, effect, both: both !== undefined });
}
