/** A node: its role is told by shape, colour and a line of text. */
import { memo, useEffect, useRef, type KeyboardEvent } from "react";
import { Handle, Position, type Node, type NodeProps } from "@xyflow/react";
import { useActions } from "./actions";
import { outline, polygon, type Box } from "./geometry";
import type { DrawnNode, Role } from "./protocol";
import { LONGEST_NAME, nodeTitle, ROLE_CAPTION } from "./wording";

export type FlowNode = Node<
  { readonly node: DrawnNode; readonly box: Box; readonly renaming: boolean; readonly readOnly: boolean },
  "attribute"
>;

export const NodeView = memo(function NodeView({ data }: NodeProps<FlowNode>) {
  const { node, box, renaming, readOnly } = data;
  return (
    <div className={`node ${node.role}`} title={renaming ? undefined : nodeTitle(node)}>
      <Shape role={node.role} width={box.width} height={box.height} />
      <Handle id="in" type="target" position={Position.Left} isConnectableStart={false} className="whole" />
      <div className="node-text">
        <span className="caption">{ROLE_CAPTION[node.role]}</span>
        {renaming ? <NameInput node={node} /> : <span className="name" dir="auto">{node.label}</span>}
        {node.detail !== "" && <span className="detail" dir="auto">{node.detail}</span>}
      </div>
      <Start id="right" position={Position.Right} readOnly={readOnly} />
      <Start id="bottom" position={Position.Bottom} readOnly={readOnly} />
    </div>
  );
});

/** Where an arrow starts. A drawing that is only shown has it too, unseen: arrows are tied to it. */
function Start({ id, position, readOnly }: { id: string; position: Position; readOnly: boolean }) {
  return (
    <Handle
      id={id}
      type="source"
      position={position}
      isConnectable={!readOnly}
      isConnectableEnd={false}
      className={readOnly ? "unseen" : "start"}
      title={readOnly ? undefined : "Drag to another attribute to draw an arrow"}
    />
  );
}

function Shape({ role, width, height }: { role: Role; width: number; height: number }) {
  return (
    <svg className="shape" width={width} height={height} aria-hidden="true">
      {role === "relevant" || role === "unknown" ? (
        <rect className="line" x={1} y={1} width={width - 2} height={height - 2} rx={role === "unknown" ? 4 : 14} />
      ) : (
        <polygon className="line" points={polygon(outline(role, width, height, 1))} />
      )}
      {role === "protected" && <polygon className="second" points={polygon(outline(role, width, height, 5))} />}
    </svg>
  );
}

function NameInput({ node }: { node: DrawnNode }) {
  const { finishRename } = useActions();
  const field = useRef<HTMLInputElement>(null);
  const done = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const finish = (name: string | null) => {
    if (done.current) return;
    done.current = true;
    finishRename(node.name, name);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") finish(event.currentTarget.value);
    if (event.key === "Escape") finish(null);
  };
  return (
    <input
      ref={field}
      className="name-input nodrag nopan nokey"
      aria-label={`New name for ${node.label}`}
      defaultValue={node.label}
      maxLength={LONGEST_NAME}
      dir="auto"
      onKeyDown={onKeyDown}
      onBlur={(event) => finish(event.currentTarget.value)}
    />
  );
}
