/** The editor: toolbar, forms, drawing and callouts around one session. */
import { useCallback, useEffect, useId, useMemo, useRef, useState, useSyncExternalStore, type CSSProperties, type KeyboardEvent } from "react";
import { Background, ReactFlow, ReactFlowProvider, useReactFlow, type Connection, type NodeChange } from "@xyflow/react";
import { ActionsContext, type Actions } from "./actions";
import { Callouts } from "./callouts";
import { EdgeView, type FlowEdge } from "./edge";
import { download, toPng, toSvg } from "./export";
import { Ids, useFlow, type Moved } from "./flow";
import { AddForm, ArrowForm } from "./forms";
import { freePlace } from "./geometry";
import { takesKeys, wishOf } from "./keyboard";
import { NodeView, type FlowNode } from "./node";
import type { Selection } from "./protocol";
import { lineIdOf, selectionOf } from "./routing";
import type { Session } from "./session";
import { Toolbar, type Command, type Panel } from "./toolbar";
import { useFirstFit, useSlowSaving } from "./view";
import { EDGE_HELP, labelOf, NODE_HELP } from "./wording";

const NODE_TYPES = { attribute: NodeView };
const EDGE_TYPES = { arrow: EdgeView };
const FIT = { padding: 0.12, maxZoom: 1.1, duration: 0 };
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
  const [said, setSaid] = useState("");
  const canvas = useRef<HTMLDivElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const arrowButton = useRef<HTMLButtonElement>(null);
  const stepped = useRef<{ timer: ReturnType<typeof setTimeout> | undefined; places: Map<string, readonly [number, number]> }>({ timer: undefined, places: new Map() });
  const fitNext = useRef(false);
  const { nodes, edges, boxes } = useFlow({ ids, graph, moved, selection, renaming, readOnly, helpId });
  const saving = useSlowSaving(view.pending);
  useFirstFit(canvas, graph.nodes.length > 0, () => flow.fitView(FIT));

  useEffect(() => {
    if (fitNext.current && !view.waiting) {
      fitNext.current = false;
      requestAnimationFrame(() => void flow.fitView(FIT));
    }
  }, [view.waiting, flow]);

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
        session.dispatch({ op: "rename_node", node, name: wanted });
        setSaid(`${known.label} is now called ${wanted}.`);
      }
      focusOn({ kind: "node", node: changed && known.role === "unknown" ? wanted : node });
    },
  }), [session, focusOn]);

  const addArrow = (cause: string, effect: string, both = false) => {
    session.dispatch(both ? { op: "add_bidirected", one: cause, other: effect } : { op: "add_edge", cause, effect });
    setSaid(`Arrow drawn ${ends(cause, effect, both)}.`);
  };

  const ends = (one: string, other: string, both: boolean) =>
    `${both ? "between" : "from"} ${labelOf(graph, one)} ${both ? "and" : "to"} ${labelOf(graph, other)}`;

  const addNode = (name: string) => {
    const frame = canvas.current?.getBoundingClientRect();
    const middle = flow.screenToFlowPosition({ x: (frame?.left ?? 0) + (frame?.width ?? 0) / 2 - 64, y: (frame?.top ?? 0) + (frame?.height ?? 0) / 2 });
    const taken = session.snapshot().graph.nodes.map((node) => ({ name: node.name, role: node.role, x: node.x ?? 0, y: node.y ?? 0, width: 160, height: 60 }));
    const [x, y] = freePlace(taken, [middle.x, middle.y]);
    session.dispatch({ op: "add_node", name, x, y });
    setSaid(`${name} added to the drawing.`);
  };

  const remove = (target: Selection | null) => {
    if (target === null || readOnly) return;
    settle();
    if (target.kind === "node") {
      session.dispatch({ op: "delete_node", node: target.node });
      setSaid(`${labelOf(graph, target.node)} deleted.`);
    } else if (target.kind === "edge") {
      session.dispatch({ op: "delete_edge", cause: target.cause, effect: target.effect });
      setSaid(`Arrow ${ends(target.cause, target.effect, false)} deleted.`);
    } else {
      session.dispatch({ op: "delete_bidirected", one: target.one, other: target.other });
      setSaid(`Arrow ${ends(target.one, target.other, true)} deleted.`);
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
          session.dispatch({ op: "reverse_edge", cause: selection.cause, effect: selection.effect });
          setSaid("Arrow turned around.");
        }
        break;
      case "delete": remove(selection); break;
      case "undo": session.dispatch({ op: "undo" }); setSaid("Undone."); break;
      case "redo": session.dispatch({ op: "redo" }); setSaid("Redone."); break;
      case "tidy":
        fitNext.current = true;
        session.dispatch({ op: "auto_layout" });
        setSaid("Drawing tidied up.");
        break;
      case "fit": void flow.fitView(FIT); break;
      case "closer": void flow.zoomIn(); break;
      case "farther": void flow.zoomOut(); break;
      case "svg": download(new Blob([toSvg(graph, data.file_name)], { type: "image/svg+xml" }), data.file_name, "svg"); break;
      case "png":
        toPng(toSvg(graph, data.file_name)).then((picture) => download(picture, data.file_name, "png"), () => setSaid("The picture could not be made."));
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
    const history = wish?.wish === "undo" || wish?.wish === "redo";
    if (wish === null || (!inCanvas && !history) || (readOnly && wish.wish !== "select" && wish.wish !== "escape")) return;
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
      <div className={`dag-editor ${connecting ? "connecting" : ""}`} style={{ ...colours, height: data.height }} onKeyDown={onKeyDown}>
        <Toolbar
          readOnly={readOnly} panel={panel} canDraw={graph.nodes.length > 1} chosen={selection?.kind ?? null}
          canUndo={canUndo} canRedo={data.can_redo} isEmpty={graph.nodes.length === 0} working={view.waiting} saving={saving}
          addButton={addButton} arrowButton={arrowButton}
          onPanel={(wanted) => setPanel(panel === wanted ? null : wanted)} onCommand={onCommand}
        />
        <div className="stage">
          {panel === "add" && <AddForm addable={graph.addable} onAdd={addNode} onClose={closePanel} />}
          {panel === "arrow" && <ArrowForm nodes={graph.nodes} start={selection?.kind === "node" ? selection.node : ""} onAdd={addArrow} onClose={closePanel} />}
          <div className="canvas" ref={canvas} tabIndex={-1} role="group" aria-label="Causal drawing">
            <ReactFlow<FlowNode, FlowEdge>
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
              connectionRadius={30} nodeDragThreshold={3} minZoom={0.15} maxZoom={3}
              preventScrolling={false} zoomOnDoubleClick={false}
              deleteKeyCode={null} selectionKeyCode={null} multiSelectionKeyCode={null} panActivationKeyCode={null} zoomActivationKeyCode={null}
              disableKeyboardA11y connectOnClick={false} elevateNodesOnSelect
            >
              <Background gap={24} size={1} />
            </ReactFlow>
            {graph.nodes.length === 0 && <p className="empty">Nothing is drawn yet. {readOnly ? "" : "Start with “Add attribute”."}</p>}
            <Callouts refusals={view.refusals} boxes={boxes} onDismiss={session.dismiss} />
          </div>
        </div>
        <p id={`${helpId}-node`} hidden>{NODE_HELP}</p>
        <p id={`${helpId}-edge`} hidden>{EDGE_HELP}</p>
        <p className="said" role="status" aria-live="polite">{said}</p>
      </div>
    </ActionsContext.Provider>
  );
}

function asSelection(id: string, ids: Ids): Selection {
  if (!id.startsWith("[")) return { kind: "node", node: ids.name(id) };
  const [cause = "", effect = "", both] = JSON.parse(id) as string[];
  return selectionOf({ cause, effect, both: both !== undefined });
}
