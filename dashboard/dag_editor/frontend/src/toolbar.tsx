/** The row of buttons above the drawing. */
import type { ReactNode, Ref } from "react";
import { Icon, type IconName } from "./icons";
import type { Selection } from "./protocol";

export type Panel = "add" | "arrow";

export interface ToolbarProps {
  readonly readOnly: boolean;
  readonly panel: Panel | null;
  readonly canDraw: boolean;
  readonly chosen: Selection["kind"] | null;
  readonly isEmpty: boolean;
  readonly working: boolean;
  readonly saving: boolean;
  /** Whether the drawing fills the screen; null where the browser cannot do that. */
  readonly full: boolean | null;
  readonly addButton: Ref<HTMLButtonElement>;
  readonly arrowButton: Ref<HTMLButtonElement>;
  readonly onPanel: (panel: Panel) => void;
  readonly onCommand: (command: Command) => void;
}

export type Command =
  | "rename" | "reverse" | "delete" | "undo" | "redo" | "tidy" | "fit" | "closer" | "farther" | "full" | "svg" | "png";

export function Toolbar(props: ToolbarProps) {
  const { readOnly, panel, chosen, isEmpty, onPanel, onCommand } = props;
  const run = (command: Command) => () => onCommand(command);
  return (
    <div className="toolbar" role="toolbar" aria-label="Drawing tools">
      {!readOnly && (
        <>
          <div className="group">
            <Tool icon="add" text="Add attribute" hint="Add an attribute to the drawing" open={panel === "add"} buttonRef={props.addButton} onClick={() => onPanel("add")} />
            <Tool icon="arrow" text="Draw an arrow" hint="Draw an arrow by naming its two ends" open={panel === "arrow"} disabled={!props.canDraw} buttonRef={props.arrowButton} onClick={() => onPanel("arrow")} />
          </div>
          <div className="group">
            <Tool icon="rename" label="Rename selected" hint="Rename the selected attribute (F2)" disabled={chosen !== "node"} onClick={run("rename")} />
            <Tool icon="reverse" label="Reverse selected arrow" hint="Turn the selected arrow around" disabled={chosen !== "edge"} onClick={run("reverse")} />
            <Tool icon="remove" label="Delete selected" hint="Delete the selected attribute or arrow (Delete)" disabled={chosen === null} onClick={run("delete")} />
          </div>
          <div className="group">
            <Tool icon="tidy" text="Tidy up" hint="Arrange the drawing from causes to effects" disabled={isEmpty} onClick={run("tidy")} />
          </div>
        </>
      )}
      <span className="hint" aria-live="polite">
        {props.working ? "Working…" : props.saving ? "Saving…" : ""}
      </span>
      <div className="end">
        <div className="group">
          <Tool icon="fit" label="Fit to view" hint="Show the whole drawing" disabled={isEmpty} onClick={run("fit")} />
          <Tool icon="closer" label="Zoom in" hint="Zoom in (Ctrl + mouse wheel)" onClick={run("closer")} />
          <Tool icon="farther" label="Zoom out" hint="Zoom out (Ctrl + mouse wheel)" onClick={run("farther")} />
          {props.full !== null && (
            <Tool icon={props.full ? "leave" : "full"} label={props.full ? "Leave full screen" : "Full screen"} hint={props.full ? "Leave full screen (Escape)" : "Fill the screen with the drawing"} onClick={run("full")} />
          )}
        </div>
        <div className="group">
          <Tool icon="save" text="SVG" label="Download SVG" hint="Download the drawing as a vector graphic" disabled={isEmpty} onClick={run("svg")} />
          <Tool icon="save" text="PNG" label="Download PNG" hint="Download the drawing as a picture" disabled={isEmpty} onClick={run("png")} />
        </div>
      </div>
    </div>
  );
}

interface ToolProps {
  readonly icon: IconName;
  readonly hint: string;
  readonly text?: string;
  readonly label?: string;
  readonly open?: boolean;
  readonly disabled?: boolean;
  readonly buttonRef?: Ref<HTMLButtonElement>;
  readonly onClick: () => void;
}

export function Tool({ icon, hint, text, label, open, disabled, buttonRef, onClick }: ToolProps): ReactNode {
  return (
    <button type="button" ref={buttonRef} className="tool" title={hint} aria-label={label ?? text} aria-expanded={open} disabled={disabled} onClick={onClick}>
      <Icon name={icon} />
      {text !== undefined && <span>{text}</span>}
    </button>
  );
}
