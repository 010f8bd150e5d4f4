/** The two small forms under the toolbar: the keyboard's way to attributes and arrows. */
import { useId, useRef, useState, type FormEvent, type Ref } from "react";
import type { Addable, DrawnNode, Role } from "./protocol";
import { Icon } from "./icons";
import { LONGEST_NAME, ROLE_GROUP } from "./wording";

const ROLES: readonly Role[] = ["protected", "relevant", "decision", "unknown"];

export function AddForm(props: {
  readonly addable: readonly Addable[];
  readonly onAdd: (name: string) => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return;
    props.onAdd(name.trim());
    setName("");
    field.current?.focus();
  };
  const choose = (item: Addable) => {
    props.onAdd(item.name);
    panel.current?.focus(); // the button goes away, and the focus must not go with it
  };
  return (
    <section className="panel" aria-label="Add attribute" ref={panel} tabIndex={-1}>
      <CloseButton onClick={props.onClose} />
      <div className="choices">
        {props.addable.length === 0 && <p className="quiet">All attributes of the data are in the drawing.</p>}
        {ROLES.map((role) => {
          const items = props.addable.filter((item) => item.role === role);
          return items.length === 0 ? null : (
            <div key={role} className="choice-group" role="group" aria-label={ROLE_GROUP[role]}>
              <h3>{ROLE_GROUP[role]}</h3>
              {items.map((item) => (
                <button key={item.name} type="button" className={`choice ${role}`} title={item.name} onClick={() => choose(item)}>
                  <Icon name="add" />
                  <span dir="auto">{item.label}</span>
                </button>
              ))}
            </div>
          );
        })}
      </div>
      <form className="line-form" onSubmit={submit}>
        <label>
          Other name…
          <input ref={field} value={name} maxLength={LONGEST_NAME} dir="auto" placeholder="something that is not in the data" onChange={(event) => setName(event.target.value)} />
        </label>
        <button type="submit" className="primary" disabled={name.trim() === ""}>Add</button>
      </form>
    </section>
  );
}

export function ArrowForm(props: {
  readonly nodes: readonly DrawnNode[];
  readonly start: string;
  readonly onAdd: (cause: string, effect: string, both: boolean) => void;
  readonly onClose: () => void;
}) {
  const [cause, setCause] = useState(props.start);
  const [effect, setEffect] = useState("");
  const [both, setBoth] = useState(false);
  const next = useRef<HTMLSelectElement>(null);
  const known = (name: string) => props.nodes.some((node) => node.name === name);
  const ready = known(cause) && known(effect) && cause !== effect;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!ready) return;
    props.onAdd(cause, effect, both);
    setEffect("");
    next.current?.focus();
  };
  return (
    <section className="panel" aria-label="Draw an arrow">
      <CloseButton onClick={props.onClose} />
      <form className="line-form" onSubmit={submit}>
        <NodeSelect label="From" value={cause} nodes={props.nodes} onChange={setCause} />
        <NodeSelect label="To" selectRef={next} value={effect} nodes={props.nodes.filter((node) => node.name !== cause)} onChange={setEffect} />
        <label className="tick">
          <input type="checkbox" checked={both} onChange={(event) => setBoth(event.target.checked)} />
          Two heads
        </label>
        <button type="submit" className="primary" disabled={!ready}>Add</button>
      </form>
      <p className="quiet">
        {both
          ? "An arrow with two heads says: something that was not measured moves both."
          : "An arrow from A to B says: A has an influence on B."}
      </p>
    </section>
  );
}

function NodeSelect(props: {
  readonly label: string;
  readonly selectRef?: Ref<HTMLSelectElement>;
  readonly value: string;
  readonly nodes: readonly DrawnNode[];
  readonly onChange: (name: string) => void;
}) {
  const id = useId();
  const shown = props.nodes.some((node) => node.name === props.value) ? props.value : "";
  return (
    <label htmlFor={id}>
      {props.label}
      <select id={id} ref={props.selectRef} value={shown} onChange={(event) => props.onChange(event.target.value)}>
        <option value="">choose…</option>
        {props.nodes.map((node) => (
          <option key={node.name} value={node.name}>{node.label}</option>
        ))}
      </select>
    </label>
  );
}

function CloseButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className="close" aria-label="Close" title="Close (Escape)" onClick={onClick}>
      <Icon name="close" />
    </button>
  );
}
